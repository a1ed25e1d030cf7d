"""One module per endpoint shape: it builds the request, decodes a frame, and reads a JSON answer."""

from collections.abc import Callable, Mapping
from typing import Any

from anoman_tui.core.events import EndReported, ErrorReported, FinishReported, Frame, StreamEvent
from anoman_tui.core.jsonish import Json
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import HttpRequest, Request, Secret
from anoman_tui.core.shapes import chat, gemini, messages, responses
from anoman_tui.core.target import Shape


@dataclass(frozen=True, slots=True)
class ShapeSpec:
    """What is particular to one shape."""

    body: Callable[[Request], dict[str, Any]]
    decode: Callable[[Frame], tuple[StreamEvent, ...]]
    read_json: Callable[[Json], tuple[StreamEvent, ...]]
    headers: Mapping[str, str]


SHAPES: Mapping[Shape, ShapeSpec] = {
    Shape.CHAT: ShapeSpec(chat.body, chat.decode, chat.read_json, {}),
    Shape.RESPONSES: ShapeSpec(responses.body, responses.decode, responses.read_json, {}),
    Shape.MESSAGES: ShapeSpec(messages.body, messages.decode, messages.read_json, {"anthropic-version": messages.VERSION}),
    Shape.GEMINI: ShapeSpec(gemini.body, gemini.decode, gemini.read_json, {}),
    Shape.PLAYGROUND: ShapeSpec(chat.body, chat.decode_playground, chat.read_json, {}),
}


def http_request(request: Request, key: Secret | None) -> HttpRequest:
    """The HTTP request for one prompt and target. The key is taken only where the target may send it."""
    target = request.target
    spec = SHAPES[target.shape]
    accept = "text/event-stream" if request.stream else "application/json"
    headers = {"content-type": "application/json", "accept": accept, **spec.headers, **target.provider.headers}
    send = key if target.sends_key else None
    url = target.url if request.stream else gemini.single(target.url)
    return HttpRequest("POST", url, headers, spec.body(request), target.provider.auth_for(target.shape) if send else None, send)


def asks_stream(request: HttpRequest) -> bool:
    """Whether an HTTP request asks for a stream: by its body, and by its path where the shape says it there."""
    return request.body.get("stream") is not False and not gemini.is_single(request.url)


def is_terminal(shape: Shape, frame: Frame) -> bool:
    """Whether a frame that the body's end left open may still count: it is whole, and it ends the stream."""
    ends = (EndReported, ErrorReported, FinishReported) if shape is Shape.GEMINI else (EndReported, ErrorReported)
    events = SHAPES[shape].decode(frame)
    return any(isinstance(event, ends) and not _is_hole(event) for event in events)


def _is_hole(event: StreamEvent) -> bool:
    return isinstance(event, ErrorReported) and event.error.kind.value == "unreadable"
