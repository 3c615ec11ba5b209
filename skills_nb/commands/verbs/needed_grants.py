"""Which grants a role of its own needs for a playbook: `doctor --grants`.

Room: commands. The playbook is played to its end on a copy of the account, every proposal taken, by
a role that may do everything; what it sent is sent again on a second copy by a role that holds
nothing, and what that role is refused says which grants it needs. A third copy proves that the
playbook comes to its end with them. The account itself is only read.
"""

from __future__ import annotations

import re
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from skills_nb.commands import documents
from skills_nb.commands.home import embedded_accounts
from skills_nb.commands.reply import DONE, FAILED, Reply
from skills_nb.commands.verbs.goal_slips import refuse_slips
from skills_nb.embedded.catalog.entities import Kind
from skills_nb.errors import SqlError, UsageError
from skills_nb.ports import Fate, QueryRows, StatementOutcome
from skills_nb.sql.identifiers import quote, render_name, resolve, split_name

if TYPE_CHECKING:
    from skills_nb.commands.app_context import AppContext
    from skills_nb.embedded.engine.account import Account
    from skills_nb.embedded.tools.least_grants import Needed
    from skills_nb.model.events import AccountContext
    from skills_nb.model.skills import InputSpec, Playbook
    from skills_nb.ports import SqlSession

ROLE = "SKILLS_RUNNER"
"""What the role is called where nobody says otherwise."""
_A = TypeVar("_A")
_MOST_PAUSES = 60
_MOST_PROOFS = 4
_CONTAINERS = {1: "DATABASE", 2: "SCHEMA"}


@dataclass(slots=True)
class _Play:
    """What a playbook sent, and how it ended."""

    sent: list[tuple[str, str | None]] = field(default_factory=list)
    """(statement, role) of each that worked."""
    ended: str = ""
    """Where it stopped, in words; empty where it came to its end."""
    warehouse: str | None = None
    """What it worked with."""


def grants(app: AppContext, words: Namespace) -> Reply:
    """Say which grants a role needs to run a playbook, as statements to run.

    Raises:
        UsageError: there is no such playbook, or it must know more than it was told.
    """
    from skills_nb.embedded.tools.least_grants import Sent, least_grants
    from skills_nb.views import message

    library = app.wiring.library
    playbook = library.playbook(words.grants)
    inputs = documents.pairs(words.inputs, "--input")
    refuse_slips(playbook.ref, inputs, library)
    role = words.role or ROLE
    databases = [name for value in inputs.values() for name in _database_of(value)]
    with _copies(app, databases) as copy:

        def _play_with(held: Iterable[str]) -> _Play:
            return _played(app, playbook, inputs, role, copy(), held)

        everything = [f"GRANT ROLE ACCOUNTADMIN TO ROLE {quote(role)}"]
        play = _play_with(everything)
        account = copy()
        try:
            _make_role(account, role, [])
            sent = [Sent(sql, _runs_as(as_role, role)) for sql, as_role in play.sent]
            given = [*_given(account, playbook, inputs, role, play.warehouse)]
            needed = least_grants(account, role, play.warehouse, sent, given)
        finally:
            account.close()
        if not (play.ended or needed.beyond):
            # What a probe reads is no refusal: only playing it again shows that the grants do.
            play.ended = _proven(needed, role, lambda held: _play_with(held).ended)
    roles = sorted({one.role for one in sent} - {role})
    document = {
        "playbook": playbook.ref,
        "role": role,
        "grants": needed.grants,
        "held_by_user": roles,
        "not_covered": [{"sql": sql, "why": why} for sql, why in needed.beyond],
        "stopped": play.ended or None,
    }
    status = DONE if not (needed.beyond or play.ended) else FAILED
    return Reply(message(_text(playbook, [role, *roles], needed, play)), document, status)


def _proven(needed: Needed, role: str, plays: Callable[[Iterable[str]], str]) -> str:
    """Return where the playbook still stops; what its own probes ask for is granted, too."""
    asked = re.compile(rf"GRANT [A-Z ]+ ON [^;]+? TO ROLE {re.escape(quote(role))}(?![\w$])")
    ended = ""
    held = list(needed.grants)
    for _ in range(_MOST_PROOFS):
        try:
            ended = plays(needed.grants)
        except SqlError:
            # What the probe asks for is nothing that this account grants: it is named, not counted.
            needed.grants[:] = held
            return ended
        held = list(needed.grants)
        more = [one for one in dict.fromkeys(asked.findall(ended)) if one not in needed.grants]
        if not more:
            break
        needed.grants += more
    return ended


