"""The documented rules of each shape and gateway, judged on a stream while it runs: what holds, and what it breaks.

A rule is here only where its page is clear; `warning` marks a departure that clients survive. A false alarm is worse
than a miss: a rule that does not concern a stream, or that can no longer be judged, says nothing.
"""

from collections.abc import Sequence

from anoman_tui.core.contract import anoman, anypath, common, shapes
from anoman_tui.core.contract.contradictions import contradictions
from anoman_tui.core.contract.rule import Broken, Finding, Held, Rule, View
from anoman_tui.core.delivery import delivery
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.target import Policy, Shape, Target

__all__ = ["Finding", "Rule", "Verdict", "findings", "rules_of", "verdict"]

_BY_SHAPE: dict[Shape, Sequence[Rule]] = {
    Shape.CHAT: (common.FINISH_REASON,),
    Shape.PLAYGROUND: (common.FINISH_REASON,),
    Shape.RESPONSES: shapes.RESPONSES,
    Shape.MESSAGES: shapes.MESSAGES,
    Shape.GEMINI: shapes.GEMINI,
}
_TOLD = frozenset({"buffered", "silent", "keep-alives"})
"""Verdicts on delivery that are findings; a slow first token is a time, and stands with the times."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a stream stands to its rules. `total` leaves out rules that do not concern it."""

    holds: int
    waiting: int
    total: int
    broken: tuple[Finding, ...]

    @property
    def mark(self) -> str:
        """`14/14`, `!1` with the number of broken rules, or empty where no rule is judged."""
        if self.broken:
            return f"!{len(self.broken)}"
        return f"{self.holds}/{self.total}" if self.total else ""


def rules_of(target: Target) -> tuple[Rule, ...]:
    """The rules that a stream of this target is judged by."""
    own = list(_BY_SHAPE[target.shape])
    if target.policy is Policy.ANOMAN and target.shape in (Shape.CHAT, Shape.PLAYGROUND):
        own += anoman.CHAT
    elif target.policy is Policy.ANYPATH:
        own += anypath.EVERY + anypath.BY_SHAPE.get(target.shape, ())
    else:
        own.append(common.WHOLE)
    return (*common.EVERY, *own)


def verdict(state: PaneState) -> Verdict:
    """The verdict by now; cheap enough for every redraw."""
    if not _judged(state):
        return Verdict(0, 0, 0, ())
    view = View.of(state)
    results = [(rule, rule.check(view)) for rule in rules_of(state.target)]
    held = [result for _, result in results]
    broken = tuple(_finding(rule, result) for rule, result in results if isinstance(result, Broken))
    holds, waiting = held.count(Held.HOLDS), held.count(Held.WAITING)
    return Verdict(holds, waiting, holds + waiting + len(broken), broken)


def findings(state: PaneState) -> tuple[Finding, ...]:
    """What the stream did that its contract does not allow, what contradicts itself, and how it was delivered, as far as it is known."""
    found = [*verdict(state).broken, *contradictions(View.of(state))]
    found += [Finding(f"delivery-{said.kind}", "warning", said.message) for said in delivery(state) if said.kind in _TOLD]
    return tuple(found)


def _judged(state: PaneState) -> bool:
    """Whether there is a stream to judge: a 2xx response that is no JSON answer, and is not going to be one."""
    ok = state.status is not None and 200 <= state.status < 300
    return ok and not state.served_json and (state.streaming or state.wire.frames > 0)


def _finding(rule: Rule, broken: Broken) -> Finding:
    return Finding(rule.id, rule.severity, broken.message, broken.frame)
