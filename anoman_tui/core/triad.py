"""One model through the shapes that its provider offers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from anoman_tui.core.choices import choice_problems
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.request import Params

SHAPES: Final = 3
"""How many shapes are put side by side."""


def triad(spec: PaneSpec) -> tuple[PaneSpec, ...]:
    """The pane in up to three shapes, in the provider's order; its own is among them, and those that cannot work come last."""
    own = spec.target
    each = [replace(spec, target=replace(own, shape=shape)) for shape in own.provider.shapes]
    doubtful = [one for one in each if choice_problems(one.target, Params())]
    chosen = [spec, *(one for one in each if one.target.shape is not own.shape and one not in doubtful)]
    chosen += [one for one in doubtful if one.target.shape is not own.shape]
    order = list(own.provider.shapes)
    return tuple(sorted(chosen[:SHAPES], key=lambda one: order.index(one.target.shape)))


def is_triad(specs: Sequence[PaneSpec]) -> bool:
    """Whether panes are one model through several shapes, and differ in nothing else."""
    if len(specs) < 2 or len({spec.target.shape for spec in specs}) < len(specs):
        return False
    first = specs[0]
    return all(replace(spec, target=replace(spec.target, shape=first.target.shape)) == first for spec in specs)
