"""One model through several shapes, with and without streaming, and cold against warm, over real sockets."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from anoman_tui.core.comparing import compare
from anoman_tui.core.pane import PaneState
from anoman_tui.core.request import Request
from anoman_tui.core.target import Shape
from anoman_tui.core.twin import Hit, cache_hit, compare_pair, compare_twin, twin
from anoman_tui.transport.network import Network
from tests.contract.kit import PROMPT, a_gateway, a_target, run, stream


@pytest.fixture(scope="module")
def caching_root() -> Iterator[str]:
    """A gateway with a cache."""
    with a_gateway(0.02, cache=True) as url:
        yield url


def both(network: Network, root: str, gateway: str, shape: Shape, model: str) -> tuple[PaneState, PaneState]:
    """A stream and its twin."""
    request = Request(a_target(root, gateway, shape, model), PROMPT)
    return run(network, request), run(network, twin(request))


def test_one_model_through_three_shapes(root: str, network: Network) -> None:
    """Claim: of a healthy model only the words and the delivery differ, what is not sent makes no difference, and marks are kept."""
    states = [stream(network, a_target(root, "anypath", shape, "scripted-fast")) for shape in (Shape.CHAT, Shape.RESPONSES, Shape.GEMINI)]
    rows = {row.name: row for row in compare(states)}
    assert {name for name, row in rows.items() if row.differs} - {"reads", "first token", "total time", "headers"} == {"events"}
    assert rows["finish reason"].cells == ("stop=", "completed=", "STOP=")
    assert rows["finish reason"].says == "each shape has its own word for the same end"
    assert rows["cached"].cells == ("--", "0=", "--")
    assert rows["cost"].cells == ("--", "--", "--")
    assert rows["text"].cells[1:] == ("same", "same")
    assert all(cell.endswith("=") for cell in rows["input tokens"].cells)


def test_a_swapped_model_stands_out(root: str, network: Network) -> None:
    """Claim: a model that only the stream names wrongly is what differs between a stream and its twin."""
    made = compare_twin(*both(network, root, "anoman", Shape.CHAT, "fault-swapped-model"))
    assert made.verdict == "they differ in: served model"
    row = next(row for row in made.rows if row.name == "served model")
    assert row.cells == ("tiny-substitute-1≠", "fault-swapped-model=")
    assert row.says == "streamed: the served model is another than the one asked for"


def test_a_twin(root: str, network: Network) -> None:
    """Claim: a healthy stream and its twin are the same; what the page says differs is told with the page."""
    made = compare_twin(*both(network, root, "anoman", Shape.MESSAGES, "scripted-reasoning"))
    assert made.verdict == "the same with and without streaming, but for the delivery"
    names = [row.name for row in made.rows]
    assert [name for name in names if name.startswith("guardrail")] == [
        f"guardrail {n}" for n in ("injection", "pii", "moderation", "policy")
    ]
    pages = {remark.page: remark.text for remark in made.remarks}
    assert "100 seconds" in pages["Anoman streaming page, enable streaming"]
    assert "JSON answers only" in pages["Anoman streaming page, known limitations"]
    assert len(made.remarks) == 2


def test_a_twin_of_a_stream_that_fails(root: str, network: Network) -> None:
    """Claim: an uncertified channel answers without streaming alone, and the page for that is named."""
    made = compare_twin(*both(network, root, "anypath", Shape.CHAT, "scripted-uncertified"))
    assert made.verdict == "not both are whole: streamed failed and single completed"
    assert "AnyPath streaming page, overview" in [remark.page for remark in made.remarks]
    broken = compare_twin(*both(network, root, "anoman", Shape.CHAT, "fault-no-usage"))
    assert broken.verdict == "the same with and without streaming, but for the delivery"  # what is not sent differs from nothing


def test_a_cache_pair(caching_root: str, network: Network) -> None:
    """Claim: a hit of the gateway's cache is known by its metadata; a twin that hits it is said to tell nothing of streaming."""
    target = a_target(caching_root, "anoman", Shape.CHAT, "scripted-fast")
    cold, warm = stream(network, target), stream(network, target)
    made = compare_pair(cold, warm)
    assert made.verdict == "the gateway's cache answered the warm request: cache.hit is true in the gateway's metadata"
    rows = {row.name: row for row in made.rows}
    assert rows["cache"].cells == ("miss=", "hit=")
    assert rows["served as"].cells == ("stream", "JSON")
    assert rows["cost"].differs
    assert rows["text"].cells[1] == "same"
    assert cache_hit(cold, replace(warm, metadata=None))[0] is Hit.GATEWAY
    again = compare_pair(warm, warm)
    assert "it was not cold" in again.remarks[0].text
    single = run(network, twin(Request(target, PROMPT)))
    assert any("cache" in remark.text for remark in compare_twin(cold, single).remarks)
    other = a_target(caching_root, "anypath", Shape.CHAT, "scripted-fast")
    kind, how = cache_hit(stream(network, other), stream(network, other))
    assert (kind, how) == (Hit.UNKNOWN, "neither the gateway's metadata nor the usage says anything of a cache")
