"""The incremental answer document: text that grows, as styled lines. No widgets."""

from anoman_tui.ui.document.document import Anchor, AnswerDocument, Section
from anoman_tui.ui.document.lines import Line, Piece
from anoman_tui.ui.document.styles import Palette

__all__ = ["Anchor", "AnswerDocument", "Line", "Palette", "Piece", "Section", "warm"]


def warm() -> None:
    """Import and prepare what the first answer needs; callable on any thread, before the first answer arrives."""
    from anoman_tui.ui.document import code, markdown, parsing  # noqa: F401  loaded here

    parsing.parser()
    code.warm()
