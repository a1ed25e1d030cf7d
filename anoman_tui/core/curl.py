"""A request as a cURL command that anyone can run: the key is the name of a variable, never itself."""

import shlex
from collections.abc import Mapping

from anoman_tui.core.headers import HIDDEN, is_secret_name, safe
from anoman_tui.core.jsonish import dumps
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.target import Auth, Target, masked

KEPT_QUERY = "?alt=sse"
"""Any other query may hold a key."""
ANY_KEY = "API_KEY"
"""The variable where the provider has none of its own."""


def curl(request: HttpRequest, target: Target) -> str:
    """The command, one option a line. A key that stands in the URL, a header or the body is replaced by asterisks,
    and so is the value of each header whose name tells of a secret."""
    lines = [f"curl -sN -X {shlex.quote(request.method)} {_quoted(request, _url(request.url))}"]
    lines += [f"-H {_quoted(request, f'{name}: {value}')}" for name, value in _headers(request.headers).items()]
    if (own := _auth(request.auth, _variable(target))) is not None:
        lines.append(f'-H "{own}"')  # double quotes, so that the shell puts the variable in
    lines.append(f"--data-raw {_quoted(request, dumps(dict(request.body)))}")
    return " \\\n  ".join(lines)


def _url(url: str) -> str:
    plain = url.endswith(KEPT_QUERY) and url.count("?") == 1 and "@" not in url.partition("//")[2].partition("/")[0]
    return url if plain else masked(url)


def _headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: HIDDEN if is_secret_name(name) else value for name, value in safe(headers.items())}


def _variable(target: Target) -> str:
    named = next(iter(target.provider.key_env), ANY_KEY)
    return named if named.isidentifier() else ANY_KEY


def _auth(auth: Auth | None, variable: str) -> str | None:
    match auth:
        case None:
            return None
        case Auth.BEARER:
            return f"Authorization: Bearer ${variable}"
        case Auth.X_API_KEY | Auth.X_GOOG_API_KEY:
            return f"{auth.value}: ${variable}"


def _quoted(request: HttpRequest, text: str) -> str:
    key = request.key.reveal() if request.key is not None else ""
    return shlex.quote(text.replace(key, "***") if len(key) > 5 else text)
