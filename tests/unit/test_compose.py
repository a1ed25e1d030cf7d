"""The composition root: targets and keys out of settings, and what one pane may do to another."""

import asyncio
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from anoman_tui.compose import LOCAL_KEY, Composition
from anoman_tui.config import Settings
from anoman_tui.core.target import Target
from anoman_tui.problems import ConfigError, MissingKeyError
from tests.support import a_request


def compose(environ: dict[str, str] | None = None, **settings: Any) -> Composition:
    """A composition that sees only these variables and settings."""
    return Composition(Settings(**settings), environ or {})


def targets(composition: Composition, panes: list[str], set_name: str | None) -> list[Target]:
    """The targets of the panes."""
    return [spec.target for spec in composition.setup(panes, set_name).panes]


def names(composition: Composition, *panes: str) -> list[str]:
    """The targets' names."""
    return [target.name for target in targets(composition, list(panes), None)]


def test_with_no_key_the_panes_are_local() -> None:
    """Claim: with no key one model is asked through three shapes of the embedded gateway."""
    made = names(compose())
    assert [name.rpartition("/")[0] for name in made] == ["local_anoman/chat", "local_anypath/responses", "local_anoman/messages"]
    assert len({name.rpartition("/")[2] for name in made}) == 1


def test_with_a_key_the_panes_are_its_gateways() -> None:
    """Claim: a key chooses its gateway's shapes, and both keys give one model on both."""
    assert all(name.startswith("anoman/") for name in names(compose({"ANOMAN_API_KEY": "a"})))
    assert all(name.startswith("anypath/") for name in names(compose({"ANYPATH_API_KEY": "a"})))
    both = names(compose({"ANOMAN_API_KEY": "a", "ANYPATH_API_KEY": "b"}))
    assert {name.partition("/")[0] for name in both} == {"anoman", "anypath"}
    assert len({name.rpartition("/")[2] for name in both}) == 1


def test_panes_and_sets() -> None:
    """Claim: panes of the command line go before those of the settings; a set comes before the panes beside it."""
    composition = compose(sets={"two": ["anoman/chat/a", "anypath/chat/b"]}, panes=["openai/chat/c"])
    assert names(composition) == ["openai/chat/c"]
    assert names(composition, "google/gemini/d") == ["google/gemini/d"]
    assert [target.name for target in targets(composition, ["openai/chat/c"], "two")] == [
        "anoman/chat/a",
        "anypath/chat/b",
        "openai/chat/c",
    ]
    with pytest.raises(ConfigError, match=r"--set three: .*two"):
        targets(composition, [], "three")
    with pytest.raises(ConfigError, match="neither a provider"):
        names(composition, "gpt-4o")


def test_a_key_that_is_missing_is_told_before_anything_is_sent() -> None:
    """Claim: a target whose provider has no key names the variable; a bare and a local target need none."""
    composition = compose()
    with pytest.raises(MissingKeyError, match=r"OpenAI: there is no key; set \$OPENAI_API_KEY"):
        composition.check_keys(targets(composition, ["openai/chat/m"], None))
    composition.check_keys(
        targets(composition, ["chat/m@http://127.0.0.1:1", "local_anoman/chat/m", "openai/chat/m@http://127.0.0.1:1"], None)
    )


async def test_a_request_of_a_provider_bears_its_key() -> None:
    """Claim: the prepared request has the key of the provider, and a bare one has none."""
    composition = compose({"OPENAI_API_KEY": "sk-1"})
    keyed, bare = targets(composition, ["openai/chat/m", "chat/m@http://127.0.0.1:1"], None)
    request = await composition.prepare(a_request(keyed))
    assert request.key is not None
    assert request.key.reveal() == "sk-1"
    assert (await composition.prepare(a_request(bare))).key is None


class Gateway:
    """An embedded gateway that comes up when the test says so."""

    def __init__(self) -> None:
        self.ready: Future[Any] = Future()


async def test_stopping_one_pane_while_the_gateway_starts_leaves_the_others() -> None:
    """Claim: a pane that is stopped while it waits for the embedded gateway does not stop the start, nor the other panes."""
    composition = compose()
    gateway = composition._gateway = Gateway()
    first, second, _ = targets(composition, [], None)
    waiting = [asyncio.create_task(composition.prepare(a_request(target))) for target in (first, second)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not gateway.ready.cancelled()
    gateway.ready.set_result(
        SimpleNamespace(anoman="http://127.0.0.1:1/anoman", anypath="http://127.0.0.1:1/anypath", engine="x", engine_reason="")
    )
    request = await waiting[1]
    assert request.url == "http://127.0.0.1:1/anypath/v1/responses"
    assert request.key is None or request.key is LOCAL_KEY
    with pytest.raises(asyncio.CancelledError):
        await waiting[0]


async def test_a_gateway_that_does_not_start_is_told() -> None:
    """Claim: a failed start is a setup failure with the gateway's own sentence."""
    from anoman_tui.transport.failures import SetupError

    composition = compose()
    gateway = composition._gateway = Gateway()
    assert composition.gateway_note() == "LOCAL gateway is starting"
    gateway.ready.set_exception(RuntimeError("no port"))
    (target, *_) = targets(composition, [], None)
    with pytest.raises(SetupError, match="did not start: no port"):
        await composition.prepare(a_request(target))
    assert composition.gateway_note() == "LOCAL gateway failed: no port"
