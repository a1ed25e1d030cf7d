"""From each shape's request body to an `Ask`."""

from collections.abc import Mapping
from typing import Any

from anoman_tui.emulator.ask import Ask, Gateway, Shape, Turn
from anoman_tui.emulator.errors import GatewayError

_JSON = Mapping[str, Any]


def parse_chat(body: _JSON, gateway: Gateway, shape: Shape = "chat") -> Ask:
    """OpenAI Chat Completions; Anoman's playground run takes the same body. Raises a 400 `GatewayError`."""
    system, turns = _split(_list(body, "messages"))
    if body.get("n") not in (None, 1):
        raise _bad("Only n = 1 is supported.", "n")
    options = body.get("stream_options")
    return Ask(
        gateway,
        shape,
        _model(body),
        turns,
        system,
        stream=body.get("stream") is True,
        include_usage=isinstance(options, Mapping) and options.get("include_usage") is True,
        max_tokens=_count(body, "max_completion_tokens", "max_tokens"),
        temperature=_number(body, "temperature"),
        top_p=_number(body, "top_p"),
        stop=_stop(body, "stop"),
    )


def parse_responses(body: _JSON, gateway: Gateway) -> Ask:
    """OpenAI Responses: `input` is a text or a list of items. Raises a 400 `GatewayError`."""
    given = body.get("input")
    items = [{"role": "user", "content": given}] if isinstance(given, str) else _list(body, "input")
    system, turns = _split(items)
    instructions = body.get("instructions")
    texts = [text for text in (instructions if isinstance(instructions, str) else None, system) if text]
    return Ask(
        gateway,
        "responses",
        _model(body),
        turns,
        "\n".join(texts) or None,
        stream=body.get("stream") is True,
        max_tokens=_count(body, "max_output_tokens"),
        temperature=_number(body, "temperature"),
        top_p=_number(body, "top_p"),
    )


def parse_messages(body: _JSON, gateway: Gateway) -> Ask:
    """Anthropic Messages; `max_tokens` is required, as by Anthropic. Raises a 400 `GatewayError`."""
    _, turns = _split(_list(body, "messages"))
    limit = _count(body, "max_tokens")
    if limit is None:
        raise _bad("max_tokens: Field required", "max_tokens")
    return Ask(
        gateway,
        "messages",
        _model(body),
        turns,
        _text(body.get("system")) or None,
        stream=body.get("stream") is True,
        max_tokens=limit,
        temperature=_number(body, "temperature"),
        top_p=_number(body, "top_p"),
        stop=_stop(body, "stop_sequences"),
    )


def parse_gemini(body: _JSON, gateway: Gateway, model: str, *, stream: bool, sse: bool) -> Ask:
    """Gemini `generateContent`; the path names the model and says whether to stream. Raises a 400 `GatewayError`."""
    turns: list[Turn] = []
    for item in _list(body, "contents"):
        if isinstance(item, Mapping):
            role = "assistant" if item.get("role") == "model" else "user"
            turns.append(Turn(role, _text(item.get("parts"))))
    if not turns:
        raise _bad("contents is not specified", "contents")
    system = body.get("systemInstruction", body.get("system_instruction"))
    given = body.get("generationConfig", body.get("generation_config"))
    config: _JSON = given if isinstance(given, Mapping) else {}
    return Ask(
        gateway,
        "gemini",
        model,
        tuple(turns),
        _text(system.get("parts")) or None if isinstance(system, Mapping) else None,
        stream=stream,
        sse=sse,
        max_tokens=_count(config, "maxOutputTokens", "max_output_tokens"),
        temperature=_number(config, "temperature"),
        top_p=_number(config, "topP", "top_p"),
        stop=_stop(config, "stopSequences", "stop_sequences"),
    )


def _split(items: list[Any]) -> tuple[str | None, tuple[Turn, ...]]:
    system: list[str] = []
    turns: list[Turn] = []
    for item in items:
        if not isinstance(item, Mapping):
            raise _bad("Each message must be an object with a role and a content.", "messages")
        role, text = item.get("role"), _text(item.get("content"))
        if role in ("system", "developer"):
            system.append(text)
        elif role is not None:
            turns.append(Turn("assistant" if role == "assistant" else "user", text))
    if not turns:
        raise _bad("At least one user message is required.", "messages")
    return "\n".join(system) or None, tuple(turns)


def _text(content: Any) -> str:
    """The text of a content: a string, or a list of parts that carry `text`; other parts (images, tools) count as nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "".join(part["text"] for part in content if isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _model(body: _JSON) -> str:
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise _bad("model: Field required", "model")
    return model


def _list(body: _JSON, name: str) -> list[Any]:
    value = body.get(name)
    if not isinstance(value, list) or not value:
        raise _bad(f"{name}: a non-empty list is required", name)
    return value


def _first(body: _JSON, names: tuple[str, ...]) -> tuple[str, Any]:
    return next(((name, body[name]) for name in names if body.get(name) is not None), (names[0], None))


def _count(body: _JSON, *names: str) -> int | None:
    name, value = _first(body, names)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _bad(f"{name}: must be an integer of at least 1", name)
    return value


def _number(body: _JSON, *names: str) -> float | None:
    name, value = _first(body, names)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(f"{name}: must be a number", name)
    return float(value)


def _stop(body: _JSON, *names: str) -> tuple[str, ...]:
    name, value = _first(body, names)
    if value is None:
        return ()
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise _bad(f"{name}: must be a string or a list of strings", name)
    return tuple(one for one in values if one)


def _bad(message: str, param: str) -> GatewayError:
    return GatewayError(400, "invalid_request", message, param)
