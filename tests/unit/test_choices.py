"""What is told of a choice before it is sent, and the lists of models."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.choices import choice_problems
from anoman_tui.core.model_list import NoModelsError, models_path
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params
from anoman_tui.core.target import Target, parse_pane
from anoman_tui.history.models import ModelLists


def problems(pane: str, **params: Any) -> str:
    """What is said of a pane."""
    return "; ".join(choice_problems(parse_pane(pane, BUILT_IN), Params(**params)))


@pytest.mark.parametrize(
    ("pane", "says"),
    [
        ("anypath/responses/gpt-image-1", "does not stream image models"),
        ("anypath/chat/openai/dall-e-3", "does not stream image models"),
        ("local_anypath/messages/imagen-4", "does not stream image models"),
        ("anypath/chat/gemini-2.5-flash", "choose the shape gemini"),
        ("anypath/chat/google/gemini-2.5-pro", "choose the shape gemini"),
        ("anoman/chat/m@http://127.0.0.1:1", "sent without one"),
    ],
)
def test_what_cannot_work_is_told(pane: str, says: str) -> None:
    """Claim: what AnyPath's page rules out is told with what to choose, and so is a key that stays at home."""
    assert says in problems(pane)


@pytest.mark.parametrize(
    "pane",
    [
        "anypath/gemini/gemini-2.5-flash",
        "anypath/responses/gpt-4o-mini",
        "anypath/chat/gpt-4o-mini",
        "anoman/chat/gemini-2.5-flash",
        "openai/responses/gpt-image-1",
        "anypath/chat/imagine-7b",
        "anypath/chat/my-gemini",
        "chat/m@http://127.0.0.1:1",
        "ollama/chat/m@http://127.0.0.1:1",
    ],
)
def test_what_may_work_is_not_doubted(pane: str) -> None:
    """Claim: no other gateway, shape or name is held to AnyPath's rules."""
    assert problems(pane, temperature=1.0, max_tokens=5, effort="low") == ""


def test_parameters_that_a_shape_does_not_take() -> None:
    """Claim: a parameter that would not be sent, or not be taken, is told."""
    assert "stop is not sent" in problems("openai/responses/m", stop=("a",))
    assert "takes 0 to 1" in problems("anthropic/messages/m", temperature=1.5)
    assert "effort none" in problems("anthropic/messages/m", effort="none")
    assert "effort none" in problems("google/gemini/m", effort="none")
    assert problems("openai/chat/m", stop=("a",), temperature=2.0, effort="none") == ""


class Server:
    """Answers each question for models with the next document."""

    def __init__(self, *answers: tuple[int, Mapping[str, Any]] | OSError) -> None:
        self.answers = list(answers)

    def __call__(self, target: Target, path: str) -> tuple[int, Mapping[str, Any]]:
        """The next one."""
        assert path == models_path(target)
        answer = self.answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer


LIST = (200, {"data": [{"id": "b"}, {"id": "A\x1b[31m"}, {"id": ""}, {}, {"id": "b"}]})


def test_models_are_kept_for_the_session_and_for_a_day(tmp_path: Path) -> None:
    """Claim: one question an hour of a session, one a day on disk, and what is no list of ours is asked for again."""
    target, now = parse_pane("openai/chat/m", BUILT_IN), [1_000_000.0]
    lists = ModelLists(Server(LIST), tmp_path, lambda: now[0])
    assert lists(target) == lists(target) == ("A\u241b[31m", "b")
    assert ModelLists(Server(), tmp_path, lambda: now[0] + 86_399)(target) == ("A\u241b[31m", "b")
    assert ModelLists(Server((200, {"data": [{"id": "new"}]})), tmp_path, lambda: now[0] + 86_400)(target) == ("new",)
    (kept,) = tmp_path.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    for wrong in ("", "[]", "{", json.dumps({"at": 1_000_000, "models": ["x"]}), '{"at":"now"}'):
        kept.write_text(wrong)
        assert ModelLists(Server(LIST), tmp_path, lambda: now[0])(target)[-1] == "b"


def test_a_list_that_cannot_be_had(tmp_path: Path) -> None:
    """Claim: the sentence is told, nothing is kept of it, and a list of this machine's gateway is not kept on disk."""
    target = parse_pane("openai/chat/m", BUILT_IN)
    lists = ModelLists(Server(OSError("no way"), (401, {}), (200, {"data": []}), LIST), tmp_path)
    for says in ("no way", r"no model list \(HTTP 401\)", r"no model list \(HTTP 200\)"):
        with pytest.raises(NoModelsError, match=says):
            lists(target)
    assert lists(target)
    local = parse_pane("local_anoman/chat/m", BUILT_IN)
    assert ModelLists(Server(LIST), tmp_path / "local")(local)
    assert not (tmp_path / "local").exists()
