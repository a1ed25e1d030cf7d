"""Conversations: what goes before the next prompt, how it is told, and how it ends."""

from textual.pilot import Pilot

from anoman_tui.core.request import Request
from anoman_tui.core.shapes import http_request
from tests.ui.fakes import FakeNetwork, FakeStream, wait_until
from tests.ui.scenes import UPSTREAM_ERROR, ask, draw, frame, make_app, the_app
from tests.ui.test_replaying import WORDS, FakeShelf, at_its_end, play

FIVE = (
    "local_anoman/chat/m",
    "local_anypath/responses/m",
    "local_anoman/messages/m",
    "local_anypath/gemini/m",
    "local_anoman/playground/m",
)


def said(pilot: Pilot[None]) -> str:
    """The newest notice."""
    return str(list(the_app(pilot)._notifications)[-1].message)


def asked(streams: list[FakeStream]) -> list[tuple[tuple[str, str], ...]]:
    """The turns that each of the streams was sent."""
    return [one.request.prompt.turns for one in streams]


async def answer(pilot: Pilot[None], network: FakeNetwork, *texts: str | None) -> None:
    """Let the newest streams answer; None fails."""
    for stream, text in zip(network.last(len(texts)), texts, strict=True):
        stream.open()
        if text is None:
            stream.fail(UPSTREAM_ERROR)
        else:
            stream.text(text)
            stream.finish()
    await draw(pilot)


async def test_all_panes_go_on_from_one_answer_until_it_is_ended() -> None:
    """Claim: c puts the pane's turns before the next prompt of all panes, each send adds one, and a retry keeps them."""
    network = FakeNetwork()
    async with make_app(network).run_test(size=(120, 40)) as pilot:
        compare = the_app(pilot).compare
        await pilot.press("escape", "c")
        assert said(pilot) == "pane 1 has no answer to continue"
        await ask(pilot, "one")
        await answer(pilot, network, "a1", "b1", "c1")
        await pilot.press("escape", "2", "c")
        assert compare.focused is compare.editor
        assert "goes on from pane 2's answer in all panes; c in that pane ends it" in said(pilot)
        assert any("▸prompt · continues pane 2 · 1 turn" in row for row in frame(pilot))
        await ask(pilot, "two")
        first = (("user", "one"), ("assistant", "b1"), ("user", "two"))
        assert asked(network.streams[3:]) == [first] * 3
        assert sum(row.count("turn 2 › two") for row in frame(pilot)) == 3
        await answer(pilot, network, "a2", "b2", "c2")
        assert any("continues pane 2 · 2 turns" in row for row in frame(pilot))
        await pilot.press("escape", "1", "r")
        assert asked(network.streams[6:]) == [first]
        network.streams[6].finish()
        await draw(pilot)
        await pilot.press("R")
        assert asked(network.streams[7:]) == [first] * 3
        await answer(pilot, network, "a3", "b3", "c3")
        await ask(pilot, "three")
        assert asked(network.streams[10:]) == [(*first, ("assistant", "b3"), ("user", "three"))] * 3
        await answer(pilot, network, "a4", "b4", "c4")
        await pilot.press("escape", "2", "c")
        assert said(pilot) == "the conversation is ended: the next prompt begins anew"
        assert not any("continues" in row for row in frame(pilot))
        await ask(pilot, "anew")
        assert asked(network.streams[13:]) == [(("user", "anew"),)] * 3
        assert not any("turn 2" in row for row in frame(pilot))


async def test_each_pane_goes_on_from_its_own_answer() -> None:
    """Claim: C does; a pane without an answer keeps what it had and is named; partial answers are named as such."""
    network = FakeNetwork()
    async with make_app(network).run_test(size=(120, 40)) as pilot:
        await ask(pilot, "one")
        await answer(pilot, network, "a1", "b1", None)
        await pilot.press("escape", "C")
        assert "pane 3 has no answer and begins anew; C ends it" in said(pilot)
        assert any("each pane continues · 0 to 1 turns" in row for row in frame(pilot))
        await ask(pilot, "two")
        sent = asked(network.streams[3:])
        assert [turns[:-1] for turns in sent] == [(("user", "one"), ("assistant", "a1")), (("user", "one"), ("assistant", "b1")), ()]
        await answer(pilot, network, "a2", None, "c2")
        await ask(pilot, "three")
        assert "pane 2 has no answer to the last prompt and goes on without it" in said(pilot)
        assert [turns[:-1] for turns in asked(network.streams[6:])] == [
            (*sent[0], ("assistant", "a2")),
            (("user", "one"), ("assistant", "b1")),
            (("user", "two"), ("assistant", "c2")),
        ]
        for stream in network.streams[6:]:
            stream.text("half")
        await pilot.press("escape", "X")
        await draw(pilot)
        await pilot.press("3", "c")
        assert "goes on from pane 3's partial answer in all panes" in said(pilot)
        assert any("continues pane 3 (partial) · 2 turns" in row for row in frame(pilot))
        await pilot.press("escape", "C")
        assert "some of them partial" in said(pilot)
        await pilot.press("escape", "C")
        assert said(pilot).startswith("the conversation is ended")


