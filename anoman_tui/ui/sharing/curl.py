"""A request as a command for the shell; where the key was stands the variable that holds it."""

import re
import shlex

from anoman_tui.core.headers import safe
from anoman_tui.core.jsonish import dumps
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.target import Auth, Provider, masked

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NO_VARIABLE = "API_KEY"
KEPT_QUERY = "?alt=sse"


def curl(request: HttpRequest, provider: Provider) -> str:
    """The command. It holds no key, and no header that may hold one."""
    lines = [f"curl -N -X {shlex.quote(request.method)} {shlex.quote(_url(request.url))}"]
    lines += [f"-H {shlex.quote(f'{name}: {value}')}" for name, value in safe(request.headers.items())]
    if request.auth is not None:
        lines.append(f'-H "{_auth(request.auth, _variable(provider))}"')
    lines.append(f"--data-raw {shlex.quote(dumps(request.body))}")
    return " \\\n  ".join(lines) + "\n"


def _url(url: str) -> str:
    """A query may hold a key; the one that asks for a stream does not."""
    return url if url.endswith(KEPT_QUERY) and url.count("?") == 1 and "@" not in url.partition("//")[2].partition("/")[0] else masked(url)


def _variable(provider: Provider) -> str:
    return next((name for name in provider.key_env if _VARIABLE.fullmatch(name)), NO_VARIABLE)


def _auth(auth: Auth, variable: str) -> str:
    match auth:
        case Auth.BEARER:
            return f"Authorization: Bearer ${variable}"
        case Auth.X_API_KEY | Auth.X_GOOG_API_KEY:
            return f"{auth.value}: ${variable}"
