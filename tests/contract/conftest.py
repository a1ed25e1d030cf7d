"""A gateway and a network for all tests of the rules."""

from collections.abc import Iterator

import pytest

from anoman_tui.transport.limits import Limits
from anoman_tui.transport.network import Network
from tests.contract.kit import a_gateway, prepare


@pytest.fixture(scope="package")
def root() -> Iterator[str]:
    """A gateway that hardly pauses."""
    with a_gateway(0.02) as url:
        yield url


@pytest.fixture(scope="package")
def network() -> Iterator[Network]:
    """A network."""
    made = Network(prepare, Limits())
    yield made
    made.close()
