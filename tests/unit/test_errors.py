"""Error bodies and frames of every provider in one form; blocked told apart from failed."""

import json
from typing import Any

import pytest

from anoman_tui.core.errors import MAX_MESSAGE, error_of, excerpt, explain_http_error, is_error
from anoman_tui.core.failure import FailureKind

LONG = "x" * 50_000


@pytest.mark.parametrize(
    ("status", "body", "want"),
    [
        (
            401,
            {"error": {"message": "Bad key", "type": "invalid_request_error", "param": None, "code": "invalid_api_key"}},
            ("Bad key", "invalid_request_error", "invalid_api_key"),
        ),
        (
            429,
            {"error": {"message": "Quota", "type": "insufficient_quota", "code": "insufficient_quota"}},
            ("Quota", "insufficient_quota", "insufficient_quota"),
        ),
        (401, {"statusCode": 401, "message": "Access denied"}, ("Access denied", None, None)),
        (401, {"error": {"code": "401", "message": "Access denied"}}, ("Access denied", None, "401")),
        (
            529,
            {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "r"},
            ("Overloaded", "overloaded_error", None),
        ),
        (
            400,
            {"error": {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT"}},
            ("API key not valid", "INVALID_ARGUMENT", "400"),
        ),
        (429, [{"error": {"code": 429, "message": "Slow", "status": "RESOURCE_EXHAUSTED"}}], ("Slow", "RESOURCE_EXHAUSTED", "429")),
        (
            400,
            {"object": "error", "message": {"detail": [{"loc": ["body", "model"], "msg": "field required"}]}, "type": "invalid", "code": 1},
            ("body.model: field required", "invalid", "1"),
        ),
        (401, {"detail": "Unauthorized"}, ("Unauthorized", None, None)),
        (
            422,
            {"detail": [{"loc": ["body", "a"], "msg": "missing"}, {"loc": ["body", "b"], "msg": "bad"}]},
            ("body.a: missing; body.b: bad", None, None),
        ),
        (
            400,
            {"code": "Client specified an invalid argument", "error": "Incorrect API key"},
            ("Incorrect API key", None, "Client specified an invalid argument"),
        ),
        (
            402,
            {"error": {"message": "Insufficient Balance", "type": "unknown_error", "code": "invalid_request_error"}},
            ("Insufficient Balance", "unknown_error", "invalid_request_error"),
        ),
        (
            402,
            {"error": {"code": 402, "message": "No credits", "metadata": {"provider_name": "X"}}, "user_id": "u"},
            ("No credits", None, "402"),
        ),
        (404, {"error": "model 'x' not found"}, ("model 'x' not found", None, None)),
        (
            400,
            {"error": {"code": 400, "message": "too long", "type": "exceed_context_size_error", "n_ctx": 2048}},
            ("too long", "exceed_context_size_error", "400"),
        ),
        (
            400,
            {"object": "error", "message": "bad", "type": "BadRequestError", "param": None, "code": 400},
            ("bad", "BadRequestError", "400"),
        ),
        (401, {"error": {"message": "No key", "type": "auth_error", "param": "None", "code": "401"}}, ("No key", "auth_error", "401")),
        (400, {"error": {"message": "m", "type": "None", "code": "None"}}, ("m", None, None)),
        (403, {"message": "Forbidden"}, ("Forbidden", None, None)),
        (500, {"errors": [{"message": "first"}, {"message": "second"}]}, ("first; second", None, None)),
        (500, {"error": {"code": "model_unavailable"}}, ("model_unavailable", None, "model_unavailable")),
        (500, {"error": {"message": {"message": "nested"}}}, ("nested", None, None)),
        (500, {"error": {"message": None, "type": 5, "code": True}}, ("5", "5", None)),
        (500, {"error": ["one", {"message": "two"}]}, ("one", None, None)),
        (400, {"reason": "because"}, ("because", None, None)),
        (401, {"error": "invalid_token", "error_description": "It expired"}, ("It expired", None, "invalid_token")),
        (400, {"type": "about:blank", "title": "Bad Request", "status": 400}, ("Bad Request", "about:blank", None)),
    ],
)
def test_an_error_body_gives_message_type_and_code(status: int, body: Any, want: tuple[str, str | None, str | None]) -> None:
    """Claim: the body of each provider gives the message in its own words, and type and code verbatim."""
    info, _ = explain_http_error(status, (), json.dumps(body))
    assert (info.message, info.type, info.code) == want
    assert (info.kind, info.http_status) == (FailureKind.HTTP, status)


@pytest.mark.parametrize(
    ("status", "body", "blocked"),
    [
        (403, {"error": {"type": "guardrail_blocked", "message": "x"}}, True),
        (403, {"error": {"code": "policy_violation", "message": "x"}}, True),
        (403, {"error": {"code": "pii", "message": "x"}}, True),
        (403, {"error": {"type": "moderation", "message": "x"}}, True),
        (403, {"type": "error", "error": {"type": "prompt_injection", "message": "x"}}, True),
        (403, {"error": {"message": "x", "_anoman": {"guardrails": {"pii": {"status": "block"}}}}}, True),
        (400, {"error": {"message": "x", "_anoman": {"guardrails": {"pii": {"status": "block"}}}}}, True),
        (403, {"message": "x", "_anoman": {"guardrails": {"pii": {}}}}, True),
        (400, {"error": {"code": "content_filter", "message": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}, True),
        (403, {"error": {"code": 403, "message": "x", "metadata": {"reasons": ["hate"]}}}, True),
        (422, {"error": {"type": "guardrail_violation", "message": "x"}}, True),
        (403, {"error": {"type": "permission_error", "message": "not for this key"}}, False),
        (403, {"error": {"type": "forbidden", "message": "blocked by the guardrail of words, not of type"}}, False),
        (403, {"message": "Forbidden"}, False),
        (401, {"error": {"type": "guardrail_blocked", "message": "x"}}, False),
        (429, {"error": {"type": "policy", "message": "x"}}, False),
        (500, {"error": {"type": "guardrail_blocked", "message": "x"}}, False),
        (400, {"error": {"type": "invalid_request_error", "code": "policy_x", "message": "x"}}, False),
        (403, {"error": {"type": "pricing_piii", "message": "x"}}, False),
        (403, {"error": {"message": "x", "_anoman": {"guardrails": {}}}}, False),
    ],
)
def test_blocked_is_told_apart_from_failed(status: int, body: Any, blocked: bool) -> None:
    """Claim: only a guardrail's own words or metadata make a refusal a block, and only where it comes before the stream."""
    info, _ = explain_http_error(status, (), json.dumps(body))
    assert (info.kind is FailureKind.BLOCKED) is blocked


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "the response body is empty"),
        ("  \n ", "the response body is empty"),
        ("no healthy upstream", "no healthy upstream"),
        ("<html><head><title>504 Gateway Time-out</title></head><body><h1>504</h1>nginx</body></html>", "504 Gateway Time-out"),
        (
            "<!DOCTYPE html><html><head><style>x{}</style><title>A &amp; B</title></head><body><script>evil()</script>"
            "<p>Sorry</p></body></html>",
            "A & B",
        ),
        ("<!doctype html><body>No title here</body>", "an HTML page: No title here"),
        ("{broken", "{broken"),
        ("[]", "[]"),
        ("{}", "{}"),
        ('data: {"error":{"message":"inside a frame"}}\n\n', "inside a frame"),
        ('data: {"type":"ping"}\n\ndata: {"error":{"message":"the second frame"}}\n\n', "the second frame"),
        ('\ufeff{"error":{"message":"after a mark"}}', "after a mark"),
    ],
)
def test_bodies_that_are_no_error_object(body: str, words: str) -> None:
    """Claim: pages, plain text, empty bodies and broken JSON give a short excerpt, and never markup or scripts."""
    info, _ = explain_http_error(503, (), body)
    assert words in info.message
    assert "evil" not in info.message
    assert "<" not in info.message or not body.lower().startswith("<")
    assert len(info.message) <= 200


