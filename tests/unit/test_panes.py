"""A pane as its user set it up."""

import pytest

from anoman_tui.core.panes import PaneSpec, own_words, read_spec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import PaneArgumentError, parse_pane

PROMPT = Prompt("hello", "Be brief.")
TARGET = parse_pane("anoman/chat/gpt-4o-mini", BUILT_IN)


def test_what_is_set_for_a_pane_goes_before_what_is_for_all() -> None:
    """Claim: each parameter by itself, the system prompt, and the headers."""
    spec = PaneSpec(TARGET, Params(temperature=0.0, stop=("END",)), "Be long.", {"x-team": "blue"})
    request = spec.request(PROMPT, Params(temperature=1.0, max_tokens=50, effort="low"))
    assert request.params == Params(0.0, 50, ("END",), "low")
    assert request.prompt == Prompt("hello", "Be long.")
    assert http_request(request, None).headers["x-team"] == "blue"
    plain = PaneSpec(TARGET)
    assert plain.request(PROMPT, Params(max_tokens=50)).prompt.system == "Be brief."
    assert PaneSpec(TARGET, system="").request(PROMPT, Params()).prompt.system is None
    assert not plain.has_own
    assert spec.has_own


def test_what_is_a_panes_own_in_a_few_words() -> None:
    """Claim: all of it is named, an empty system prompt as none, and what no file should hold breaks nothing."""
    spec = read_spec(
        {"pane": "anoman/chat/m", "temperature": 0, "max_tokens": 40, "stop": ["END"], "system": "", "headers": {"x-a": "b"}}, BUILT_IN
    )
    assert spec.own == "temp 0, max 40, stop 'END', no system prompt, header x-a"
    assert read_spec("anoman/chat/m", BUILT_IN).own == ""
    assert (
        own_words({"pane": "p", "temperature": "warm", "max_tokens": None, "headers": 7, "system": "Be brief."})
        == "temp warm, system 'Be brief.'"
    )


def test_a_pane_comes_back_from_its_dict() -> None:
    """Claim: what `as_dict` gives is read into the same pane, and a bare argument is one with nothing of its own."""
    spec = PaneSpec(TARGET, Params(0.5, 100, ("a", "b"), "high"), "", {"x-team": "blue"})
    assert read_spec(spec.as_dict(), BUILT_IN) == spec
    assert read_spec("anoman/chat/gpt-4o-mini", BUILT_IN) == PaneSpec(TARGET)
    assert PaneSpec(TARGET).as_dict() == {"pane": "anoman/chat/gpt-4o-mini"}
    moved = read_spec({"pane": "chat/qwen3@http://127.0.0.1:8080"}, BUILT_IN)
    assert read_spec(moved.as_dict(), BUILT_IN) == moved


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"temperature": 3}, "temperature is no number from 0 to 2"),
        ({"temperature": True}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"max_tokens": 0}, "max_tokens is no whole number"),
        ({"max_tokens": 1.5}, "max_tokens"),
        ({"stop": [1]}, "stop is no list of texts"),
        ({"effort": "very high"}, "effort is no word"),
        ({"system": 1}, "system is no text"),
        ({"colour": 1}, "colour is no part of a pane"),
        ({"headers": {"Authorization": "Bearer sk-secret-1"}}, "may hold a secret; put the key into"),
        ({"headers": {"X-My-Token": "sk-secret-1"}}, "may hold a secret"),
        ({"headers": {"host": "elsewhere"}}, "is set by this program"),
        ({"headers": {"x-a": "two\r\nlines"}}, "no header name with a text of one line"),
        ({"headers": {"x a": "b"}}, "no header name"),
        ({"headers": ["x"]}, "headers are a table"),
    ],
)
def test_a_pane_that_cannot_be_is_refused_with_a_sentence(fields: dict[str, object], said: str) -> None:
    """Claim: the sentence names the pane and the field, and never holds a value that may be a secret."""
    with pytest.raises(PaneArgumentError) as caught:
        read_spec({"pane": "anoman/chat/gpt-4o-mini", **fields}, BUILT_IN)
    assert said in str(caught.value)
    assert "sk-secret-1" not in str(caught.value)


def test_a_run_names_only_what_was_asked_of_one_pane_alone() -> None:
    """Claim: the state of a pane tells of parameters and a system prompt where they are not those of the run."""
    head = RunHead("r", "2026-01-01T00:00:00Z", PROMPT, Params(max_tokens=50))
    alike = head.begin(PaneSpec(TARGET).request(PROMPT, head.params))
    assert (alike.params, alike.system) == (None, None)
    other = head.begin(PaneSpec(TARGET, Params(temperature=0.5), "").request(PROMPT, head.params))
    assert (other.params, other.system) == (Params(0.5, 50), "")
