"""The block structure of Markdown text."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from anoman_tui.core.records import dataclass

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_NESTING: Final = 20
"""Levels that the parser goes into; it drops what is deeper, so a block that reaches them is not shown as Markdown."""
LISTS: Final = ("bullet_list_open", "ordered_list_open")


@lru_cache(maxsize=1)
def parser() -> "MarkdownIt":
    """The one parser: CommonMark with tables and strikethrough. HTML is text."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    # A reference that is defined later would change text that is already frozen.
    made.disable(["reference", "html_block", "html_inline"])
    made.parse("- *a*\n")  # compiles the rules, which two threads must not do at the same time
    return made


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block."""

    kind: str  # the type of its first token
    tokens: "Sequence[Token]"
    first: int  # rows of the parsed text, the last not included
    last: int

    @property
    def too_deep(self) -> bool:
        """Whether the parser may have dropped a part of it."""
        return any(token.level >= MAX_NESTING - 1 for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Parsed:
    """The blocks of a text that stands behind a prefix."""

    blocks: tuple[Block, ...]
    rows: tuple[str, ...]  # lines of prefix and text
    starts: tuple[int, ...]  # where each row starts in the text; negative in the prefix

    def source(self, first: int, last: int) -> str:
        """The text of some rows."""
        return "\n".join(self.rows[first:last])

    def is_blank(self, row: int) -> bool:
        """Whether a row has nothing in it."""
        return not self.rows[row].strip(" \t")


def parse(prefix: str, text: str) -> Parsed | None:
    """The blocks of a text behind a prefix; nothing where the parser gave up on it. Inline tokens are left unparsed."""
    tokens: list[Token] = []
    whole = prefix + text
    try:
        made = parser()
        made.block.parse(whole, made, {}, tokens)
    except Exception:  # the parser is foreign code on foreign text
        return None
    rows = tuple(whole.split("\n"))
    at = -len(prefix)
    starts = [at]
    for row in rows:
        at += len(row) + 1
        starts.append(at)
    return Parsed(tuple(_blocks(tokens, len(rows))), rows, tuple(starts))


def _blocks(tokens: "Sequence[Token]", count: int) -> list[Block]:
    tops = [at for at, token in enumerate(tokens) if not token.level and token.nesting >= 0]
    out: list[Block] = []
    for at, end in zip(tops, [*tops[1:], len(tokens)], strict=False):
        first, last = tokens[at].map or (0, count)
        out.append(Block(tokens[at].type, tokens[at:end], first, last))
    return out


def items(block: Block) -> list[Block]:
    """The items of a list, each with the list's own tokens around it."""
    if block.kind not in LISTS:
        return []
    tops = [at for at, token in enumerate(block.tokens) if token.type == "list_item_open" and token.level == 1]
    out: list[Block] = []
    for at, end in zip(tops, [*tops[1:], len(block.tokens) - 1], strict=False):
        first, last = block.tokens[at].map or (block.first, block.last)
        out.append(Block("list_item_open", [block.tokens[0], *block.tokens[at:end], block.tokens[-1]], first, last))
    return out


def table_rows(block: Block) -> list[tuple[int, int]]:
    """The body rows of a table, as (token index, row)."""
    found = [(at, token.map[0]) for at, token in enumerate(block.tokens) if token.type == "tr_open" and token.map]
    return [(at, row) for at, row in found if row > block.first]
