"""A server of tokens on the loopback interface that writes down when it sends each one.

python -m benchmarks.server prints its port. The name of the model says what to send (`content.Ask`). `GET /log` gives a JSON
list of the streams since it was last asked, with times in ns of `time.monotonic_ns`, which all processes of a machine share.
One thread serves one connection: a thread's sleep is good to a tenth of a millisecond, a timer of asyncio to one.
"""

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.content import SINGLY, Ask, chat_frames, markdown

BURST = 64
"""Frames to one write, and to one chunk of the body unless they are asked for singly, where there is no rate."""
LEAD_S = 0.0002
"""A sleep ends about this late, so it is begun for so much less."""


@dataclass
class Sent:
    """One stream."""

    model: str
    request_ns: int
    """When the request's last byte was read."""
    sent_ns: "array[int]" = field(default_factory=lambda: array("q"))
    """When each token was handed to the system."""

    def as_dict(self) -> dict[str, Any]:
        """For the log."""
        return {"model": self.model, "request_ns": self.request_ns, "sent_ns": self.sent_ns.tolist()}


LOG: list[Sent] = []


class Connection:
    """Serves one client until it goes."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._rest = b""

    def serve(self) -> None:
        """Request after request."""
        with contextlib.suppress(OSError), self._link:
            while self._one():
                pass

    def _one(self) -> bool:
        while b"\r\n\r\n" not in self._rest:
            if not (data := self._link.recv(65_536)):
                return False
            self._rest += data
        head, self._rest = self._rest.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        while len(self._rest) < int(fields.get("content-length", 0)):
            self._rest += self._link.recv(65_536)
        now, body, self._rest = time.monotonic_ns(), self._rest, b""
        if lines[0].startswith("GET /log"):
            self._reply(json.dumps([sent.as_dict() for sent in LOG]).encode())
            LOG.clear()
        elif lines[0].startswith("POST"):
            self._stream(Ask.read(json.loads(body)["model"]), now)
        else:
            self._reply(b'{"object":"list","data":[]}')
        return True

    def _reply(self, body: bytes) -> None:
        self._link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

    def _stream(self, ask: Ask, now: int) -> None:
        sent = Sent(ask.model, now)
        LOG.append(sent)
        made = list(chat_frames(markdown(ask.letter, ask.tokens), ask.model, ask.tokens))  # ahead, so that only pacing is left
        self._link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        start = max(now + int(ask.delay_ms * 1e6), time.monotonic_ns())  # what took long to make must not come as a burst
        _sleep_until(start)
        if 0 < ask.rate < SINGLY:
            self._paced(made, sent, start, 1e9 / ask.rate)
        else:
            for at in range(0, len(made), BURST):
                part = made[at : at + BURST]
                sent.sent_ns.extend([time.monotonic_ns()] * sum(token for token, _ in part))
                frames = [frame for _, frame in part]
                self._link.sendall(b"".join(map(_chunk, frames)) if ask.rate == SINGLY else _chunk(b"".join(frames)))
        self._link.sendall(b"0\r\n\r\n")

    def _paced(self, made: list[tuple[bool, bytes]], sent: Sent, start: int, step: float) -> None:
        for token, frame in made:
            data = _chunk(frame)
            if token:
                _sleep_until(start + int(len(sent.sent_ns) * step))
                sent.sent_ns.append(time.monotonic_ns())
            self._link.sendall(data)


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _sleep_until(due_ns: int) -> None:
    left = (due_ns - time.monotonic_ns()) / 1e9 - LEAD_S
    if left > 0:
        time.sleep(left)


class Server:
    """The server in a process of its own, so that its work is not counted with the client's."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "benchmarks.server"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)
        port = self._process.stdout.readline() if self._process.stdout else ""
        self.root = f"http://127.0.0.1:{int(port)}"

    def log(self) -> list[dict[str, Any]]:
        """The streams since the last call."""
        with urllib.request.urlopen(f"{self.root}/log", timeout=30) as answer:
            streams: list[dict[str, Any]] = json.load(answer)
        return streams

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(10)


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """A server that runs while the block does."""
    server = Server()
    try:
        yield server
    finally:
        server.close()


def main() -> None:
    """Serve until standard input is closed."""
    sys.setswitchinterval(0.0005)
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def accept() -> None:
        while True:
            link, _ = listener.accept()
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=Connection(link).serve, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
