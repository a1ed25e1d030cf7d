"""From evidence to an outcome: every policy and shape against every piece of evidence."""

import itertools
from collections.abc import Sequence

import pytest

from anoman_tui.core.events import (
    CancelRequested,
    Closed,
    Ending,
    EndReported,
    ErrorReported,
    FinishReported,
    HeadersReceived,
    ReasoningDelta,
    ServedJson,
    StreamEvent,
    TextDelta,
    ToolDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.failure import ErrorInfo, FailureKind
from anoman_tui.core.outcome import ERROR_REASONS, Outcome, Phase, cut_reason, failure, outcome, phase
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.target import Policy, Shape
from tests.support import a_target, stamped

TEXT, FINISH, USAGE, END = TextDelta("Hi"), FinishReported("stop"), UsageReported(Usage(1, 2)), EndReported("end")
CHATTY = (Shape.CHAT, Shape.PLAYGROUND)


def after(*events: StreamEvent, shape: Shape = Shape.CHAT, policy: Policy = Policy.STRICT) -> PaneState:
    """The state after a response head and these events."""
    return fold(PaneState(a_target(shape, policy)), stamped(HeadersReceived(200, ()), *events))


def should_complete(shape: Shape, policy: Policy, evidence: Sequence[StreamEvent], clean: bool) -> bool:
    """The table of the design's section 4, written down on its own."""
    finish, end = FINISH in evidence, END in evidence
    usage = USAGE in evidence
    usage_first = usage and not (end and evidence.index(USAGE) > evidence.index(END))
    if shape is Shape.GEMINI:
        return finish and clean and (policy is not Policy.ANYPATH or usage)
    if policy is Policy.LENIENT:
        return end or (finish and clean)
    if shape not in CHATTY or policy is Policy.ANOMAN:
        return end
    finish_first = finish and not (end and evidence.index(FINISH) > evidence.index(END))
    return end and finish_first and (policy is not Policy.ANYPATH or usage_first)


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("policy", Policy)
def test_what_completes(shape: Shape, policy: Policy) -> None:
    """Claim: for every order of text, finish reason, usage and end, and every ending, exactly the policy's own streams complete."""
    pieces: tuple[StreamEvent, ...] = (FINISH, USAGE) if shape is Shape.GEMINI else (FINISH, USAGE, END)
    for size in range(len(pieces) + 1):
        for evidence in itertools.permutations(pieces, size):
            for ending in (Ending.CLEAN, Ending.DRAINED, Ending.CUT, Ending.IDLE, Ending.TOTAL, Ending.SIZE, Ending.CANCELLED):
                state = after(TEXT, *evidence, Closed(ending), shape=shape, policy=policy)
                clean = ending in (Ending.CLEAN, Ending.DRAINED)
                wanted = should_complete(shape, policy, evidence, clean)
                assert (outcome(state) is Outcome.COMPLETED) is wanted, (evidence, ending)


@pytest.mark.parametrize(
    ("ending", "wanted"),
    [
        (Ending.CLEAN, Outcome.TRUNCATED),
        (Ending.DRAINED, Outcome.TRUNCATED),
        (Ending.CUT, Outcome.TRUNCATED),
        (Ending.IDLE, Outcome.TRUNCATED),
        (Ending.CANCELLED, Outcome.CANCELLED),
        (Ending.TOTAL, Outcome.FAILED),
        (Ending.SIZE, Outcome.FAILED),
        (Ending.REFUSED, Outcome.FAILED),
    ],
)
@pytest.mark.parametrize("policy", Policy)
def test_what_an_unfinished_stream_is(policy: Policy, ending: Ending, wanted: Outcome) -> None:
    """Claim: without the protocol's end the ending decides, for every policy, with content or without."""
    for events in ((TEXT,), (), (ReasoningDelta("r"),)):
        assert outcome(after(*events, Closed(ending), policy=policy)) is wanted


def test_lost_before_the_headers() -> None:
    """Claim: a connection that broke before the response head has failed; one that fell silent is truncated."""
    for ending, wanted in ((Ending.CUT, Outcome.FAILED), (Ending.IDLE, Outcome.TRUNCATED), (Ending.REFUSED, Outcome.FAILED)):
        assert outcome(fold(PaneState(a_target()), stamped(Closed(ending)))) is wanted


@pytest.mark.parametrize("policy", Policy)
def test_an_error_is_not_healed(policy: Policy) -> None:
    """Claim: an error before the end fails the answer under every policy, whatever follows; a block stays a block."""
    for kind, wanted in (
        (FailureKind.STREAM, Outcome.FAILED),
        (FailureKind.UNREADABLE, Outcome.FAILED),
        (FailureKind.BLOCKED, Outcome.BLOCKED),
    ):
        error = ErrorReported(ErrorInfo(kind, "x"))
        for ending in Ending:
            assert outcome(after(TEXT, error, FINISH, USAGE, END, Closed(ending), policy=policy)) is wanted
        assert outcome(after(error)) is wanted


@pytest.mark.parametrize("reason", [*sorted(ERROR_REASONS), "ERROR"])
def test_finish_reasons_that_say_failure(reason: str) -> None:
    """Claim: a finish reason by which the server says failure fails the answer once it ends, with that word in the error."""
    state = after(TEXT, FinishReported(reason))
    assert outcome(state) is None
    for last in (END, Closed(Ending.CLEAN)):
        ended = fold(state, stamped(last))
        assert outcome(ended) is Outcome.FAILED
        error = failure(ended)
        assert error is not None
        assert reason in error.message


def test_an_outcome_never_gets_better() -> None:
    """Claim: once there is an outcome, no later event changes it to a better one."""
    rank = {Outcome.COMPLETED: 0, Outcome.CANCELLED: 1, Outcome.TRUNCATED: 2, Outcome.FAILED: 3, Outcome.BLOCKED: 3}
    error = ErrorReported(ErrorInfo(FailureKind.STREAM, "x"))
    pieces: tuple[StreamEvent, ...] = (TEXT, FINISH, END, error, Closed(Ending.CUT), CancelRequested())
    for order in itertools.permutations(pieces, 4):
        state, before = PaneState(a_target()), None
        for event in order:
            state = fold(state, stamped(event))
            now = outcome(state)
            if before is not None:
                assert now is not None
                assert rank[now] >= rank[before]
            before = now


@pytest.mark.parametrize(
    ("events", "wanted"),
    [
        ((ServedJson(), TEXT), Outcome.COMPLETED),
        ((ServedJson(), FINISH), Outcome.COMPLETED),
        ((ServedJson(), ToolDelta("0", "i", "f")), Outcome.COMPLETED),
        ((ServedJson(),), Outcome.TRUNCATED),
        ((ServedJson(whole=False), TEXT), Outcome.TRUNCATED),
        ((ServedJson(whole=False), TEXT, FINISH), Outcome.COMPLETED),
        ((ServedJson(), TEXT, ErrorReported(ErrorInfo(FailureKind.STREAM, "x"))), Outcome.FAILED),
    ],
)
@pytest.mark.parametrize("policy", Policy)
def test_a_json_answer_satisfies_every_policy(policy: Policy, events: tuple[StreamEvent, ...], wanted: Outcome) -> None:
    """Claim: a JSON answer with content or a finish reason is complete under every policy once the body ended properly."""
    for shape in Shape:
        state = after(*events, shape=shape, policy=policy)
        assert outcome(fold(state, stamped(Closed(Ending.CLEAN)))) is wanted
        if wanted is Outcome.COMPLETED:
            assert outcome(state) is None
            assert outcome(fold(state, stamped(Closed(Ending.CUT)))) is Outcome.TRUNCATED


def test_phases() -> None:
    """Claim: a running pane is WAIT, OPEN, THINK or LIVE, and an ended one has the word of its outcome."""
    waiting = PaneState(a_target())
    assert phase(waiting) is Phase.WAIT
    assert phase(after()) is Phase.OPEN
    assert phase(after(ReasoningDelta("r"))) is Phase.THINK
    for event in (TEXT, ToolDelta("0", None, "f")):
        assert phase(after(ReasoningDelta("r"), event)) is Phase.LIVE
    assert phase(after(TEXT, FINISH, END)) is Phase.DONE
    assert phase(after(TEXT, Closed(Ending.CANCELLED))) is Phase.STOP
    assert phase(after(TEXT, Closed(Ending.CUT))) is Phase.CUT
    assert phase(after(ErrorReported(ErrorInfo(FailureKind.HTTP, "x")))) is Phase.FAIL
    assert phase(after(ErrorReported(ErrorInfo(FailureKind.BLOCKED, "x")))) is Phase.BLOCK


@pytest.mark.parametrize(
    ("shape", "policy", "events", "words"),
    [
        (Shape.CHAT, Policy.STRICT, (TEXT,), "without [DONE]"),
        (Shape.CHAT, Policy.STRICT, (TEXT, END), "a finish reason before [DONE]"),
        (Shape.CHAT, Policy.ANYPATH, (TEXT, FINISH, END), "a usage chunk before [DONE]"),
        (Shape.RESPONSES, Policy.STRICT, (TEXT,), "response.completed"),
        (Shape.MESSAGES, Policy.STRICT, (TEXT,), "message_stop"),
        (Shape.GEMINI, Policy.STRICT, (TEXT,), "a finishReason"),
        (Shape.GEMINI, Policy.ANYPATH, (TEXT, FINISH), "usageMetadata"),
        (Shape.CHAT, Policy.STRICT, (), "without a single frame"),
        (Shape.CHAT, Policy.STRICT, (ServedJson(),), "no answer text"),
        (Shape.CHAT, Policy.STRICT, (ServedJson(whole=False), TEXT), "no finish reason"),
    ],
)
def test_a_cut_answer_says_what_was_missing(shape: Shape, policy: Policy, events: tuple[StreamEvent, ...], words: str) -> None:
    """Claim: a truncated answer names what its protocol still owed."""
    state = after(*events, Closed(Ending.CLEAN), shape=shape, policy=policy)
    assert outcome(state) is Outcome.TRUNCATED
    assert words in cut_reason(state)


def test_a_broken_connection_is_told_in_its_own_words() -> None:
    """Claim: where the connection broke, the sentence of the transport is shown."""
    assert cut_reason(after(TEXT, Closed(Ending.CUT, "the connection was reset"))) == "the connection was reset"
    assert "broke" in cut_reason(after(TEXT, Closed(Ending.CUT)))


def test_what_is_shown_as_the_error() -> None:
    """Claim: completed and cancelled panes have no error; limits and lost connections have their kind."""
    assert failure(after(TEXT, FINISH, END)) is None
    assert failure(after(TEXT)) is None
    assert failure(after(TEXT, Closed(Ending.CANCELLED))) is None
    for ending, kind in ((Ending.SIZE, FailureKind.LIMIT), (Ending.TOTAL, FailureKind.LIMIT), (Ending.REFUSED, FailureKind.CONNECTION)):
        error = failure(after(TEXT, Closed(ending, "why")))
        assert error is not None
        assert (error.kind, error.message) == (kind, "why")
