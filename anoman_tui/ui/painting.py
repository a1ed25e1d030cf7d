"""Draws what changes in a frame straight to the terminal, past the compositor.

The compositor asks every widget of the screen for its rows and cuts them at every edge, 60 times a second that is most of
the program's time. A widget that draws full rows by itself and that nothing lies over needs none of it: its rows go to
the terminal as they are. The compositor keeps no copy of the screen, so whatever it draws later agrees with them.
Where something lies over a widget, or the layout is about to change, Textual draws it as ever.
"""

from types import TracebackType

from rich.console import Console
from textual._ansi_sequences import SYNC_END, SYNC_START
from textual._compositor import CompositorUpdate  # what the application's display takes
from textual.app import App
from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget


class Painted(Widget):
    """A widget whose `render_lines` gives finished rows of its full width."""

    def repaint(self, *regions: Region) -> None:
        """Draw these regions again, or all of it: with the frame that is being made, else when Textual comes round to it."""
        surface = self.surface
        if surface is None or not surface.take(self, regions):
            self.refresh(*regions)

    @property
    def surface(self) -> "Surface | None":
        """What the widget's screen draws its frames on, where it has such a thing."""
        return getattr(self.screen, "surface", None) if self.is_attached else None

    def painted(self, region: Region, console: Console) -> list[str]:
        """The rows of a region as the terminal gets them. Their text is guarded, as that of every strip is."""
        return [strip.render(console) for strip in self.render_lines(region)]


def terminal_lags(app: App[None]) -> bool:
    """Whether the terminal has not taken yet what was written for it before."""
    writer = getattr(app._driver, "_writer_thread", None)
    return writer is not None and writer._queue.qsize() > 0


class Rows(CompositorUpdate):
    """Rows that are ready for the terminal, each with the column and the row where it begins."""

    def __init__(self, rows: list[tuple[int, int, str]]) -> None:
        self.rows = rows

    def render_segments(self, console: Console) -> str:  # noqa: ARG002  the base class names it
        """The escape sequences that draw the rows."""
        return "".join([f"\x1b[{y + 1};{x + 1}H{text}" for x, y, text in self.rows])


class Surface:
    """Collects the regions that one frame changes, and draws them together when the frame ends: `with surface: …`."""

    def __init__(self, screen: Screen[None], *, sparing: bool = False) -> None:
        self.sparing = sparing
        """Whether few bytes are to go to the terminal."""
        self._screen = screen
        self._open = False
        self._dirty: dict[Painted, list[Region]] = {}
        self._rows: list[tuple[int, int, str]] = []  # ready for the terminal
        self._seen: object = None  # the map of visible widgets that `_places` was made of
        self._places: dict[Widget, Region] = {}
        self._shown: frozenset[Widget] = frozenset()
        self.updates = 0
        """How many frames were drawn past the compositor."""

    def begin(self) -> None:
        """Begin a frame, if there is none; the next `with` ends it."""
        self._open = True

    def __enter__(self) -> None:
        """Begin a frame, or go on with the one that was begun."""
        self._open = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End it and draw."""
        self._open = False
        self.draw()

    def take(self, widget: Painted, regions: tuple[Region, ...]) -> bool:
        """Take regions into the frame, all of the widget where there are none. False outside of a frame."""
        if self._open:
            self._dirty.setdefault(widget, []).extend(regions or (widget.outer_size.region,))
        return self._open

    def place(self, widget: Painted) -> Region | None:
        """Where a widget stands whose rows may be put into this frame; nothing where it must be drawn otherwise."""
        return self._free_places().get(widget) if self._open and self._is_settled() else None

    def put(self, rows: list[tuple[int, int, str]]) -> None:
        """Put rows into the frame that are ready for the terminal. Draw them before anything else can be drawn over them."""
        self._rows += rows

    def draw(self) -> None:
        """Draw what the frame has so far."""
        rows, self._rows = self._rows, []
        if self._dirty:
            self._add_dirty(rows)
        if rows:
            self.updates += 1
            self._write(Rows(rows))

    def _write(self, rows: Rows) -> None:
        """Hand rows to the terminal as one piece: the thread that writes is woken once, not for each mark around them."""
        app, driver = self._screen.app, self._screen.app._driver
        if driver is None or app.is_headless or app._closed or not app._running or not app._sync_available:
            app._display(self._screen, rows)  # type: ignore[arg-type]  # it takes updates of a compositor, too
            return
        x, y = self._screen.outer_size.clamp_offset(app.cursor_position)
        driver.write(f"{SYNC_START}{rows.render_segments(app.console)}\x1b[{y + 1};{x + 1}H{SYNC_END}")

    def _add_dirty(self, rows: list[tuple[int, int, str]]) -> None:
        dirty, self._dirty = self._dirty, {}
        places = self._free_places() if self._is_settled() else None
        if places is None:
            for widget, regions in dirty.items():
                widget.refresh(*regions)
            return
        for widget, regions in dirty.items():
            place = places.get(widget)
            if place is not None:
                _add_rows(rows, widget, regions, place)
            elif widget in self._shown:
                widget.refresh(*regions)

    def _is_settled(self) -> bool:
        """Whether what is known of the places holds, and nothing lies over the whole screen."""
        screen, app = self._screen, self._screen.app
        pending = screen._layout_required or screen._repaint_required or screen._scroll_required
        return app.screen is screen and not (pending or app._batch_count or app.is_inline) and screen.size == app.size

    def _free_places(self) -> dict[Widget, Region]:
        """Where the widgets stand that nothing covers."""
        visible = self._screen._compositor.visible_widgets
        if visible is not self._seen:
            self._seen, self._shown = visible, frozenset(visible)
            self._places = {}
            before: list[Region] = []  # front to back; what holds a widget comes after it
            for widget, (region, clip) in visible.items():
                whole = clip.contains_region(region) and region.size == widget.outer_size
                if isinstance(widget, Painted) and whole and not any(region.overlaps(other) for other in before):
                    self._places[widget] = region
                before.append(region.intersection(clip))
        return self._places


def _add_rows(rows: list[tuple[int, int, str]], widget: Painted, regions: list[Region], place: Region) -> None:
    """The rows of a widget's regions; those that are wholly drawn are drawn once."""
    bounds, console = widget.outer_size.region, widget.app.console
    whole: set[int] = set()
    parts: list[Region] = []
    for region in regions:
        part = region.intersection(bounds)
        if part.width == bounds.width:
            whole.update(range(part.y, part.bottom))
        elif part:
            parts.append(part)
    for region in [*_runs(sorted(whole), bounds.width), *parts]:
        x, y = place.x + region.x, place.y + region.y
        rows += [(x, y + row, text) for row, text in enumerate(widget.painted(region, console))]


def _runs(rows: list[int], width: int) -> list[Region]:
    """Rows that follow one another as one region each."""
    out: list[Region] = []
    for row in rows:
        if out and out[-1].bottom == row:
            out[-1] = out[-1].grow((0, 0, 1, 0))
        else:
            out.append(Region(0, row, width, 1))
    return out
