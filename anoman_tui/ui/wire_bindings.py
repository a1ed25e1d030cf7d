"""The keys of the wire lanes and of a frame that is shown in full, in the order of the help."""

from textual.binding import Binding

WIRE_KEYS = (
    Binding("escape,q", "close", "Close", id="close-wire", tooltip="Close the wire lanes; what streams goes on"),
    Binding("enter", "open", "Open", id="wire-open", tooltip="Show the frame in full, its JSON laid out"),
    Binding("slash", "ask(False)", "Find", id="wire-find", tooltip="Find a text in the frames"),
    Binding("n", "find_on(1)", "Next", id="wire-find-next", show=False, tooltip="Go to the next frame found"),
    Binding("N", "find_on(-1)", "Before", id="wire-find-previous", show=False, tooltip="Go to the frame found before"),
    Binding("f", "kinds", "Kinds", id="wire-kinds", tooltip="All, all but deltas, data, comments and empty"),
    Binding("ampersand", "ask(True)", "Filter", id="wire-filter", tooltip="Show only frames with a text"),
    Binding("exclamation_mark", "broken", "Broken", id="wire-broken", tooltip="Go to the next frame that broke a rule"),
    Binding("z", "alone", "Alone", id="wire-alone", show=False, tooltip="Show one pane alone, or all again"),
    Binding("c", "clock", "Clock", id="wire-clock", show=False, tooltip="One clock, or each pane from its own start"),
    Binding("b", "pages(-1)", "Page up", id="wire-page-up", show=False, tooltip="Scroll up a page"),
    Binding("h,left", "step(-1)", "To the left", id="wire-left", show=False, tooltip="Go to the pane before"),
    Binding("l,right", "step(1)", "To the right", id="wire-right", show=False, tooltip="Go to the pane after"),
    *(
        Binding(str(n), f"pane({n})", f"Pane {n}", id=f"wire-pane-{n}", show=False, tooltip=f"Show pane {n} alone, or all again")
        for n in range(1, 7)
    ),
)
FRAME_KEYS = (
    Binding("h,left", "go(-1)", "Frame before", id="frame-previous", show=False, tooltip="Show the pane's frame before"),
    Binding("l,right", "go(1)", "Next frame", id="frame-next", show=False, tooltip="Show the pane's next frame"),
    Binding("v", "raw", "As it stood", id="frame-raw", show=False, tooltip="Show the data as it stood, or laid out"),
)
