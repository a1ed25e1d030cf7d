"""The garbage collector stands still while answers stream: a collection stops all threads, the one that stamps among them.

What a stream makes and drops is freed at once, by its counts of references; only what refers to itself waits for the end of
the streams. A bound keeps that from growing for ever.
"""

import gc
from typing import Final

MOST_OBJECTS: Final = 500_000
"""So many containers may be made, less those that were freed, before the young ones are collected in spite of streams."""


def pace(*, streaming: bool) -> None:
    """Let the collector rest while answers stream, and work again afterwards. Call it with every frame; it costs two look-ups."""
    if not streaming:
        if not gc.isenabled():
            gc.enable()
        return
    if gc.isenabled():
        gc.disable()
    if gc.get_count()[0] > MOST_OBJECTS:
        gc.collect(0)
