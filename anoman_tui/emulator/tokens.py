"""A small deterministic tokenizer for the scripted engine and for estimates.

The pieces of a text joined give the text again, so that the number of streamed pieces is the number of tokens.
"""

import re

_TOKEN = re.compile(r"[ ]?[^\W\d_]{1,7}|[ ]?\d{1,3}|[ ]?[^\w\s]{1,2}|_+|\n+|[^\S\n]+")


def tokenize(text: str) -> list[str]:
    """Split a text into tokens; `"".join(tokenize(text)) == text` for every text."""
    return _TOKEN.findall(text)


def count_tokens(text: str) -> int:
    """How many tokens a text is."""
    return len(_TOKEN.findall(text))
