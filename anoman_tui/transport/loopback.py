"""Which hosts are this machine."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host in ("localhost", "::1") or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
