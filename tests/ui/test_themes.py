"""Theme files: those that ship can be read, and a bad one never ends the program."""

import tomllib
from pathlib import Path

import pytest
from rich.color import Color
from textual.geometry import Region
from textual.theme import BUILTIN_THEMES

from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.themes import DEFAULT_THEME, ThemeFileError, load_themes, plain_toml, theme_of
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import METADATA, THEMES, THREE, UPSTREAM_ERROR, draw, frame, make_app, stream

SHIPPED = load_themes((THEMES,))
NAMES = [theme.name for theme in SHIPPED.themes]
LEAST_CONTRAST = 4.5
DRAWN = set("─│┃━┊┆╭╮╰╯▁▂▃▄▅▆▇█▔▕▏▎▌▐▊░▒▓┼├┤┬┴╺╸🔎 ")
"""Lines, blocks and the magnifying glass: they are no text."""

GOOD = (THEMES / "harbour.toml").read_text(encoding="utf-8")


def luminance(color: Color) -> float:
    """Relative luminance by WCAG 2."""
    parts = [part / 255 for part in color.get_truecolor()]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    """Contrast ratio by WCAG 2."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_what_ships() -> None:
    """At least six themes, the default one among them, at least one of them light, and none that Textual has itself."""
    assert SHIPPED.problems == ()
    assert len(NAMES) >= 6
    assert DEFAULT_THEME in NAMES
    assert any(not theme.dark for theme in SHIPPED.themes)
    assert not set(NAMES) & set(BUILTIN_THEMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_quick_reading_says_what_the_thorough_one_says(name: str) -> None:
    """Claim: what ships is read without a parser of TOML, as that reads it; what is written otherwise is left to it."""
    text = (THEMES / f"{name}.toml").read_text("utf-8")
    assert plain_toml(text) == tomllib.loads(text)
    for other in ("a = 1", 'a = "x"\na = "y"', "[t]\n[t]", 'a = "\\u0041"', "[a.b]", 'a = """x"""'):
        assert plain_toml(other) is None


def weak_text(app: AnomanApp, region: Region) -> set[tuple[str, float]]:
    """Text within a region of the screen that is too faint, with its contrast."""
    weak = set()
    for strip in app.screen._compositor.render_strips()[region.y : region.bottom]:
        for text, style, _ in strip.crop(region.x, region.right):
            if style is None or not set(text) - DRAWN or style.color is None or style.bgcolor is None:
                continue
            fore, back = (style.bgcolor, style.color) if style.reverse else (style.color, style.bgcolor)
            ratio = contrast(fore, back)
            if ratio < LEAST_CONTRAST:
                weak.add((text.strip(), round(ratio, 2)))
    return weak


async def test_contrast_of_all_text() -> None:
    """Every piece of text on the screen, in its overlays and in the palette reads well enough; what is dimmed behind does not count."""
    network = FakeNetwork()
    app = make_app(network, THREE[:2], gateway_note=lambda: "engine: scripted")
    weak: dict[str, set[tuple[str, float]]] = {name: set() for name in NAMES}

    async def look(box: str = "") -> None:
        for name in NAMES:
            app.theme = name
            await pilot.pause()
            weak[name] |= weak_text(app, app.screen.query_one(box).region if box else app.screen.region)

    async with app.run_test(size=(102, 22)) as pilot:
        await stream(pilot, network)
        network.streams[0].finish(96, METADATA)
        network.streams[1].fail(UPSTREAM_ERROR)
        await draw(pilot)
        await pilot.press("escape", "2", "slash", *"the")
        await look()
        await pilot.press("enter", "1")
        overlays = [("m", "#sheet", "response head"), ("ctrl+p", "#--container", "pane")]
        for overlay, box, shown in overlays:
            await pilot.press(overlay)
            await wait_until(pilot, lambda shown=shown: any(shown in row for row in frame(pilot)))  # type: ignore[misc]
            await look(box)
            await pilot.press("escape")
            await wait_until(pilot, lambda: app.screen is app.compare)
    assert {name: found for name, found in weak.items() if found} == {}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('name = "harbour"', 'name = "Bad Name"', "lower-case"),
        ('name = "harbour"', 'name = "nord"', "built-in"),
        ("dark = true", 'dark = "yes"', "true or false"),
        ('primary = "#7aa2d8"', 'primary = "no colour"', "colors.primary must be a colour"),
        ('primary = "#7aa2d8"', "", "colors.primary is missing"),
        ("[text]", "[text]\nsparkle = '#ffffff'", "unknown entry 'sparkle'"),
        ("[text]", "[variables]\n'a;b' = '#ffffff'\n[text]", "unknown entry 'a;b'"),
        ("[text]", "[variables]\nborder = '}'\n[text]", "variables.border must be a colour"),
        ("[colors]", "[colors", "not readable as TOML"),
    ],
)
def test_a_bad_file_says_why(tmp_path: Path, old: str, new: str, reason: str) -> None:
    """And nothing of it is used."""
    assert old in GOOD
    (tmp_path / "mine.toml").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    loaded = load_themes((tmp_path,))
    assert loaded.themes == ()
    assert "mine.toml" in loaded.notice
    assert reason in loaded.notice


def test_not_a_table() -> None:
    """A value where a table belongs."""
    with pytest.raises(ThemeFileError, match="colors must be a table"):
        theme_of({"name": "x", "colors": 3})


def test_later_folders_win(tmp_path: Path) -> None:
    """A user's file may replace one that ships."""
    (tmp_path / "mine.toml").write_text(GOOD.replace('primary = "#7aa2d8"', 'primary = "#ff0000"', 1), encoding="utf-8")
    themes = {theme.name: theme for theme in load_themes((THEMES, tmp_path)).themes}
    assert themes["harbour"].primary == "#ff0000"
    assert len(themes) == len(NAMES)


async def test_a_bad_file_is_named_in_one_notice(tmp_path: Path) -> None:
    """The screen comes up as ever; an unknown name is said as well."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text("name = [", encoding="utf-8")
    app = make_app(FakeNetwork(), theme_dirs=(THEMES, tmp_path), theme="nowhere")
    async with app.run_test(size=(102, 26)) as pilot:
        await pilot.pause()
        said = [str(one.message) for one in app._notifications]
        assert sum("one.toml" in one and "two.toml" in one for one in said) == 1
        assert any("no theme nowhere" in one for one in said)
        assert app.theme == DEFAULT_THEME


async def test_no_folders_at_all() -> None:
    """Without theme files Textual's own serve."""
    app = make_app(FakeNetwork(), theme_dirs=())
    async with app.run_test(size=(102, 26)) as pilot:
        await wait_until(pilot, lambda: "anoman-tui" in frame(pilot)[0])


async def test_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    """With NO_COLOR no colour goes out, and the states can still be read."""
    monkeypatch.setenv("NO_COLOR", "1")
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await stream(pilot, network)
        assert app.theme == "ansi-dark"
        assert "LIVE" in "\n".join(frame(pilot))
        colours = {style.color.name for strip in app.screen._compositor.render_strips() for _, style, _ in strip if style and style.color}
        assert colours <= {"default"}


async def test_switching_live() -> None:
    """Every theme can be put on while text flows."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await stream(pilot, network)
        for name in [*NAMES, "ansi-light", "textual-light"]:
            app.theme = name
            await pilot.pause()
        assert app.is_running
