"""Dialogs: filling in, choosing by typing, what is wrong, and the sizes."""

import pytest
from textual.pilot import Pilot

from anoman_tui.ui.screens.dialog import Ask, Dialog, FieldError
from anoman_tui.ui.widgets.fields import LineField, PickField, TextField
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import frame, make_app, the_app


class Sample(Dialog[dict[str, str]]):
    """One field of each kind."""

    def __init__(self) -> None:
        rows = (
            PickField("fruit", "Fruit", "apple", ("apple", "apricot", "banana", "blackberry"), free=False),
            PickField("colour", "Colour", "", [f"colour-{n}" for n in range(400)], "type to search", free=True),
            LineField("size", "Size", "3"),
            TextField("note", "Note", "", "anything"),
        )
        super().__init__("Sample", rows, accept="accepts", about="What do you want?")

    def read(self) -> dict[str, str]:
        """A size must be a number."""
        if not self.text("size").isdigit():
            raise FieldError("the size is no number: give one such as 3", "size")
        return {name: self.text(name) for name in self.fields}


async def opened(pilot: Pilot[None]) -> tuple[Sample, list[dict[str, str] | None]]:
    """Open one; the list gets what it was closed with."""
    dialog = Sample()
    results: list[dict[str, str] | None] = []
    the_app(pilot).push_screen(dialog, results.append)
    await wait_until(pilot, lambda: dialog.is_mounted and dialog.focused is not None)
    return dialog, results


async def test_filling_in() -> None:
    """Typing finds choices, Up and Down take them, Tab completes and goes on, Enter accepts, and what is wrong keeps it open."""
    async with make_app(FakeNetwork()).run_test(size=(80, 24)) as pilot:
        dialog, results = await opened(pilot)
        fruit = dialog.fields["fruit"]
        assert isinstance(fruit, PickField)
        assert fruit.list.option_count == 4
        await pilot.press("b", "l")
        assert [str(option.prompt) for option in fruit.list.options] == ["blackberry"]
        await pilot.press("tab")
        assert dialog.text("fruit") == fruit.line.value == "blackberry"
        assert not fruit.list.display
        await pilot.press("3", "9", "9", "down")
        assert dialog.text("colour") == "colour-399"
        await pilot.press("tab", *"x", "enter")
        assert "the size is no number" in "\n".join(frame(pilot))
        assert not results
        await pilot.press("home", "delete", "4", "tab", *"two")
        assert "^S accepts · Enter new line" in "\n".join(frame(pilot)), "the frame names what Enter does in this field"
        await pilot.press("enter", *"lines", "shift+tab")
        assert "Enter or ^S accepts" in "\n".join(frame(pilot))
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: bool(results))
        assert results == [{"fruit": "blackberry", "colour": "colour-399", "size": "4", "note": "two\nlines"}]


async def test_cancel_and_ask() -> None:
    """Esc gives None, and a question is answered by Enter or Esc."""
    async with make_app(FakeNetwork()).run_test(size=(60, 12)) as pilot:
        _, results = await opened(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: results == [None])
        answers: list[bool | None] = []
        for key in ("enter", "escape"):
            ask = Ask("Replace", "There is one already. Replace it?", "replaces")
            the_app(pilot).push_screen(ask, answers.append)
            await wait_until(pilot, lambda: isinstance(the_app(pilot).screen, Ask) and the_app(pilot).screen.is_mounted)
            await pilot.press(key)
        await wait_until(pilot, lambda: answers == [True, None])


@pytest.mark.parametrize("size", [(60, 12), (80, 24), (200, 60)])
async def test_sizes(size: tuple[int, int]) -> None:
    """Every field can be reached and seen at every size, with the frame and the keys around it."""
    async with make_app(FakeNetwork()).run_test(size=size) as pilot:
        dialog, _ = await opened(pilot)
        for field in dialog.fields.values():
            await pilot.pause()
            rows = frame(pilot)
            assert any(field.label in row for row in rows)
            assert any("Esc cancels" in row for row in rows)
            assert any("Sample" in row for row in rows)
            await pilot.press("tab")
