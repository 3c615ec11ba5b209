"""A login on a wire, without the connector: what the engine's own statements need, and no more.

Room: work. It has the shape of the connector's connection and cursor as far as `SnowparkSession`
uses them, and costs no import of Snowflake's packages, which take longer to load than most commands
run. Files move through the connector alone, on the same session of the account.
Source: the connector's own requests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from skills_nb.errors import SqlError
from skills_nb.runtime.refusal_texts import number_of, words_of
from skills_nb.runtime.system_ports import RandomIds
from skills_nb.runtime.wire_cells import read_row, readers_of
from skills_nb.sql.tokens import leading_tokens
from skills_nb.version import __version__

if TYPE_CHECKING:
    from skills_nb.ports import Wire

_HOST = "http://embedded.local"
_CHANGES = range(0x3000, 0x3600)
"""Statement type ids whose answer counts rows."""
_MOVES_FILES = frozenset({"PUT", "GET"})
_LOGIN, _QUERY = "/session/v1/login-request", "/queries/v1/query-request"
_ABORT, _LOGOUT = "/queries/v1/abort-request", "/session/logout-request"
_AT_WORK = frozenset({"RUNNING", "RESUMING_WAREHOUSE", "QUEUED", "BLOCKED"})


class WireStatus(Enum):
    """How far a submitted statement is."""

    SUCCESS = auto()
    RUNNING = auto()
    NO_DATA = auto()
    """The account knows nothing of it."""


class WireColumn(NamedTuple):
    """A column of an answer."""

    name: str
    """As the account gives it."""
    type_name: str
    """The connector's name of its type."""


class WireSession:
    """One session of an account, from login to logout; it is its own `connection`."""

    def __init__(self, wire: Wire, *, user: str, role: str, warehouse: str) -> None:
        """Log in.

        Raises:
            SqlError: the account refused it, or cannot be reached.
        """
        self._wire = wire
        self._ids = RandomIds()
        self._token = ""
        self._zone = "UTC"
        self.user = user
        self.role: str | None = None
        self.warehouse: str | None = None
        self.database: str | None = None
        self.schema: str | None = None
        """Where the session stands, as the account last said."""
        self._files: Any = None
        told = self.ask(
            "POST",
            _LOGIN,
            {
                "data": {
                    "LOGIN_NAME": user,
                    "CLIENT_APP_ID": "skills_nb",
                    "CLIENT_APP_VERSION": __version__,
                }
            },
            roleName=role,
            warehouse=warehouse,
        )
        self._token = told["token"]
        place = told["sessionInfo"]
        self._stand(told, {f"final{name[0].upper()}{name[1:]}": place[name] for name in place})

    @property
    def connection(self) -> WireSession:
        """Return what statements are sent on."""
        return self

    @property
    def tokens(self) -> Mapping[str, str]:
        """Return what another client joins this session with; it never leaves the process."""
        return {"session_token": self._token, "master_token": self._token}

    def cursor(self) -> WireCursor:
        """Return what sends one statement."""
        return WireCursor(self)

    def get_query_status_throw_if_error(self, query_id: str) -> WireStatus:
        """Return how far a submitted statement is.

        Raises:
            SqlError: it failed, or the way to the account is broken.
        """
        told = self.ask("GET", f"/monitoring/queries/{query_id}")["queries"]
        if not told:
            return WireStatus.NO_DATA
        if told[0]["status"] in _AT_WORK:
            return WireStatus.RUNNING
        if told[0]["status"] == "SUCCESS":
            return WireStatus.SUCCESS
        raise SqlError(
            words_of(str(told[0]["errorMessage"])),
            errno=number_of(told[0]["errorCode"]),
            query_id=query_id,
        )

    def moving_files(self) -> Any:
        """Return the connector's connection on this very session, for PUT and GET."""
        if self._files is None:
            from skills_nb.runtime import mounted_connection

            self._files = mounted_connection.join(self._wire, self.tokens, user=self.user)
        return self._files

    def close(self) -> None:
        """Log out; what is closed already stays so.

        Raises:
            SqlError: the account did not end the session.
        """
        if self._files is not None:
            self._files.close()
            self._files = None
        if self._token:
            self.ask("POST", _LOGOUT)
            self._token = ""

    def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, **asked: str
    ) -> Mapping[str, Any]:
        """Send one request; return the answer's data.

        Raises:
            SqlError: the account refused it, or cannot be reached.
        """
        query = urlencode({**asked, "requestId": self._ids.event_id()})
        headers = {"Authorization": f'Snowflake Token="{self._token}"'} if self._token else {}
        answer = self._wire.handle(method, f"{_HOST}{path}?{query}", headers, body or {})
        data: Mapping[str, Any] = answer.get("data") or {}
        if not answer["success"]:
            raise SqlError(
                words_of(str(answer.get("message") or "the account gave no reason")),
                errno=number_of(answer.get("code")),
                sqlstate=data.get("sqlState") or None,
                query_id=data.get("queryId") or None,
            )
        self._stand(data, data)
        return data

    @property
    def zone(self) -> str:
        """Return the session's TIMEZONE, as the account last said."""
        return self._zone

    def _stand(self, data: Mapping[str, Any], place: Mapping[str, Any]) -> None:
        if "finalRoleName" in place:
            self.role, self.warehouse = place["finalRoleName"], place["finalWarehouseName"]
            self.database, self.schema = place["finalDatabaseName"], place["finalSchemaName"]
        for each in data.get("parameters") or ():
            if each["name"] == "TIMEZONE":
                self._zone = str(each["value"])


