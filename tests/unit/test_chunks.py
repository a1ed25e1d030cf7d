"""Text that grows: cheap, and without changing what was."""

import pytest

from anoman_tui.core.chunks import Chunks, mend_surrogates


def grown(*pieces: str) -> Chunks:
    """A text out of pieces."""
    text = Chunks()
    for piece in pieces:
        text = text.append(piece)
    return text


def test_values_are_persistent() -> None:
    """Claim: every value keeps its own text, whatever is appended to it or to its siblings."""
    root = grown("a", "b")
    left, right = root.append("c"), root.append("d")
    assert (root.text, left.text, right.text) == ("ab", "abc", "abd")
    assert (left.append("e").text, left.text) == ("abce", "abc")
    assert (len(root), len(left), bool(Chunks()), bool(root)) == (2, 3, False, True)


def test_appending_nothing_is_the_same_value() -> None:
    """Claim: an empty piece changes nothing."""
    text = grown("a")
    assert text.append("") is text


@pytest.mark.parametrize("start", range(8))
def test_reading_the_new_end(start: int) -> None:
    """Claim: `since` gives the text from any point on, inside pieces too, and nothing past the end."""
    assert grown("ab", "c", "def").since(start) == "abcdef"[start:]


def test_surrogates_that_came_apart() -> None:
    """Claim: halves that came in two pieces are one letter, and an orphan becomes U+FFFD."""
    assert grown("\ud83d", "\ude00").text == "😀"
    assert grown("a\ud83d", "b\udc00").text == "a\ufffdb\ufffd"
    assert mend_surrogates("plain") == "plain"
    str(grown("\ud83d")).encode("utf-8")


def test_equality_is_by_text() -> None:
    """Claim: the same text in other pieces is equal, and hashes alike."""
    assert grown("ab", "c") == grown("a", "bc")
    assert hash(grown("ab", "c")) == hash(grown("a", "bc"))
    assert grown("a") != grown("b")
    assert grown("a") != "a"
    assert repr(grown("a")) == "Chunks('a')"


def test_pieces_are_shared() -> None:
    """Claim: growing a text by one piece does not copy the pieces before it."""
    text = grown("a")
    longer = text.append("b")
    assert longer._parts is text._parts
    assert text.append("c")._parts is not text._parts
