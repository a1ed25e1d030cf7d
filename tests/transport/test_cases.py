"""The stream cases over real sockets: 142 responses as servers really send them, each with its right reading."""

import asyncio
import base64
import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.request import Prompt, Request
from anoman_tui.core.target import Shape
from tests.support import a_target
from tests.transport.client import Recorder, a_network
from tests.transport.server import Script, Server, Talk

CASES_DIR = Path(__file__).resolve().parent.parent / "cases"
SHAPES = {
    "openai-chat": Shape.CHAT,
    "openai-responses": Shape.RESPONSES,
    "anthropic-messages": Shape.MESSAGES,
    "gemini": Shape.GEMINI,
    "anoman-playground": Shape.PLAYGROUND,
}
IDS = sorted(file.parent.name for file in CASES_DIR.glob("*/case.json"))
AT_ONCE = 24


@cache
def case(case_id: str) -> Mapping[str, Any]:
    """A case's data."""
    data: Mapping[str, Any] = json.loads((CASES_DIR / case_id / "case.json").read_text("ascii"))
    return data


def script(data: Mapping[str, Any]) -> Script:
    """The case as a server plays it."""

    async def play(talk: Talk) -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        await talk.head_of(data["status"], data["headers"])
        for chunk in data["chunks"]:
            wait = start + chunk["at_ms"] / 1000 - loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            await talk.send(base64.b64decode(chunk["bytes_b64"]))
        match data["close"]:
            case "reset":
                talk.reset()
            case "stall":
                await talk.until_left()
            case _:
                await talk.end()

    return play


@pytest.fixture(scope="module")
def records() -> dict[str, dict[str, Any]]:
    """Every case's pane record, streamed several at a time through one network."""
    server, network = Server(), a_network(idle_s=1.0)
    made: dict[str, dict[str, Any]] = {}
    for first in range(0, len(IDS), AT_ONCE):
        running = []
        for case_id in IDS[first : first + AT_ONCE]:
            target = a_target(SHAPES[case(case_id)["shape"]], root=server.url(case_id, script(case(case_id))))
            recorder = Recorder()
            network.open(Request(target, Prompt("Say something.")), recorder)
            running.append((case_id, target, recorder))
        made |= {case_id: pane_record(recorder.state(target), 1) for case_id, target, recorder in running}
    network.close()
    server.close()
    return made


def observed(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record in the terms of a case's `expect`."""
    tokens = record["usage"] if record["usage"]["source"] == "reported" else {}
    cached = record["outcome"] == "completed" and record["served_from"] == "json"
    return {
        "outcome": "cache_hit" if cached else record["outcome"],
        "text": record["text"],
        "reasoning": record["reasoning"] or None,
        "finish_reason": record["finish_reason"],
        "input_tokens": tokens.get("input_tokens"),
        "output_tokens": tokens.get("output_tokens"),
        "cached_tokens": tokens.get("cached_tokens"),
        "cost_usd": record["cost"]["usd"] if record["cost"]["source"] == "gateway" else None,
        "guardrails": (record["gateway"] or {}).get("guardrails"),
    }


def same(field: str, want: Any, got: Any) -> bool:
    """Whether a value is the one that is wanted; costs are compared as numbers."""
    if field == "cost_usd" and want is not None and got is not None:
        try:
            return isinstance(got, str) and Decimal(want) == Decimal(got)
        except InvalidOperation:
            return False
    return (field == "guardrails" and want == {} and got is None) or (want == got and type(want) is type(got))


def test_all_cases_are_here() -> None:
    """Claim: there are 142 cases."""
    assert len(IDS) == 142


@pytest.mark.parametrize("case_id", IDS)
def test_a_case_reads_as_it_should(case_id: str, records: dict[str, dict[str, Any]]) -> None:
    """Claim: over a real socket each case gives the outcome, texts, counts, cost and error that its `expect` says."""
    expect = case(case_id)["expect"]
    record = json.loads(json.dumps(records[case_id], default=float))
    got = observed(records[case_id])
    for field, value in got.items():
        wanted = expect.get("accept", {}).get(field, [expect[field]])
        if field == "guardrails":
            value = record["gateway"] and record["gateway"].get("guardrails")
        assert any(same(field, want, value) for want in wanted), f"{field}: {value!r}; {expect['why']}"
    error, everything = (json.dumps(part, ensure_ascii=False) for part in (record["error"], record))
    for word in expect.get("error_contains") or []:
        assert str(word).lower() in error.lower()
    for word in expect.get("must_show") or []:
        assert json.dumps(word, ensure_ascii=False)[1:-1] in everything
