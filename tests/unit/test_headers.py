"""Response headers: ids, wait times, and what is never kept."""

import pytest

from anoman_tui.core.events import Headers
from anoman_tui.core.headers import MAX_RETRY_S, REQUEST_ID_NAMES, header, request_id, retry_after_s, safe

DATE = "Tue, 14 Nov 2023 22:13:20 GMT"


@pytest.mark.parametrize("name", REQUEST_ID_NAMES)
def test_every_name_of_a_request_id(name: str) -> None:
    """Claim: the id is found under each name that providers use."""
    assert request_id((("date", DATE), (name, "id-1"))) == "id-1"


def test_the_provider_goes_before_the_edge() -> None:
    """Claim: the provider's own id goes before the edge's, an empty one counts as none, and none is None."""
    assert request_id((("cf-ray", "edge"), ("x-request-id", "own"))) == "own"
    assert request_id((("x-request-id", ""), ("cf-ray", "edge"))) == "edge"
    assert request_id(()) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((("retry-after", "7"),), 7),
        ((("retry-after", "0.5"),), 0.5),
        ((("retry-after-ms", "250"), ("retry-after", "7")), 0.25),
        ((("retry-after", "Tue, 14 Nov 2023 22:13:50 GMT"), ("date", DATE)), 30),
        ((("retry-after", "Tue, 14 Nov 2023 22:13:50 GMT"),), None),
        ((("retry-after", "Tue, 14 Nov 2023 22:00:00 GMT"), ("date", DATE)), None),
        ((("retry-after", "-1"),), None),
        ((("retry-after", "1e999"),), None),
        ((("retry-after", "NaN"),), None),
        ((("retry-after", "soon"),), None),
        ((("retry-after", "9" * 5_000),), None),
        ((("retry-after", str(MAX_RETRY_S + 1)),), None),
        ((("retry-after", ""),), None),
        ((), None),
    ],
)
def test_the_time_to_wait(headers: Headers, seconds: float | None) -> None:
    """Claim: seconds, milliseconds and dates are read; what is hostile, past or absurd is unknown."""
    assert retry_after_s(headers) == seconds


@pytest.mark.parametrize(("delay", "seconds"), [("22s", 22), ("0.5s", 0.5), ("22", None), (22, None), ("xs", None), ("-3s", None)])
def test_googles_time_to_wait(delay: object, seconds: float | None) -> None:
    """Claim: RetryInfo in the body is read."""
    assert retry_after_s((), {"details": [{"@type": "QuotaFailure"}, {"retryDelay": delay}]}) == seconds


def test_secrets_are_not_kept() -> None:
    """Claim: cookies and keys are dropped whatever the case of their names; everything else stays in order."""
    kept = safe([("A", "1"), ("Set-Cookie", "s"), ("set-cookie", "t"), ("Authorization", "x"), ("X-Api-Key", "x"), ("b", "2"), ("b", "3")])
    assert kept == (("A", "1"), ("b", "2"), ("b", "3"))
    assert header(kept, "b") == "2"
    assert header(kept, "c") is None