async def test_a_conversation_waits_for_its_answer() -> None:
    """Claim: what has no answer is not sent behind, nothing typed is lost, and a pane that went away ends the conversation."""
    network = FakeNetwork()
    async with make_app(network).run_test(size=(120, 40)) as pilot:
        compare = the_app(pilot).compare
        await ask(pilot, "one")
        await pilot.press("escape", "2", "c")
        assert any("continues pane 2 · 0 turns" in row for row in frame(pilot))
        await answer(pilot, network, "a1", None, "c1")
        await ask(pilot, "two")
        assert "pane 2 has no answer to continue: in it, r sends its prompt again and c ends the conversation" in said(pilot)
        assert compare.editor.text == "two"
        assert len(network.streams) == 3
        await pilot.press("escape", "r")
        await answer(pilot, network, "b1")
        assert any("continues pane 2 · 1 turn" in row for row in frame(pilot))
        compare.board.slots.pop(1)
        await compare.fit_panes()
        await pilot.pause()
        assert not any("continues" in row for row in frame(pilot))
        await ask(pilot, "two")
        assert "is gone, so the conversation is ended" in said(pilot)
        await ask(pilot, "two")
        assert asked(network.streams[4:]) == [(("user", "two"),)] * 2


async def test_turns_stand_in_every_shapes_request() -> None:
    """Claim: the second request holds the first prompt and its answer in the place and under the roles of its shape."""
    network = FakeNetwork()
    async with make_app(network, FIVE).run_test(size=(200, 60)) as pilot:
        await ask(pilot, "one")
        await answer(pilot, network, *["first answer"] * 5)
        await pilot.press("escape", "1", "c")
        await ask(pilot, "two")
        chat, responses, messages, gemini, playground = (body(one.request) for one in network.streams[5:])
        plain = [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "first answer"},
            {"role": "user", "content": "two"},
        ]
        assert [chat["messages"], responses["input"], messages["messages"], playground["messages"]] == [plain] * 4
        assert gemini["contents"] == [
            {"role": role, "parts": [{"text": text}]} for role, text in [("user", "one"), ("model", "first answer"), ("user", "two")]
        ]


def body(request: Request) -> dict[str, object]:
    """The body that would be sent."""
    return dict(http_request(request, None).body)


async def test_a_recorded_conversation_goes_on() -> None:
    """Claim: c in a recording leaves it and goes on from what was said there, turns before it included; C does so in each pane."""
    network = FakeNetwork()
    shelf = FakeShelf(panes=2)
    app = make_app(network, ("openai/chat/model-9", "openai/chat/model-2"), recordings=shelf)
    recorded = (("user", "Explain race conditions"), ("assistant", "".join(WORDS)))
    async with app.run_test(size=(100, 30)) as pilot:
        await play(pilot)
        await at_its_end(pilot)
        await pilot.press("2", "c")
        await wait_until(pilot, lambda: app.compare.player is None)
        await wait_until(pilot, lambda: any("continues pane 2 · 1 turn" in row for row in frame(pilot)))
        await ask(pilot, "two")
        assert asked(network.streams) == [(*recorded, ("user", "two"))] * 2
        await answer(pilot, network, "left", "right")
        await ask(pilot, "three")
        assert asked(network.streams[2:]) == [(*recorded, ("user", "two"), ("assistant", "right"), ("user", "three"))] * 2
        await answer(pilot, network, "a", "b")
        await play(pilot)
        await at_its_end(pilot)
        await pilot.press("C")
        await wait_until(pilot, lambda: app.compare.player is None)
        await ask(pilot, "four")
        assert asked(network.streams[4:]) == [(*recorded, ("user", "four"))] * 2