@pytest.mark.parametrize(
    "body",
    [
        LONG,
        f"<html><title>{LONG}</title>{LONG}</html>",
        json.dumps({"error": {"message": LONG}}),
        json.dumps({"error": LONG}),
        "[" * 50_000,
    ],
)
def test_no_body_fills_the_screen(body: str) -> None:
    """Claim: a message is bounded whatever the server pours out."""
    assert 0 < len(explain_http_error(500, (), body)[0].message) <= MAX_MESSAGE


def test_a_redirect_names_its_place() -> None:
    """Claim: a redirect says where to, and that the base URL should name the final address."""
    info, _ = explain_http_error(307, (("location", "https://h/x"),), "")
    assert "https://h/x" in info.message
    assert "base URL" in info.message
    assert "does not give" in explain_http_error(302, (), "")[0].message


def test_request_id_and_wait_time_are_kept() -> None:
    """Claim: the id and the time to wait come from the headers first, then from the body."""
    body = json.dumps({"error": {"message": "x", "details": [{"retryDelay": "22s"}]}, "request_id": "from-body"})
    info, _ = explain_http_error(429, (("x-request-id", "from-header"), ("retry-after", "7")), body)
    assert (info.request_id, info.retry_after_s) == ("from-header", 7)
    info, _ = explain_http_error(429, (), body)
    assert (info.request_id, info.retry_after_s) == ("from-body", 22)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"error": {}}, False),
        ({"error": None}, False),
        ({"error": ""}, False),
        ({"error": "x"}, True),
        ({"type": "error"}, True),
        ({"object": "error"}, True),
        ({"errors": 1}, False),
        ([], False),
        (None, False),
    ],
)
def test_what_is_an_error(value: Any, error: bool) -> None:
    """Claim: a truthy `error`, and the types that say so, make an error; an empty one does not."""
    assert is_error(value) is error


@pytest.mark.parametrize(
    "value", [None, 5, "x", [], {}, [[]], {"error": {"message": {"a": {"b": 1}}}}, {"error": [[[]]]}, {"error": {"_anoman": []}}]
)
def test_an_error_of_anything(value: Any) -> None:
    """Claim: any JSON value gives an error with some message."""
    assert error_of(value).message


def test_both_documented_forms_of_the_partial_size() -> None:
    """Claim: characters and tokens are both taken, each with its unit, and neither is made into the other."""
    for name, unit in (("accumulated_chars", "chars"), ("completion_tokens", "tokens")):
        info = error_of({"error": {"message": "x", "_anoman": {name: 42, "failure_class": "upstream_error"}}})
        assert (info.partial_value, info.partial_unit, info.failure_class) == (42, unit, "upstream_error")
    assert error_of({"error": {"message": "x", "_anoman": {"completion_tokens": -1}}}).partial_value is None


def test_an_excerpt_is_one_short_line() -> None:
    """Claim: an excerpt has no line ends and at most 200 characters."""
    assert excerpt("a\n b\t\tc  ") == "a b c"
    assert len(excerpt(LONG)) == 200
