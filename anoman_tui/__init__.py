"""One prompt, several language models or endpoint shapes, streamed side by side."""

__version__ = "0.1.0"
