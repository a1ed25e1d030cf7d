"""One model through the shapes of its provider."""

import pytest

from anoman_tui.core.panes import PaneSpec, read_spec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.triad import is_triad, triad


def spec(pane: str) -> PaneSpec:
    """A pane with something of its own."""
    return read_spec({"pane": pane, "temperature": 0.3}, BUILT_IN)


@pytest.mark.parametrize(
    ("pane", "shapes"),
    [
        ("anoman/messages/m", ["chat", "messages", "playground"]),
        ("anypath/responses/m", ["responses", "chat", "messages"]),
        ("anypath/gemini/m", ["responses", "chat", "gemini"]),
        ("anypath/gemini/gemini-2.5-flash", ["responses", "messages", "gemini"]),
        ("anypath/chat/gemini-2.5-flash", ["responses", "chat", "messages"]),
        ("openai/chat/m", ["chat", "responses"]),
        ("anthropic/messages/m", ["messages"]),
        ("chat/m@http://127.0.0.1:1", ["chat", "responses", "messages"]),
    ],
)
def test_up_to_three_shapes(pane: str, shapes: list[str]) -> None:
    """Claim: the pane's own shape is among them, one that cannot work gives way, and nothing but the shape differs."""
    one = spec(pane)
    panes = triad(one)
    assert [made.target.shape.value for made in panes] == shapes
    assert one in panes
    assert {(made.target.model, made.target.base_url, made.params) for made in panes} == {
        (one.target.model, one.target.base_url, one.params)
    }
    assert is_triad(panes) is (len(panes) > 1)


def test_what_is_none() -> None:
    """Claim: another model, another provider, the same shape twice, or other parameters are no triad."""
    first = spec("anoman/chat/m")
    for other in ("anoman/messages/n", "anypath/messages/m", "anoman/chat/m"):
        assert not is_triad([first, spec(other)])
    assert not is_triad([first, read_spec("anoman/messages/m", BUILT_IN)])
    assert not is_triad([])
