"""Pane sets that were saved on the screen, on the command line."""

from pathlib import Path

import pytest

from anoman_tui.compose import Composition
from anoman_tui.config import Settings
from anoman_tui.core.panes import PaneSpec, read_spec
from anoman_tui.core.request import Params
from anoman_tui.problems import ConfigError
from anoman_tui.screen import Start, key_problem_of, setup_of
from anoman_tui.ui.memory import Memory


@pytest.fixture
def composition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Composition:
    """One whose state is in a folder of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return Composition(Settings(), {})


def start(name: str, *panes: str, params: Params | None = None, system: str | None = None) -> Start:
    """A command line with `--set`."""
    return Start(panes, name, "", send=False, system=system, params=params or Params())


def test_a_saved_set_opens_by_its_name(composition: Composition) -> None:
    """Claim: `--set` gives the panes with all that is their own and for all of them, and options of the command line go before."""
    own = {"pane": "openai/chat/m", "temperature": 0.1, "stop": ["\n"], "system": "", "headers": {"x-team": "blue"}}
    composition.sets.save("Mine", [own, "anypath/gemini/g"], params={"temperature": 0.9, "max_tokens": 5}, system="Be brief.")
    setup, memory, _ = setup_of(composition, start("mine"), Memory())
    assert [spec.as_dict() for spec in setup.panes] == [own, {"pane": "anypath/gemini/g"}]
    assert (setup.params, setup.system) == (Params(0.9, 5), "Be brief.")
    assert memory.panes == (own, "anypath/gemini/g")
    setup, _, _ = setup_of(composition, start("mine", "ollama/chat/o", params=Params(max_tokens=7), system="No."), Memory())
    assert len(setup.panes) == 3
    assert (setup.params, setup.system) == (Params(0.9, 7), "No.")


def test_what_cannot_be_opened(composition: Composition) -> None:
    """Claim: a name that is not there and a shape that the provider lacks end before anything is opened, each with one sentence."""
    composition.sets.save("old", ["anthropic/chat/m"])
    for name, says in {"none": "there is no pane set 'none'", "old": "anthropic does not offer the shape chat"}.items():
        with pytest.raises(ConfigError, match=says):
            setup_of(composition, start(name), Memory())


def test_a_missing_key_is_known_before_sending(composition: Composition) -> None:
    """Claim: the sentence is the one of a failed send; a target that gets no key needs none."""

    def problem(pane: str) -> str:
        spec: PaneSpec = read_spec(pane, composition.providers)
        return key_problem_of(composition, spec)

    assert problem("openai/chat/m") == "OpenAI: there is no key; set $OPENAI_API_KEY"
    assert problem("local_anoman/chat/m") == problem("ollama/chat/m") == problem("openai/chat/m@http://127.0.0.1:1") == ""
