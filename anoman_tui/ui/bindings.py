"""The keys of a pane, in the order of the help."""

from textual.binding import Binding

PANE_KEYS = (
    Binding("x", "screen.stop_pane", "Stop", id="stop-pane", tooltip="Stop this pane; the text so far stays"),
    Binding("X", "screen.stop_all", "All", id="stop-all", tooltip="Stop every pane that streams", show=False),
    Binding("r", "screen.retry_pane", "Retry", id="retry-pane", tooltip="Send this pane's prompt again, in the same shape"),
    Binding("R", "screen.rerun_all", "Rerun all", id="rerun-all", tooltip="Send the last prompt again to all panes", show=False),
    Binding("c", "screen.continue_pane", "Continue", id="continue-pane", tooltip="Go on from this answer in all panes, or end that"),
    Binding(
        "C",
        "screen.continue_all",
        "Continue each",
        id="continue-all",
        tooltip="Go on in each pane from its own answer, or end",
        show=False,
    ),
    Binding("y", "screen.copy_answer", "Copy", id="copy-answer", tooltip="Copy this pane's answer to the clipboard"),
    Binding(
        "Y",
        "screen.copy_menu",
        "Copy menu",
        id="copy-menu",
        tooltip="Copy menu: all panes, JSON, cURL, raw frames",
        show=False,
    ),
    Binding("s", "screen.save", "Save", id="save-run", tooltip="Save the run as JSON to a file", show=False),
    Binding(
        "p",
        "screen.switch_mode",
        "Serial or parallel",
        id="switch-mode",
        tooltip="Send to panes one by one, or to all at once",
        show=False,
    ),
    Binding("z", "screen.zoom", "Zoom", id="zoom-pane", tooltip="Show this pane alone, or all again", show=False),
    Binding("t", "screen.fold_reasoning", "Fold reasoning", id="fold-reasoning", tooltip="Fold or show the reasoning", show=False),
    Binding("v", "screen.raw_text", "Raw text", id="raw-text", tooltip="Show the answer as it came, or as Markdown", show=False),
    Binding("b", "screen.blind", "Blind", id="blind", tooltip="Hide names and numbers until a vote, or show them", show=False),
    Binding("V", "screen.vote", "Vote", id="vote", tooltip="Vote on blind answers; else show the win rates", show=False),
    Binding("d", "screen.diff", "Diff", id="diff", tooltip="Compare this pane's words with those of the base", show=False),
    Binding("equals_sign", "screen.base", "Base", id="base", tooltip="Make this pane the base to compare others with", show=False),
    Binding("m", "screen.details", "Numbers", id="details", tooltip="Show every number of this pane with its definition", show=False),
    Binding("w", "screen.wire", "Wire", id="wire", tooltip="Show the raw frames of all panes on one clock", show=False),
    Binding("T", "screen.race", "Race", id="race-lane", tooltip="Show or hide the race lane: all panes on one clock", show=False),
    Binding("slash", "screen.find", "Find", id="find", tooltip="Find a text in this pane", show=False),
    Binding("n", "screen.find_on(1)", "Next place", id="find-next", tooltip="Go to the next place found", show=False),
    Binding("N", "screen.find_on(-1)", "Place before", id="find-previous", tooltip="Go to the place before", show=False),
    Binding(
        "L",
        "screen.lock_scrolling",
        "Lock scrolling",
        id="lock-scrolling",
        tooltip="Scroll all panes together, or each alone",
        show=False,
    ),
    Binding("i", "screen.focus_prompt", "Prompt", id="focus-prompt", tooltip="Go back to the prompt"),
    Binding(
        "h,left",
        "screen.step_pane(-1)",
        "Pane to the left",
        id="previous-pane",
        tooltip="Go to the pane before",
        show=False,
    ),
    Binding("l,right", "screen.step_pane(1)", "Pane to the right", id="next-pane", tooltip="Go to the pane after", show=False),
    Binding(
        "vertical_line",
        "screen.switch_layout",
        "Lanes or columns",
        id="switch-layout",
        tooltip="One pane with lanes, or columns",
        show=False,
    ),
    Binding("e", "screen.edit_pane", "Edit", id="edit-pane", tooltip="Edit this pane: provider, shape, model, parameters"),
    Binding("a", "screen.add_pane", "Add", id="add-pane", tooltip="Add a pane that begins as a copy of this one", show=False),
    Binding("D,delete", "screen.remove_pane", "Remove", id="remove-pane", tooltip="Remove this pane; u brings it back", show=False),
    Binding("u", "screen.undo_panes", "Undo", id="undo-panes", tooltip="Undo the last change of the panes", show=False),
    Binding("U", "screen.redo_panes", "Redo", id="redo-panes", tooltip="Make the change again that was undone", show=False),
    Binding("shift+left", "screen.move_pane(-1)", "Move left", id="move-pane-left", tooltip="Move this pane a place back", show=False),
    Binding("shift+right", "screen.move_pane(1)", "Move right", id="move-pane-right", tooltip="Move this pane a place on", show=False),
    Binding("O", "screen.pane_sets", "Sets", id="pane-sets", tooltip="Pane sets: open one, or save these panes", show=False),
    Binding("S", "screen.triad", "Shapes", id="triad", tooltip="Open this model in three shapes; then compare them", show=False),
    Binding("W", "screen.stream_twin", "Twin", id="stream-twin", tooltip="The same request without streaming, compared", show=False),
    Binding("H", "screen.cache_pair", "Again", id="cache-pair", tooltip="The same request again: cold against warm", show=False),
    Binding("B", "screen.bug_bundle", "Bundle", id="bug-bundle", tooltip="Write what a ticket about this pane needs", show=False),
    Binding("o", "screen.recordings", "Recordings", id="recordings", tooltip="Choose a recorded run and play it again", show=False),
    Binding("question_mark", "app.show_keys", "Keys", id="pane-keys", tooltip="Show the keys for this place", show=False),
    *(
        Binding(str(n), f"screen.focus_pane({n})", f"Pane {n}", id=f"focus-pane-{n}", tooltip=f"Go to pane {n}", show=False)
        for n in range(1, 7)
    ),
)
"""The keys of a pane."""

REPLAY_KEYS = (
    Binding("space", "screen.replay_toggle", "Pause", id="replay-toggle", tooltip="In a recording: stand still, or go on", show=False),
    Binding(
        "full_stop", "screen.replay_step(1)", "Step", id="replay-step", tooltip="In a recording: the next thing that happened", show=False
    ),
    Binding("comma", "screen.replay_step(-1)", "Step back", id="replay-back", tooltip="In a recording: what happened before", show=False),
    Binding("greater_than_sign", "screen.replay_speed(1)", "Faster", id="replay-faster", tooltip="In a recording: faster", show=False),
    Binding("less_than_sign", "screen.replay_speed(-1)", "Slower", id="replay-slower", tooltip="In a recording: slower", show=False),
    Binding("right_square_bracket", "screen.replay_jump(1)", "Forth", id="replay-forth", tooltip="In a recording: a second on", show=False),
    Binding("left_square_bracket", "screen.replay_jump(-1)", "Back", id="replay-jump", tooltip="In a recording: a second back", show=False),
)
"""The keys of a pane that act while a recording is on the screen. They go before those that scroll."""
