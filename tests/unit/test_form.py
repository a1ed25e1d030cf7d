"""Parameters and headers as they are typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.request import Params
from anoman_tui.ui.form import read_header_lines, read_param_fields, read_stops, shown_headers, shown_stops
from anoman_tui.ui.screens.dialog import FieldError

EMPTY = {"temperature": "", "max_tokens": "", "stop": "", "effort": ""}


@given(st.lists(st.text(min_size=1), max_size=4).map(tuple))
def test_stops_come_back_as_they_were(stops: tuple[str, ...]) -> None:
    """Claim: what is shown of stop texts is read as the same texts."""
    assert read_stops(shown_stops(stops)) == stops


def test_stops_as_they_are_typed() -> None:
    """Claim: blanks separate, quotes hold together, and escapes are read; an open quote is a sign like any other."""
    assert read_stops(r'END "a b" \n "\n\n"') == ("END", "a b", "\n", "\n\n")
    assert read_stops('"open') == ('"open',)
    assert read_stops("  ") == ()


def test_params() -> None:
    """Claim: empty fields set nothing, and what cannot be used is named with its field."""
    assert read_param_fields(EMPTY) == Params()
    assert read_param_fields({"temperature": "0,5", "max_tokens": "1_000", "stop": "END", "effort": "low"}) == Params(
        0.5, 1000, ("END",), "low"
    )
    for name, text in {"temperature": "warm", "max_tokens": "1.5", "effort": "very much"}.items():
        with pytest.raises(FieldError, match=name) as wrong:
            read_param_fields({**EMPTY, name: text})
        assert wrong.value.field == name
    with pytest.raises(FieldError, match="from 0 to 2"):
        read_param_fields({**EMPTY, "temperature": "nan"})


def test_headers() -> None:
    """Claim: lines are headers, and neither a secret nor a line without a colon is taken."""
    headers = read_header_lines("X-Team: blue\n\n x-note:a: b \n")
    assert headers == {"x-team": "blue", "x-note": "a: b"}
    assert read_header_lines(shown_headers(headers)) == headers
    for text, says in {
        "no colon": "is no `name: value` line",
        "authorization: x": "may hold a secret",
        "host: a": "set by this program",
    }.items():
        with pytest.raises(FieldError, match=says):
            read_header_lines(text)
