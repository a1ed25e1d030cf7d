"""Interpreter settings that keep the network thread's stamps true beside a busy screen, and a start quick."""

import gc
import sys

SWITCH_INTERVAL_S = 0.0005
"""The screen's code keeps the interpreter lock this long at most; at Python's 5 ms the median stamp is that much late."""
GC_THRESHOLDS = (5_000, 10, 100_000)
"""Full collections hold the lock for up to 300 ms in a large screen; these thresholds make them as good as never happen."""


def tune_switching() -> None:
    """Let threads take turns often. Call before the first stream."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)


def tune_collector() -> None:
    """Collect garbage, but seldom all of it. Call once, when the program is loaded: what lives then is never scanned again.

    Nothing is collected first: a start leaves some hundred objects behind, and to find them would stop all threads.
    """
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()
