"""What a gateway tells about a request beside the answer: guardrails, routing, cache, cost, weighted tokens.

The metadata may stand in a frame of its own, inside a chunk, inside an error, in a JSON body, or in headers. It is kept
verbatim; this reads the documented fields out of it (Anoman streaming page, wire format), and nothing it holds can raise.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from anoman_tui.core.headers import header
from anoman_tui.core.jsonish import Json, decimal_of, obj, word
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Guardrail:
    """One check: its name, its status word and its score where it has one."""

    name: str
    status: str | None
    score: Decimal | None

    @property
    def passed(self) -> bool:
        """Whether the check let the request through untouched."""
        return (self.status or "").lower() in ("pass", "passed", "ok", "allow", "allowed", "clean")


@dataclass(frozen=True, slots=True)
class GatewayReport:
    """The documented fields of the metadata; None is not sent."""

    guardrails: tuple[Guardrail, ...] = ()
    routing_mode: str | None = None
    region: str | None = None
    cache_hit: bool | None = None
    cost_usd: Decimal | None = None
    weighted_tokens: Decimal | None = None


def metadata_of(value: Json) -> Mapping[str, Any] | None:
    """The gateway metadata of a frame or body: `_anoman` at the top, or inside its error, response or message."""
    top = obj(value)
    for holder in (top, top.get("error"), top.get("response"), top.get("message")):
        if isinstance(holder, dict) and isinstance(found := holder.get("_anoman"), dict) and found:
            return found
    return None


def read_report(metadata: Mapping[str, Any] | None) -> GatewayReport:
    """The documented fields of the metadata."""
    fields = obj(metadata)
    routing, cache = obj(fields.get("routing")), obj(fields.get("cache"))
    hit = cache.get("hit")
    return GatewayReport(
        guardrails=tuple(_guardrail(str(name), value) for name, value in obj(fields.get("guardrails")).items()),
        routing_mode=word(routing.get("mode")),
        region=word(routing.get("region")),
        cache_hit=hit if isinstance(hit, bool) else None,
        cost_usd=cost_of(fields.get("cost_usd")),
        weighted_tokens=decimal_of(fields.get("weighted_tokens")),
    )


def _guardrail(name: str, value: Json) -> Guardrail:
    if isinstance(value, dict):
        return Guardrail(name, word(value.get("status")), decimal_of(value.get("score")))
    return Guardrail(name, word(value), None)


def cost_of(value: Json) -> Decimal | None:
    """A cost in USD out of a number or a numeric string; a negative one is no cost."""
    number = decimal_of(value)
    return number if number is not None and number >= 0 else None


COST_HEADERS = ("x-anoman-cost-usd", "x-litellm-response-cost")


def gateway_cost(state: PaneState) -> Decimal | None:
    """The cost as the server itself states it: `_anoman.cost_usd`, `usage.cost`, or a header."""
    own = read_report(state.metadata).cost_usd
    if own is not None:
        return own
    if state.usage is not None and state.usage.cost_usd is not None:
        return state.usage.cost_usd
    return next((cost for name in COST_HEADERS if (cost := cost_of(header(state.headers, name))) is not None), None)


def header_metadata(state: PaneState) -> Mapping[str, str]:
    """The gateways' own response headers, by prefix: none is documented, so all of them are kept."""
    return {name: value for name, value in state.headers if name.startswith(("x-anoman-", "x-anypath-"))}
