"""Keys: any non-empty one will do, in any of the places where an SDK puts it."""

from collections.abc import Mapping

from anoman_tui.emulator.errors import GatewayError


def require_key(headers: Mapping[str, str], query: Mapping[str, str]) -> None:
    """Raise a 401 unless a key came as `Authorization: Bearer`, `x-api-key`, `x-goog-api-key` or `?key=`."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    if not (bearer or headers.get("x-api-key", "").strip() or headers.get("x-goog-api-key", "").strip() or query.get("key", "").strip()):
        raise GatewayError(401, "invalid_api_key", "No API key was sent; any non-empty key is accepted here.")