# ---- copies of the account


@contextmanager
def _copies(app: AppContext, databases: list[str]) -> Iterator[Callable[[], Account]]:
    """Yield what makes copies of the account; of one that is not embedded, of its empty twin."""
    from skills_nb.embedded.tools.least_grants import practice_account

    if app.wiring.connection.kind == "embedded":
        wire = app.wiring.account
        # Somebody must have asked it something before it is open.
        app.wiring.session.context()
        source, rows = embedded_accounts.shadow_source(wire), embedded_accounts.rows_of(wire)
        yield lambda: practice_account(source, rows)
        return
    from skills_nb.embedded.tools.mirror import mirrored

    session = app.wiring.session
    twin = mirrored(session, session.context(), databases)
    try:
        yield lambda: practice_account(twin.account, None)
    finally:
        twin.account.close()


def _make_role(account: Account, role: str, grants: Iterable[str]) -> None:
    admin = account.session("ADMIN", "ACCOUNTADMIN")
    if account.catalog.find(Kind.ROLE, (role,)) is not None:
        raise UsageError(
            f"there is a role '{role}' already, and what it holds would be counted in",
            hint="choose another name with --role, only to find the grants out",
        )
    admin.execute(f"CREATE ROLE {quote(role)}")
    admin.execute(f"GRANT ROLE {quote(role)} TO USER ADMIN")
    for grant in grants:
        admin.execute(grant)
    admin.close()


def _database_of(value: object) -> Iterator[str]:
    try:
        yield split_name(str(value))[0]
    except (SqlError, ValueError, UsageError):
        return


# ---- playing


def _played(
    app: AppContext,
    playbook: Playbook,
    inputs: Mapping[str, Any],
    role: str,
    account: Account,
    grants: Iterable[str],
) -> _Play:
    """Play the playbook on a copy as the role, which holds these grants there."""
    from skills_nb.embedded.tools.sharing import SharedAccountWire

    _make_role(account, role, grants)
    embedded_accounts.let_handlers_in(account)
    with tempfile.TemporaryDirectory() as folder:
        beside = app.beside(Path(folder) / ".skills")
        try:
            beside.wiring.__dict__["account"] = SharedAccountWire(account)
            play = _Play()
            session = _Recorder(_session_as(beside, role), play)
            play.warehouse = session.context().current_warehouse
            beside.wiring.__dict__["session"] = session
            _answer_all(beside, playbook, inputs, play)
            return play
        finally:
            beside.close()
            account.close()


def _session_as(app: AppContext, role: str) -> SqlSession:
    session = app.wiring.session
    session.execute(f"USE ROLE {quote(role)}", role=None, tag="doctor")
    return session


def _answer_all(
    app: AppContext, playbook: Playbook, inputs: Mapping[str, Any], play: _Play
) -> None:
    """Take every proposal; leave out what cannot be done and may be left out.

    Raises:
        UsageError: a question is open that nobody can answer in the person's place.
    """
    told = [word for name, value in inputs.items() for word in ("--input", f"{name}={value}")]
    reply = app.invoke(["run", playbook.ref, *told])
    for _ in range(_MOST_PAUSES):
        pause = reply.pause
        if pause is None:
            break
        if pause.kind == "input_question":
            raise _open_question(playbook, pause.at.removeprefix("input:").partition("#")[0])
        choices = ("approve", "proceed", "skip")
        choice = next((one for one in choices if pause.option(one) is not None), None)
        if choice is None:
            play.ended = pause.present
            return
        phrase = ["--phrase", pause.phrase] if pause.phrase else []
        reply = app.invoke(["respond", choice, "--at", pause.at, *phrase])
    if reply.document["status"] != "completed":
        play.ended = "it did not come to its end"


def _open_question(playbook: Playbook, name: str) -> UsageError:
    spec = playbook.input(name)
    about = f": {spec.description}" if spec is not None and spec.description else ""
    return UsageError(
        f"which grants '{playbook.name}' needs depends on '{name}'{about}",
        hint=f"say it: doctor --grants {playbook.name} --input {name}=VALUE",
    )


