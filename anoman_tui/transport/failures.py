"""What a broken connection or a bad setup means, in one clear sentence. No key ever stands in one."""

import os
from urllib.parse import urlsplit
from urllib.request import proxy_bypass

import httpx

from anoman_tui.core.events import Ending, ErrorInfo, FailureKind
from anoman_tui.core.request import Secret
from anoman_tui.transport.loopback import is_loopback


class SetupError(Exception):
    """The request cannot be made on this machine as it is; the message says what to mend."""


def redact(text: str, key: Secret | None) -> str:
    """The text without the key, also where it was quoted or cut at its ends."""
    if key is None:
        return text
    secret = key.reveal()
    for form in (secret, secret.strip(), repr(secret)[1:-1]):
        if len(form) >= 4:
            text = text.replace(form, "***")
    return text


def explain(error: Exception, url: str, key: Secret | None, *, headers_came: bool) -> tuple[Ending, str, ErrorInfo | None]:
    """How the stream ended, one sentence, and the error to show where the stream never began."""
    sentence = redact(_sentence(error, url), key)
    if headers_came and isinstance(error, httpx.DecodingError):
        return Ending.CUT, sentence, ErrorInfo(FailureKind.UNREADABLE, sentence)
    if headers_came and isinstance(error, httpx.TransportError):
        return Ending.CUT, sentence, None
    kind = FailureKind.CONNECTION if isinstance(error, httpx.TransportError | OSError) else FailureKind.SETUP
    return Ending.REFUSED, sentence, ErrorInfo(kind, sentence)


def _sentence(error: Exception, url: str) -> str:
    host = _host(url)
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    match error:
        case SetupError():
            return str(error)
        case httpx.ConnectTimeout():
            return f"no connection to {host} within the connect limit; check the address and the network"
        case httpx.ProxyError():
            return f"the proxy refused the connection to {host}; check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY ({said})"
        case httpx.ConnectError() if (variable := proxy_variable(url)) is not None:
            return f"no connection to {host} through the proxy that {variable} names: is it running? Correct or unset it ({said})"
        case httpx.ConnectError():
            return f"no connection to {host}: is a server running there, and is the base URL right? ({said})"
        case UnicodeEncodeError():
            return f"the request to {host} holds a header value with a letter outside ASCII; look for smart quotes in the key"
        case httpx.UnsupportedProtocol() | httpx.InvalidURL() | UnicodeError():  # a name that is no IDNA name is the latter
            return f"the URL {url!r} cannot be used; give a base URL such as http://127.0.0.1:8080/v1"
        case httpx.LocalProtocolError():
            return f"the request to {host} holds a header value that HTTP does not allow; look for blanks or line ends in the key"
        case httpx.RemoteProtocolError() if "without sending a response" in str(error):
            return f"{host} closed the connection before it answered"
        case httpx.RemoteProtocolError():
            return f"the connection to {host} ended inside the response ({error})"
        case httpx.ReadError() | httpx.WriteError() | httpx.CloseError():
            return f"the connection to {host} was reset ({said})"
        case httpx.DecodingError():
            return f"the response of {host} cannot be unpacked: {error}"
        case _:
            return f"the request to {host} failed ({said})"


def proxy_variable(url: str) -> str | None:
    """The variable whose proxy a request to the URL goes through; None where it goes straight."""
    parts = urlsplit(url)
    if parts.hostname is None or is_loopback(parts.hostname) or proxy_bypass(parts.hostname):
        return None
    names = (f"{parts.scheme.upper()}_PROXY", "ALL_PROXY")
    return next((name for name in names if os.environ.get(name) or os.environ.get(name.lower())), None)


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "the server"
    return f"{host}:{port}" if host and port else host or "the server"


def explain_client(error: Exception) -> SetupError:
    """Why an HTTP client could not even be made: the environment names something that is not there."""
    said = str(error)
    if isinstance(error, ImportError):
        return SetupError(
            "a SOCKS proxy is set in ALL_PROXY, HTTPS_PROXY or HTTP_PROXY, but its package is missing; pip install 'httpx[socks]'"
        )
    if isinstance(error, FileNotFoundError | IsADirectoryError | PermissionError) or "SSL" in type(error).__name__:
        return SetupError("the certificate file named by SSL_CERT_FILE or SSL_CERT_DIR cannot be read; correct or unset that variable")
    return SetupError(
        f"the proxy settings in HTTP_PROXY, HTTPS_PROXY, ALL_PROXY or NO_PROXY cannot be used ({type(error).__name__}: {said[:120]})"
    )
