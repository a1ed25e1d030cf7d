"""The run file: its lines, and what they are read into.

One JSON object a line. The first is the header; each other one is a fact of one pane at one time: a read of the body, or
an event of the connection. Times are nanoseconds of the recording machine's monotonic clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from anoman_tui.core.events import Closed, Headers
from anoman_tui.core.jsonish import items, obj, text_of
from anoman_tui.core.pane import PaneState
from anoman_tui.core.request import HttpRequest, Params, Request
from anoman_tui.core.run import RunHead
from anoman_tui.core.shapes import asks_stream
from anoman_tui.core.target import Target

FORMAT = "anoman-tui/run-file"
VERSION = 1
SUFFIX = ".jsonl"


class RunFileError(ValueError):
    """A run file that cannot be read; the message is one sentence that says where and why."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The request as it went out, less its key."""

    request: HttpRequest


@dataclass(frozen=True, slots=True)
class Connecting:
    """The TCP connection is being made."""


@dataclass(frozen=True, slots=True)
class Connection:
    """DNS, TCP and TLS are done."""


@dataclass(frozen=True, slots=True)
class HeadSent:
    """The request headers began to be written."""


@dataclass(frozen=True, slots=True)
class Head:
    """The response head."""

    status: int
    headers: Headers


@dataclass(frozen=True, slots=True)
class Read:
    """One read of the body."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The user asked to stop."""


@dataclass(frozen=True, slots=True)
class Priced:
    """Our estimate by list prices, as it was made then."""

    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class End:
    """The stream is over. `failure` is the kind of error that ended it where the stream itself told of none."""

    closed: Closed
    failure: str | None


What = Sent | Connecting | Connection | HeadSent | Head | Read | Cancelled | Priced | End


@dataclass(frozen=True, slots=True)
class Fact:
    """What happened to a pane at one time."""

    t_ns: int
    what: What


@dataclass(frozen=True, slots=True)
class RecordedPane:
    """One pane of a run: where it went, how it began, and all that happened, in order."""

    number: int
    target: Target
    facts: tuple[Fact, ...]
    characters_per_token: float | None = None
    earlier_request_ids: tuple[str, ...] = ()
    params: Params | None = None
    """The parameters of this pane, where they are not those of the run; and so with the system prompt."""
    system: str | None = None

    @property
    def state(self) -> PaneState:
        """The state that the pane began with."""
        return PaneState(
            self.target,
            characters_per_token=self.characters_per_token,
            earlier_request_ids=self.earlier_request_ids,
            params=self.params,
            system=self.system,
        )

    @property
    def list_usd(self) -> Decimal | None:
        """Our estimate by list prices; None where none was made."""
        return next((fact.what.usd for fact in self.facts if isinstance(fact.what, Priced)), None)

    @property
    def sent(self) -> HttpRequest | None:
        """The request as it went out; None where none did."""
        return next((fact.what.request for fact in self.facts if isinstance(fact.what, Sent)), None)

    @property
    def reads(self) -> tuple[tuple[int, bytes], ...]:
        """The reads of the body with their times."""
        return tuple((fact.t_ns, fact.what.data) for fact in self.facts if isinstance(fact.what, Read))


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run as its file tells it. `cut` says that the file ends before its run does."""

    head: RunHead
    panes: tuple[RecordedPane, ...]
    max_body: int | None = None
    tool_version: str = ""
    cut: bool = False

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests of the panes, in order."""
        return tuple(self._request(pane) for pane in self.panes)

    def _request(self, pane: RecordedPane) -> Request:
        prompt = self.head.prompt if pane.system is None else replace(self.head.prompt, system=pane.system or None)
        stream = pane.sent is None or asks_stream(pane.sent)
        if not prompt.history and pane.sent is not None:  # each pane went on from its own answers, or none did
            prompt = replace(prompt, history=_turns_before(pane.sent.body))
        return Request(pane.target, prompt, self.head.params if pane.params is None else pane.params, stream)

    @property
    def start_ns(self) -> int:
        """The time of the first fact."""
        return min((pane.facts[0].t_ns for pane in self.panes if pane.facts), default=0)

    @property
    def end_ns(self) -> int:
        """The time of the last fact."""
        return max((pane.facts[-1].t_ns for pane in self.panes if pane.facts), default=0)


def target_fields(target: Target) -> dict[str, Any]:
    """A target as the header holds it."""
    provider = target.provider
    return {
        "provider": provider.name,
        "label": provider.label,
        "policy": provider.policy.value,
        "shape": target.shape.value,
        "model": target.model,
        "base_url": target.base_url,
        "root": provider.base_url,
        "path": provider.shapes.get(target.shape, ""),
        "cancel_note": provider.cancel_note,
        "local": provider.local,
        "key_env": list(provider.key_env),
    }


def _turns_before(body: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The turns that a request body holds before its prompt, in whatever shape."""
    turns = []
    for turn in map(obj, items(body.get("messages") or body.get("input") or body.get("contents"))):
        role, text = text_of(turn.get("role")), turn.get("content")
        if not isinstance(text, str):
            text = "".join(text_of(obj(part).get("text")) for part in items(turn.get("parts") or text))
        if role in ("user", "assistant", "model"):
            turns.append(("user" if role == "user" else "assistant", text))
    return tuple(turns[:-1])
