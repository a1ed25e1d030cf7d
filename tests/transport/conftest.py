"""A server and a network for the transport tests."""

from collections.abc import Iterator

import pytest

from anoman_tui.transport.network import Network
from tests.transport.client import a_network
from tests.transport.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A raw HTTP server on the loopback interface."""
    made = Server()
    yield made
    made.close()


@pytest.fixture
def network() -> Iterator[Network]:
    """A network with the default limits."""
    made = a_network()
    yield made
    made.close()