class WireCursor:
    """One statement and its answer."""

    def __init__(self, session: WireSession) -> None:
        """Send on this session."""
        self._session = session
        self._moving: Any = None
        self._take({"rowtype": (), "rowset": ()})

    def execute(
        self,
        sql: str,
        parameters: Sequence[str] | None = None,
        *,
        _statement_params: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run a statement and wait for it; return what holds its answer, None for no text.

        Args:
            sql: one statement; `%s` stands for a parameter where there are some.
            parameters: texts, bound by the account.
            _statement_params: of the session, for this statement alone; named as the connector
                names it.

        Raises:
            SqlError: the account refused it.
        """
        if not sql.strip():
            return None
        if _first_word(sql) in _MOVES_FILES:
            self._moving = self._session.moving_files().cursor()
            return self._moving.execute(sql, _statement_params=_statement_params)
        try:
            self._take(self._session.ask("POST", _QUERY, _body(sql, parameters, _statement_params)))
        except KeyboardInterrupt:
            self._session.ask("POST", _ABORT)
            raise
        return self

    def execute_async(self, sql: str, *, _statement_params: Mapping[str, Any]) -> None:
        """Send a statement and do not wait for it.

        Raises:
            SqlError: the account did not take it.
        """
        body = {**_body(sql, None, _statement_params), "asyncExec": True}
        self._take({"rowtype": (), "rowset": (), **self._session.ask("POST", _QUERY, body)})

    def query_result(self, query_id: str) -> WireCursor:
        """Take the answer of a statement that was submitted and has ended.

        Raises:
            SqlError: the account refuses it.
        """
        self._take(self._session.ask("GET", f"/queries/{query_id}/result"))
        return self

    def abort_query(self, query_id: str) -> None:
        """End a submitted statement; one that has ended stays as it is.

        Raises:
            SqlError: the account refuses it.
        """
        self._session.ask("POST", f"/queries/{query_id}/abort-request")

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        """Return the first rows, at most so many."""
        readers = readers_of(self._columns, self._session.zone)
        return [read_row(row, readers) for row in self._rows[:size]]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows."""
        return self.fetchmany(len(self._rows))

    def close(self) -> None:
        """Close the connector's cursor, where one was needed."""
        if self._moving is not None:
            self._moving.close()

    def _take(self, data: Mapping[str, Any]) -> None:
        self._columns: Sequence[Mapping[str, Any]] = data["rowtype"]
        self._rows: Sequence[Sequence[str | None]] = data["rowset"]
        self.description = [
            WireColumn(column["name"], str(column["type"]).upper()) for column in self._columns
        ]
        self.sfqid: str | None = data.get("queryId")
        self.rowcount: int | None = data.get("total")
        if data.get("statementTypeId", 0) in _CHANGES and self._rows:
            self.rowcount = sum(int(count or 0) for count in self._rows[0])


def _first_word(sql: str) -> str:
    first = leading_tokens(sql, 1)
    return first[0].text.upper() if first else ""


def _body(
    sql: str, parameters: Sequence[str] | None, given: Mapping[str, Any] | None
) -> dict[str, Any]:
    body: dict[str, Any] = {"sqlText": sql, "parameters": dict(given or {})}
    if parameters:
        body["sqlText"] = "%".join(part.replace("%s", "?") for part in sql.split("%%"))
        body["bindings"] = {
            str(at): {"type": "TEXT", "value": value} for at, value in enumerate(parameters, 1)
        }
    return body
