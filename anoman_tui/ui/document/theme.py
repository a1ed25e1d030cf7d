"""The colours of the answer view, over the variables that every theme has.

They are no style sheet: thirty kinds of text in each of three answers would be the larger part of all styles of the screen,
and all of them would have to be found before the screen stands, though few are drawn then.
"""

from collections.abc import Mapping
from typing import Final

from rich.style import Style
from textual.style import Style as VisualStyle

from anoman_tui.ui.document import styles as s

STYLES: Final[Mapping[int, str]] = {
    s.TEXT: "$foreground",
    s.HEADING: "bold $text-primary",
    s.QUOTE: "$text-secondary",
    s.MARK: "$text-secondary",
    s.CODE: "$text-warning on $surface",
    s.LINK: "$text-accent",
    s.URL: "$text-muted",
    s.IMAGE: "$foreground",
    s.RULE: "$text-muted",
    s.BORDER: "$text-muted",
    s.REASONING: "italic $text-muted",
    s.REASONING_HEAD: "$text-muted",
    s.NOTE: "$foreground",
    s.NOTE_MUTED: "$text-muted",
    s.NOTE_SUCCESS: "$text-success",
    s.NOTE_WARNING: "$text-warning",
    s.NOTE_ERROR: "bold $text-error",
    s.SCROLLBAR: "$background",
    s.SCROLLBAR_THUMB: "$text-muted",
    s.HINT: "bold $text-accent on $surface",
    s.FOUND: "$background on $text-warning",
    s.FOUND_HERE: "bold underline $background on $text-accent",
    s.FENCE: "$foreground on $surface",
    s.FENCE_INFO: "italic $text-muted on $surface",
    s.COMMENT: "italic $text-muted on $surface",
    s.KEYWORD: "bold $text-accent on $surface",
    s.STRING: "$text-success on $surface",
    s.NUMBER: "$text-warning on $surface",
    s.NAME: "$text-primary on $surface",
    s.TYPE: "$text-secondary on $surface",
    s.OPERATOR: "$foreground on $surface",
    s.INSERTED: "$text-success on $surface",
    s.DELETED: "$text-error on $surface",
}
"""By the kind of text."""
COLOURLESS: Final[Mapping[int, str]] = {
    s.HEADING: "bold underline $text-primary",
    s.CODE: "reverse $text-warning on $surface",
    s.NOTE_WARNING: "bold $text-warning",
    s.NOTE_ERROR: "bold reverse $text-error",
    s.HINT: "bold reverse $text-accent on $surface",
    s.FOUND: "reverse $foreground on $background",
    s.FOUND_HERE: "bold underline reverse $foreground on $background",
}
"""What looks otherwise where there are no colours to tell it by."""


def words(text: str, variables: Mapping[str, str]) -> str:
    """A style with the values of its variables in it. Textual itself loses how faint an automatic colour is."""
    return " ".join(variables[word[1:]] if word.startswith("$") else word for word in text.split(" "))


def over(base: VisualStyle, style: VisualStyle) -> Style:
    """A style over what is behind it, as Rich has it."""
    look, front = base + style, style.foreground
    if front is not None and front.auto and look.background is not None:
        # The sum forgets that, too.
        look += VisualStyle(foreground=look.background + look.background.get_contrast_text(front.a))
    return look.rich_style
