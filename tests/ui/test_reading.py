"""Finding in a pane, and scrolling panes together."""

import re

import pytest

from anoman_tui.ui.document.document import AnswerDocument
from anoman_tui.ui.document.finding import Finder
from anoman_tui.ui.document.lines import line_text
from anoman_tui.ui.screens.compare import CompareScreen
from anoman_tui.ui.widgets.findbar import FindBar
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import ask, draw, frame, make_app


def found(document: AnswerDocument, query: str) -> list[str]:
    """The marked text of each match, pieces of wrapped lines joined by a bar."""
    finder = Finder(document)
    finder.search(query, 0)
    texts = [""] * len(finder)
    for y in range(len(document)):
        for start, end, number in finder.spans(y):
            texts[number] += ("|" if texts[number] else "") + line_text(document.line(y))[start:end]
    return texts


def a_document(text: str, width: int = 20) -> AnswerDocument:
    """A finished answer."""
    document = AnswerDocument(width)
    document.push_answer(text)
    document.finish()
    return document


def test_small_letters_find_all_and_a_capital_only_itself() -> None:
    """As in readers of long texts."""
    document = a_document("Lock, lock and LOCK.")
    assert found(document, "lock") == ["Lock", "lock", "LOCK"]
    assert found(document, "Lock") == ["Lock"]
    assert found(document, "") == found(document, "  ") == found(document, "nowhere") == []
    assert found(a_document("a.c abc"), "a.c") == ["a.c"]


def test_a_wrapped_text_is_found() -> None:
    """Over the ends of rows, in quotes and lists, in long words and wide letters."""
    document = a_document("> one two three four five six seven\n\n- a list that is wrapped here and there\n\n" + "x" * 30)
    assert ["".join(one.split("|")) for one in found(document, "wrapped here")] in (["wrapped here"], ["wrappedhere"])
    assert len(found(document, "three four five")) == 1
    assert found(document, "x" * 30)[0].replace("|", "") == "x" * 30
    assert found(a_document("漢字" * 20), "字漢")[0] in ("字漢", "字|漢")


def test_what_grows_is_searched_from_where_it_changed() -> None:
    """The same as searching the whole anew, at every step."""
    document = AnswerDocument(24)
    finder = Finder(document)
    finder.search("lock", 0)
    text = "A lock, a **lock** and\n\n```\nlock = Lock()\n```\n\n| a | lock |\n|---|---|\n| lock | b |\n\n1. lock\n2. unlock the lock\n" * 3
    for at in range(0, len(text), 7):
        document.push_answer(text[at : at + 7])
        dirty = document.take_dirty()
        if dirty is not None:
            finder.update(dirty)
        anew = Finder(document)
        anew.search("lock", 0)
        assert finder.lines == anew.lines
        assert all(finder.spans(y) == anew.spans(y) for y in range(len(document)))
    assert len(finder) == len(re.findall("lock", text, re.IGNORECASE))


@pytest.mark.parametrize("query", ["[bold]", "\\", "(", "漢字"])
def test_any_query_is_a_plain_text(query: str) -> None:
    """No pattern, no markup."""
    assert found(a_document(f"before `{query}` after"), query) == [query]


async def test_finding() -> None:
    """`/`, typing, the arrows, Enter, n and N, and Esc, which unmarks before it stops anything."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await pilot.press("escape", "n")
        assert any("nothing is looked for" in str(one.message) for one in app._notifications)
        await ask(pilot)
        for one in network.streams:
            one.open()
            one.text("".join(f"word{n % 50}\n\n" for n in range(150)))
        await draw(pilot)
        await pilot.press("escape", "slash", *"word7")
        await wait_until(pilot, lambda: isinstance(app.focused, FindBar))
        answer = app.compare.answer
        await wait_until(pilot, lambda: len(answer.finder) == 3)
        assert answer.finder.at == 0
        await wait_until(pilot, lambda: any("/word7 1 of 3" in row for row in frame(pilot)))
        await pilot.press("down")
        await wait_until(pilot, lambda: answer.finder.at == 1)
        await pilot.press("up", "enter")
        await wait_until(pilot, lambda: app.focused is answer)
        places = [answer.finder.at]
        for key in ("n", "n", "N"):
            await pilot.press(key)
            places.append(answer.finder.at)
        assert places == [0, 1, 2, 1]
        assert not answer.follow
        network.streams[0].text("word7 again\n\n")
        await draw(pilot)
        assert len(answer.finder) == 4
        await pilot.press("2", "n")
        other = app.compare.answer
        assert (other is answer, len(other.finder)) == (False, 3)
        await pilot.press("escape")
        assert (len(other.finder), len(answer.finder), network.streams[1].cancelled) == (0, 4, 0)
        await pilot.press("1", "slash", "x", "escape")
        await wait_until(pilot, lambda: app.focused is answer)
        assert (len(answer.finder), app.compare.findbar.display) == (0, False)
        await pilot.press("escape")
        assert network.streams[0].cancelled == 1


async def test_scrolling_together() -> None:
    """`L` pulls the others along in proportion, and says so; again each scrolls by itself."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await ask(pilot)
        for number, one in enumerate(network.streams, 1):
            one.open()
            one.text("line\n\n" * 100 * number)
        await draw(pilot)
        answers = [pane.answer for pane in app.compare.stage.panes]
        await pilot.press("escape", "g", "L")
        assert [one.top for one in answers] == [0, 0, 0]
        assert "scrolling together" in frame(pilot)[0]
        await pilot.press("pagedown", "pagedown")
        await wait_until(pilot, lambda: answers[2].top > 0)
        shares = [one.top / one.max_top for one in answers]
        assert max(shares) - min(shares) < 0.02
        await pilot.press("G")
        await wait_until(pilot, lambda: all(one.follow for one in answers))
        await pilot.press("L", "g")
        assert [one.top == 0 for one in answers] == [True, False, False]


async def test_scrolling_from_the_palette() -> None:
    """Actions of the text itself are in the palette, too."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await ask(pilot)
        network.streams[0].text("line\n\n" * 100)
        await draw(pilot)
        top = app.compare.answer.top
        command = next(one for one in app.get_system_commands(app.screen) if one.title == "Scroll up a page")
        await command.callback()
        assert app.compare.answer.top < top
        assert isinstance(app.screen, CompareScreen)
