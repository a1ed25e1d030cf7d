"""The routes of both gateways, and how a request becomes an `Ask`."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anoman_tui.emulator import errors
from anoman_tui.emulator.ask import Ask, Gateway, Shape
from anoman_tui.emulator.auth import require_key
from anoman_tui.emulator.errors import GatewayError
from anoman_tui.emulator.hub import Hub, new_request_id
from anoman_tui.emulator.models import MODELS
from anoman_tui.emulator.parse import parse_chat, parse_gemini, parse_messages, parse_responses

_CREATED = 1709876543

Parser = Callable[[Mapping[str, Any], Gateway], Ask]
Handler = Callable[[Request], Awaitable[Any]]


def make_app(hub: Hub) -> ASGIApp:
    """The ASGI application of one gateway: `/anoman`, `/anypath`, `/_ledger` and `/_health`."""
    routes = [
        _post(hub, "/anoman/v1/chat/completions", "anoman", parse_chat),
        _post(hub, "/anoman/anthropic/v1/messages", "anoman", parse_messages),
        _post(hub, "/anoman/anoman/v1/playground/run", "anoman", lambda body, gateway: parse_chat(body, gateway, "playground")),
        _post(hub, "/anypath/v1/responses", "anypath", parse_responses),
        _post(hub, "/anypath/v1/chat/completions", "anypath", parse_chat),
        _post(hub, "/anypath/v1/messages", "anypath", parse_messages),
        *(Route(f"/anypath/{version}/models/{{call:path}}", _gemini(hub), methods=["POST"]) for version in ("v1", "v1beta")),
        *(
            Route(path, _models(hub), methods=["GET"])
            for path in ("/anoman/v1/models", "/anoman/anthropic/v1/models", "/anypath/v1/models")
        ),
        Route("/anypath/v1beta/models", _gemini_models(hub), methods=["GET"]),
        Route("/_ledger", lambda request: JSONResponse(hub.ledger.to_json(request.query_params.get("request_id"))), methods=["GET"]),
        Route("/_health", lambda _: JSONResponse(hub.health()), methods=["GET"]),
    ]
    handlers: dict[Any, Any] = {GatewayError: _on_gateway_error, HTTPException: _on_http_error, ClientDisconnect: _on_disconnect}
    handlers[Exception] = _on_fault
    return RequestIds(Starlette(routes=routes, exception_handlers=handlers))


class RequestIds:
    """Gives each request its id and puts it on every response: `X-Request-Id`, and `request-id` where Anthropic's SDK looks for it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI interface."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = new_request_id()
        scope.setdefault("state", {})["request_id"] = request_id
        names = [b"x-request-id", b"request-id"] if shape_of(scope["path"]) == "messages" else [b"x-request-id"]

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((name, request_id.encode()) for name in names)]
            await send(message)

        await self._app(scope, receive, send_with_id)


def shape_of(path: str) -> Shape:
    """The shape whose error envelope a path speaks."""
    if path.endswith("/messages"):
        return "messages"
    if path.startswith(("/anypath/v1beta/", "/anypath/v1/models/")):
        return "gemini"
    return "responses" if path.endswith("/responses") else "chat"


def _post(hub: Hub, path: str, gateway: Gateway, parse: Parser) -> Route:
    async def endpoint(request: Request) -> Any:
        require_key(request.headers, request.query_params)
        ask = parse(await _read_json(request, hub.options.max_body_bytes), gateway)
        return await hub.answer(ask, request.state.request_id)

    return Route(path, endpoint, methods=["POST"])


def _gemini(hub: Hub) -> Handler:
    async def endpoint(request: Request) -> Any:
        require_key(request.headers, request.query_params)
        model, _, method = request.path_params["call"].rpartition(":")
        if method not in ("generateContent", "streamGenerateContent"):
            raise GatewayError(404, "not_found", f"There is no {request.url.path} here.")
        body = await _read_json(request, hub.options.max_body_bytes)
        sse = request.query_params.get("alt") == "sse"
        ask = parse_gemini(body, "anypath", model, stream=method == "streamGenerateContent", sse=sse)
        return await hub.answer(ask, request.state.request_id)

    return endpoint


def _models(hub: Hub) -> Handler:
    async def endpoint(request: Request) -> Response:
        require_key(request.headers, request.query_params)
        names = hub.models()
        data = [{"id": name, "object": "model", "created": _CREATED, "owned_by": MODELS[name].owner, **_anthropic(name)} for name in names]
        return JSONResponse({"object": "list", "data": data, "has_more": False, "first_id": names[0], "last_id": names[-1]})

    return endpoint


def _anthropic(name: str) -> dict[str, str]:
    # Beside OpenAI's fields, so that one list serves both SDKs.
    return {"type": "model", "display_name": name, "created_at": "2024-03-08T05:42:23Z"}


def _gemini_models(hub: Hub) -> Handler:
    async def endpoint(request: Request) -> Response:
        require_key(request.headers, request.query_params)
        methods = ["generateContent", "streamGenerateContent"]
        models = [{"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": methods} for name in hub.models()]
        return JSONResponse({"models": models})

    return endpoint


async def _read_json(request: Request, limit: int) -> Mapping[str, Any]:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise GatewayError(413, "request_too_large", f"The request body is larger than {limit} bytes.")
    try:
        value = json.loads(bytes(body))
    except (ValueError, RecursionError):
        raise GatewayError(400, "invalid_json", "The request body is not valid JSON.") from None
    if not isinstance(value, dict):
        raise GatewayError(400, "invalid_json", "The request body must be a JSON object.")
    return value


async def _on_gateway_error(request: Request, error: GatewayError) -> Response:
    shape = shape_of(request.url.path)
    body = errors.envelope(shape, error, request.state.request_id)
    # The rest of a body that is too large is not read, so this connection cannot carry another request.
    close = {"connection": "close"} if error.status == 413 else {}
    return JSONResponse(body, error.status, {**errors.headers(shape, error), **close})


async def _on_http_error(request: Request, error: HTTPException) -> Response:
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http_error")
    reason = GatewayError(error.status_code, code, f"{request.method} {request.url.path}: {error.detail}.")
    body = errors.envelope(shape_of(request.url.path), reason, request.state.request_id)
    return JSONResponse(body, error.status_code, dict(error.headers or {}))


async def _on_fault(request: Request, error: Exception) -> Response:  # noqa: ARG001 - what went wrong stays here
    reason = GatewayError(500, "internal_error", "The gateway failed.")
    return JSONResponse(errors.envelope(shape_of(request.url.path), reason, request.state.request_id), 500)


async def _on_disconnect(request: Request, error: ClientDisconnect) -> Response:  # noqa: ARG001 - the handler's interface
    return Response(status_code=499)
