"""The bodies that this program sends in a conversation, as the embedded gateway reads them."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Prompt, Request
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import parse_pane
from anoman_tui.emulator.ask import Ask, Turn
from anoman_tui.emulator.engines.scripted import ScriptedUpstream
from anoman_tui.emulator.models import MODELS
from anoman_tui.emulator.parse import parse_chat, parse_gemini, parse_messages, parse_responses

FIRST = (("user", "Why is the sky blue?"), ("assistant", "Because of scattering."))
MODEL = "scripted-fast"
Parse = Callable[[Mapping[str, Any]], Ask]
READERS: dict[str, Parse] = {
    "local_anoman/chat": lambda body: parse_chat(body, "anoman"),
    "local_anoman/playground": lambda body: parse_chat(body, "anoman", "playground"),
    "local_anoman/messages": lambda body: parse_messages(body, "anoman"),
    "local_anypath/responses": lambda body: parse_responses(body, "anypath"),
    "local_anypath/gemini": lambda body: parse_gemini(body, "anypath", MODEL, stream=True, sse=True),
}


@pytest.mark.parametrize("pane", READERS)
def test_a_second_turn_is_understood_in_every_shape(pane: str) -> None:
    """Claim: the gateway sees all turns in order under their roles, with the system prompt apart, and counts the tokens of all."""
    target = parse_pane(f"{pane}/{MODEL}", BUILT_IN)

    def read(history: tuple[tuple[str, str], ...]) -> Ask:
        prompt = Prompt("And red in the evening?", "Be brief.", history)
        return READERS[pane](http_request(Request(target, prompt), None).body)

    second = read(FIRST)
    assert second.turns == tuple(Turn(role, text) for role, text in (*FIRST, ("user", "And red in the evening?")))
    assert (second.system, second.prompt) == ("Be brief.", "And red in the evening?")
    spec = MODELS[MODEL]
    assert ScriptedUpstream(second, spec, 0).input_tokens > ScriptedUpstream(read(()), spec, 0).input_tokens + 8
