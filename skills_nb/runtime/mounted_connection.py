"""The mount: the real connector on a `Wire`, inside this process.

Room: work. A connection's HTTP adapter is swapped, so that every request it would send goes to the
wire: no socket is opened, and no module is patched. Telemetry, platform detection and certificate
checks, which would reach for the network, are off.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from snowflake.connector import SnowflakeConnection
from snowflake.connector import __version__ as _connector

try:
    from snowflake.connector.session_manager import HTTPAdapter, SessionManager, requests
    from snowflake.connector.session_manager import ProxySupportAdapter as ProxySupportAdapter
except ModuleNotFoundError as missing:
    # Another package of the same environment brought the fifth version, which has no such parts.
    # Loaded here alone: a handler's process runs this file, and has nothing else of this package.
    from skills_nb.errors import SkillsError

    raise SkillsError(
        f"snowflake-connector-python {_connector} is installed here; Snowpark and the embedded "
        "account take its fourth version",
        hint="python -m pip install 'snowflake-connector-python>=4.4,<5'; what needs the fifth, as "
        "snowflake-sqlalchemy does, works in an environment of its own on: skills-nb account serve",
    ) from missing

if TYPE_CHECKING:
    # Under its own name, for the rooms above: their signatures say it, and they know no Snowpark.
    from snowflake.snowpark import Session as Session

    from skills_nb.ports import Wire

HOST = "embedded.local"
_QUIET: dict[str, Any] = {
    "account": "embedded",
    "host": HOST,
    "protocol": "http",
    "port": 80,
    "password": "not-used",
    "platform_detection_timeout_seconds": 0.0,
    "disable_ocsp_checks": True,
    "login_timeout": 60,
    "validate_default_parameters": False,
    "client_session_keep_alive": False,
    "enable_connection_diag": False,
}


def _adapter_for(wire: Wire) -> Callable[..., Any]:
    """Make the adapter class that hands requests to one wire."""

    class WireAdapter(HTTPAdapter):  # type: ignore[misc]
        """Answers requests from the wire."""

        def send(self, request: Any, **_options: Any) -> Any:
            """Answer one prepared request."""
            document = wire.handle(request.method, request.url, request.headers, _body(request))
            return _response(request, document)

    return lambda **_options: WireAdapter()


def _body(request: Any) -> Mapping[str, Any]:
    raw = request.body
    if not raw:
        return {}
    if request.headers.get("Content-Encoding") == "gzip":
        raw = gzip.decompress(raw)
    body: Mapping[str, Any] = json.loads(raw)
    return body


def _response(request: Any, document: Mapping[str, Any]) -> Any:
    made = requests.Response()
    made.status_code = 200
    made.request, made.url = request, request.url
    made.encoding = "utf-8"
    piece = document.get("content")
    if piece is not None:
        made._content = piece
        return made
    if request.path_url.startswith("/results/"):
        made.status_code = 404
    made.headers["Content-Type"] = "application/json"
    made._content = json.dumps(document, default=str).encode()
    return made


class _InsideManager(SessionManager):  # type: ignore[misc]
    """Makes HTTP sessions that ask the environment for no proxy and no password."""

    def make_session(self, **options: Any) -> Any:
        """Make one session."""
        made = super().make_session(**options)
        made.trust_env = False
        return made


class MountedConnection(SnowflakeConnection):  # type: ignore[misc]
    """A connection whose requests go to a wire in this process."""

    def __init__(self, wire: Wire, **options: Any) -> None:
        """Connect; the options are the connector's own."""
        self._adapter_factory = _adapter_for(wire)
        super().__init__(**options)
        # Snowpark counts its calls whatever the session's parameter says.
        self._telemetry.disable()

    @property
    def _session_manager(self) -> Any:
        return self.__dict__.get("_mounted_manager")

    @_session_manager.setter
    def _session_manager(self, made: Any) -> None:
        """Take the manager that the connector makes, with the wire's adapter in it."""
        factory = self._adapter_factory
        self.__dict__["_mounted_manager"] = made and _InsideManager.from_config(
            made.config, adapter_factory=factory
        )


def connector_options(
    place: Mapping[str, str | None],
    session_parameters: Mapping[str, Any] | None,
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the connector's options for an account of ours, which reach for nothing else.

    Args:
        place: role, database, schema and warehouse; None for the user's own.
        session_parameters: what the session begins with.
        options: what the connector is told besides; it wins.
    """
    chosen = {key: value for key, value in place.items() if value is not None}
    parameters = {**(session_parameters or {}), "CLIENT_TELEMETRY_ENABLED": False}
    return {**_QUIET, **chosen, "session_parameters": parameters, **options}


def connect(
    wire: Wire,
    *,
    user: str,
    role: str | None = None,
    database: str | None = None,
    schema: str | None = None,
    warehouse: str | None = None,
    session_parameters: Mapping[str, Any] | None = None,
    **options: Any,
) -> SnowflakeConnection:
    """Log in over a wire.

    Raises:
        snowflake.connector.errors.DatabaseError: the user is unknown, or does not hold the role.
    """
    place = {"role": role, "database": database, "schema": schema, "warehouse": warehouse}
    return MountedConnection(
        wire, user=user, **connector_options(place, session_parameters, options)
    )


def join(wire: Wire, tokens: Mapping[str, str], *, user: str) -> SnowflakeConnection:
    """Return a connection on a session that somebody began on the wire; whoever began it ends it.

    Raises:
        snowflake.connector.errors.ProgrammingError: the session has ended.
    """
    options = {**connector_options({}, None, {}), "server_session_keep_alive": True}
    return MountedConnection(wire, user=user, **options, **tokens)


def session(connection: SnowflakeConnection) -> Session:
    """Return a Snowpark session over a connection."""
    from snowflake.snowpark import Session

    return Session.builder.configs({"connection": connection}).create()


def prepare() -> None:
    """Load what the sessions of handlers need, before there are any."""
    for name in ("snowflake.snowpark.functions", "snowflake.snowpark.types"):
        import_module(name)


@contextmanager
def handler_session(wire: Wire) -> Iterator[Session]:
    """Open the Snowpark session that a procedure's handler gets, in the process of the handler."""
    connection = connect(wire, user="INSIDE", paramstyle="qmark")
    made: Any = session(connection)
    # A session that closes cancels what it runs, which is the very call that it works for.
    made.cancel_all = lambda: None
    try:
        yield made
    finally:
        made.close()
        connection.close()
