"""The texts that can be taken out, each a function of what the panes hold."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import assert_never

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.curl import curl
from anoman_tui.core.document import pane_record, run_document, shown_error
from anoman_tui.core.jsonish import dumps
from anoman_tui.core.outcome import Outcome, outcome, phase
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.run import RunHead
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.mailbox import MAX_KEPT
from anoman_tui.ui.view import view


@dataclass(frozen=True, slots=True)
class Source:
    """One pane as far as it can be taken out."""

    number: int
    """From 1."""
    target: Target
    state: PaneState | None
    request: HttpRequest | None
    reads: bytes
    """The body as it stood on the wire."""
    cut: bool
    """Whether the body was longer than what is kept."""


class Export(StrEnum):
    """What can be taken out."""

    ANSWER = "answer"
    MARKDOWN = "markdown"
    DOCUMENT = "document"
    RECORD = "record"
    CURL = "curl"
    FRAMES = "frames"
    BUNDLE = "bundle"
    """Made by a key of its own."""
    SHARE = "share"
    """Made by what knows the recordings, not here."""


WORDS: dict[Export, tuple[str, str, str]] = {
    Export.ANSWER: ("This pane's answer", "as it came", "txt"),
    Export.MARKDOWN: ("All panes as Markdown", "answers, outcomes and numbers", "md"),
    Export.DOCUMENT: ("The run as JSON", "the document that `run --json` prints", "json"),
    Export.RECORD: ("This pane as JSON", "its record of that document", "json"),
    Export.CURL: ("This pane's request as cURL", "the key stays out: its variable stands in its place", "sh"),
    Export.FRAMES: ("This pane's raw frames", "the body as it stood on the wire", "txt"),
    Export.BUNDLE: ("A bundle for a ticket", "cURL, versions, ids, verdicts, the frames around the fault; no key", "md"),
    Export.SHARE: ("A file to pass on", "panes, prompt and run; `anoman-tui open FILE` shows it, and nothing in it is secret", "json"),
}
"""Title, explanation and file ending."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A text to take out; `text` is empty where there is none yet."""

    what: Export
    text: str
    name: str
    """A file name."""
    data: bytes | None = None
    """What goes into a file where it is not just the text."""
    limit: str = ""
    """What of it is missing, in words."""

    @property
    def content(self) -> bytes:
        """What goes into a file."""
        return self.text.encode() if self.data is None else self.data


def export(what: Export, sources: Sequence[Source], at: int, head: RunHead | None, version: str) -> Exported:
    """The text of one kind; `at` is the pane with the keys."""
    source = sources[at]
    pane = f"pane-{source.number}-{what.value}"
    stem = "run" if head is None else f"run-{_stamp(head.started_at)}"
    whole = what in (Export.MARKDOWN, Export.DOCUMENT)
    name = f"{stem}.{WORDS[what][2]}" if whole else f"{stem}-{pane}.{WORDS[what][2]}"
    data = source.reads if what is Export.FRAMES else None
    limit = f"; only its first {MAX_KEPT >> 20} MiB were kept" if what is Export.FRAMES and source.cut else ""
    return Exported(what, mend_surrogates(_text(what, sources, source, head, version)), name, data, limit)


def _text(what: Export, sources: Sequence[Source], source: Source, head: RunHead | None, version: str) -> str:
    state = source.state
    if head is None or (state is None and what not in (Export.MARKDOWN, Export.DOCUMENT)):
        return ""
    match what:
        case Export.ANSWER:
            return "" if state is None else state.text.text or state.refusal.text
        case Export.MARKDOWN:
            return markdown(sources, head)
        case Export.DOCUMENT:
            records = [pane_record(one.state, one.number) for one in sources if one.state is not None]
            return dumps(run_document(records, head.as_dict(), version), indent=2) + "\n"
        case Export.RECORD:
            return "" if state is None else dumps(pane_record(state, source.number), indent=2) + "\n"
        case Export.CURL:
            return "" if source.request is None else curl(source.request, source.target) + "\n"
        case Export.FRAMES:
            return source.reads.decode("utf-8", "replace")
        case Export.SHARE | Export.BUNDLE:
            return ""
        case _:
            assert_never(what)


def markdown(sources: Sequence[Source], head: RunHead) -> str:
    """All panes of a run as one Markdown text."""
    fence = "`" * max(3, _longest_fence(head.prompt.text) + 1)
    parts = ["# Prompt", "", fence, head.prompt.text, fence, ""]
    if head.prompt.system:
        parts += ["System prompt:", "", fence, head.prompt.system, fence, ""]
    for source in sources:
        parts += _pane(source)
    return "\n".join(parts)


def _pane(source: Source) -> Iterator[str]:
    yield f"## {source.number}. {clean_line(source.target.name, 200)}"
    yield ""
    state = source.state
    if state is None:
        yield "Not sent."
        yield ""
        return
    seen = view(state, state.stamps.closed or 0)
    yield (
        f"{phase(state).value} · first token {seen.first} · {seen.tokens} tokens · {seen.rate} tokens/s · "
        f"elapsed {seen.elapsed} · cost {seen.cost}"
    )
    yield ""
    error = shown_error(state)
    if error is not None:
        yield f"Error: {clean_line(error.message, 600)}"
        yield ""
    if outcome(state) is not Outcome.COMPLETED and state.has_content:
        yield "Partial:"
        yield ""
    if state.refusal:
        yield f"Refused: {clean_line(state.refusal.text, 2_000)}"
        yield ""
    yield state.text.text.rstrip()
    yield ""
    for call in state.tools:
        yield f"Tool call: {clean_line(call.name or 'without a name', 100)}({clean_line(call.arguments.text, 2_000)})"
        yield ""


def _longest_fence(text: str) -> int:
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest


def _stamp(started_at: str) -> str:
    """`2026-11-29T17:08:44.123Z` as a part of a file name."""
    return "".join(char for char in started_at[:23] if char.isdigit() or char == "T")