class _Recorder:
    """A session that notes what worked. Implements `ports.SqlSession`."""

    def __init__(self, session: SqlSession, play: _Play) -> None:
        """Wrap a session."""
        self._session = session
        self._play = play
        self._submitted: tuple[str, str | None] = ("", None)

    def context(self) -> AccountContext:
        """Return where and as whom the session works."""
        return self._session.context()

    def query(self, sql: str, *, role: str | None = None, limit: int = 10_000) -> QueryRows:
        """Run a read-only statement."""
        return self._noted(sql, role, lambda: self._session.query(sql, role=role, limit=limit))

    def execute(self, sql: str, *, role: str | None, tag: str) -> StatementOutcome:
        """Run a statement that may change the account."""
        return self._noted(sql, role, lambda: self._session.execute(sql, role=role, tag=tag))

    def submit(self, sql: str, *, role: str | None, tag: str) -> str:
        """Send a statement that may take long; return its query id."""
        self._submitted = (sql, role)
        return self._session.submit(sql, role=role, tag=tag)

    def outcome(self, query_id: str) -> StatementOutcome:
        """Wait for the statement that was submitted last."""
        return self._noted(*self._submitted, lambda: self._session.outcome(query_id))

    def fate(self, tag: str, *, query_id: str | None = None, sql: str | None = None) -> Fate:
        """Look a statement up in the query history."""
        return self._session.fate(tag, query_id=query_id, sql=sql)

    def close(self) -> None:
        """End the session."""
        self._session.close()

    def _noted(self, sql: str, role: str | None, run: Callable[[], _A]) -> _A:
        answer = run()
        self._play.sent.append((sql, role))
        return answer


def _runs_as(role: str | None, runner: str) -> str:
    from skills_nb.model.effects import EVERY_ROLE

    if role is None or role == EVERY_ROLE:
        return runner
    return runner if resolve(role) == "ACCOUNTADMIN" else resolve(role)


# ---- what the inputs say outright


def _given(
    account: Account,
    playbook: Playbook,
    inputs: Mapping[str, Any],
    role: str,
    warehouse: str | None,
) -> Iterator[str]:
    """Yield the grants that follow from what is named: to work there, and to know what is there."""
    to = f"TO ROLE {quote(role)}"
    if warehouse is not None:
        yield f"GRANT USAGE ON WAREHOUSE {quote(warehouse)} {to}"
    for spec in playbook.inputs:
        if spec.name in inputs:
            yield from _to_know(account, spec, str(inputs[spec.name]), to)


def _to_know(account: Account, spec: InputSpec, value: str, to: str) -> Iterator[str]:
    if spec.type not in ("database", "schema", "table", "scope"):
        return
    path = split_name(value)
    for depth in range(1, min(len(path), 2) + 1):
        kind = Kind(_CONTAINERS[depth])
        if account.catalog.find(kind, path[:depth]) is None:
            return
        yield f"GRANT USAGE ON {kind.value} {render_name(path[:depth])} {to}"
    if len(path) == 1 and spec.type == "scope":
        yield f"GRANT USAGE ON ALL SCHEMAS IN DATABASE {render_name(path)} {to}"
    if len(path) < 3 and spec.type == "scope":
        where = f"{_CONTAINERS[len(path)]} {render_name(path)}"
        yield f"GRANT SELECT ON ALL TABLES IN {where} {to}"
        yield f"GRANT SELECT ON ALL VIEWS IN {where} {to}"
    if len(path) == 3 and (found := account.catalog.find(Kind.TABLE, path)) is not None:
        yield f"GRANT SELECT ON {found.kind.value} {render_name(path)} {to}"


# ---- words


def _text(playbook: Playbook, roles: list[str], needed: Needed, play: _Play) -> str:
    name = quote(roles[0])
    lines = [
        f"-- What a role of its own needs to run '{playbook.name}' with these inputs.",
        "-- Run it as a role that may create roles and grant what is named here.",
        f"CREATE ROLE IF NOT EXISTS {name};",
        *(f"{grant};" for grant in needed.grants),
        "-- Whoever runs it takes these roles on, one after the other:",
        *(f"GRANT ROLE {quote(role)} TO USER <user>;" for role in roles),
    ]
    if any(grant.startswith("GRANT OWNERSHIP") for grant in needed.grants):
        lines.append("-- OWNERSHIP goes over to the role: only an owner may do what is done there.")
    for sql, why in needed.beyond:
        lines.append(f"-- No grant was found for this; it was refused: {_one_line(why)}")
        lines.append(f"--   {_one_line(sql)}")
    if play.ended:
        lines.append(
            "-- On a copy of the account the playbook stopped here, also with these grants;"
        )
        lines.append(f"-- what comes after it is not covered: {_one_line(play.ended)}")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    joined = " ".join(text.split())
    return joined if len(joined) <= 160 else f"{joined[:159]}…"
