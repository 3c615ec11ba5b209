"""The account's routines in Python: which worker holds whose handler, for one statement.

Room: embedded. A worker belongs to a routine's owner, to whoever the routine works for and to one
statement: what a handler keeps is seen by no other owner and no other caller, and by no later
statement.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

from skills_nb.embedded.catalog.pipeline_details import RoutineDetail
from skills_nb.embedded.confined import processes
from skills_nb.embedded.confined.processes import NoProcessError, Worker
from skills_nb.embedded.confined.worker_pipes import BrokenPipeEndError, Patience, parsed
from skills_nb.embedded.errors import python as refusals
from skills_nb.embedded.procedures.python import asking
from skills_nb.embedded.procedures.python.asking import Handler
from skills_nb.embedded.procedures.stopping import stopped
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types.data_types import MAX_TEXT
from skills_nb.embedded.types.lob_limit import MOST_BYTES, exceeded
from skills_nb.errors import SqlError

FUNCTION_S, PROCEDURE_S = 10.0, 60.0
"""How long a function may take for a row, and a procedure between two of its statements."""
_MOST_BYTES = 512 << 20
"""How much a function may return for the rows that are asked at once, a few thousand."""
_PACKAGES = ("numpy", "pandas", "pyarrow", "snowflake")
"""What takes long to load: code that names one gets a worker that has them."""


@dataclass(frozen=True, slots=True)
class Caller:
    """For whom a routine works."""

    session: Context
    """The session whose statement calls."""
    owner: str
    """Role that owns the routine."""
    invoker: str
    """Role that the routine is called by: the session's, or the owner of a view."""


@dataclass(slots=True)
class PythonRoutines:
    """Handlers and workers of an account."""

    trusted: bool = False
    """Whether Python runs where the machine cannot shut it in."""
    function_s: float = FUNCTION_S
    """Seconds that a function may take for a row."""
    procedure_s: float = PROCEDURE_S
    """Seconds that a procedure may take between two of its statements."""
    _callers: dict[int, tuple[Caller, Handler]] = field(default_factory=dict)
    _numbers: dict[tuple[int, str, str, RoutineDetail, int], int] = field(default_factory=dict)
    _workers: dict[tuple[str, str, str, bool, int], Worker] = field(default_factory=dict)
    _places: dict[str, Counter[RoutineDetail]] = field(default_factory=dict)
    """By statement, how often it calls a function in its text so far."""
    _count: count[int] = field(default_factory=lambda: count(1))
    _turn: threading.RLock = field(default_factory=threading.RLock)

    def number(self, session: Context, owner: str, invoker: str, detail: RoutineDetail) -> int:
        """Return the number that stands for a place where somebody calls a function.

        Args:
            session: the session whose statement calls.
            owner: role that owns the function.
            invoker: role by which it is called: the session's, or the owner of a view.
            detail: the function.
        """
        with self._turn:
            met = self._places.setdefault(session.statement.query_id, Counter())
            met[detail] += 1
            key = (session.id, owner, invoker, detail, met[detail])
            if key not in self._numbers:
                self._numbers[key] = made = next(self._count)
                self._callers[made] = (Caller(session, owner, invoker), Handler(made, detail))
            return self._numbers[key]

    def rows(self, number: int, packed: Sequence[str]) -> list[str | None]:
        """Return what a function's handler returns for each row of arguments.

        Raises:
            SqlError: it raises, ends, takes too long (100357), or its statement is ended.
        """
        caller, handler = self._callers[number]
        patience = Patience(self.function_s, lambda: stopped(caller.session))
        with asking.in_words(handler.detail, self.function_s):
            worker = self._worker(caller, handler)
            with worker.turn:
                asking.load(worker, handler, patience)
                body = f"[{','.join(packed)}]".encode("utf-8", "surrogatepass")
                worker.pipe.send({"do": "rows", "number": number}, body, patience)
                return _answers(worker, handler.detail, patience, len(packed))

    def expect(self, session: Context) -> None:
        """Begin to load what procedures need, without waiting for it."""
        opens = session.account.python_session
        with suppress(NoProcessError):
            processes.starter(opens.module if opens else None, trusted=self.trusted)

    def is_on(self) -> bool:
        """Tell whether handlers run here."""
        try:
            starter = processes.starter(None, trusted=self.trusted)
            return self.trusted or starter.holds
        except NoProcessError:
            return False

    def _worker(self, caller: Caller, handler: Handler) -> Worker:
        """Return the worker that a handler runs in.

        Where policies take part, each call has one of its own: what a handler is given by one
        call, whose answers may not be shown, another call could answer.
        """
        is_rich = any(name in handler.detail.body for name in _PACKAGES)
        statement = caller.session.statement
        alone = handler.number if statement.governed else 0
        key = (statement.query_id, caller.owner, caller.invoker, is_rich, alone)
        with self._turn:
            if key not in self._workers:
                self._workers[key] = self.begun(caller.session, is_rich=is_rich)
            return self._workers[key]

    def begun(self, session: Context, *, is_rich: bool) -> Worker:
        """Return a worker, which whoever asks for it ends.

        Args:
            session: whose statement needs it.
            is_rich: whether it has the packages of data science and Snowpark loaded.

        Raises:
            SqlError: the machine cannot shut it in, and nobody asked for Python all the same
                (0A000), or has no such processes (0A000).
            NoProcessError: it cannot be begun this time.
        """
        if not processes.can_begin():
            raise refusals.python_elsewhere()
        opens = session.account.python_session
        module = opens.module if is_rich and opens is not None else None
        try:
            starter = processes.starter(module, trusted=self.trusted)
            if not (self.trusted or starter.holds):
                raise refusals.python_off()
        except NoProcessError:
            raise refusals.python_off() from None
        return starter.begin()

    def end(self, query_id: str) -> None:
        """End the workers of a statement that is over."""
        if not self._workers and not self._places:
            return
        with self._turn:
            self._places.pop(query_id, None)
            over = [key for key in self._workers if key[0] == query_id]
            workers = [self._workers.pop(key) for key in over]
        for worker in workers:
            worker.end()

    def forget(self, session_id: int) -> None:
        """Forget what a session called that is over."""
        with self._turn:
            for key in [key for key in self._numbers if key[0] == session_id]:
                del self._callers[self._numbers.pop(key)]


def _check_size(value: str | None, detail: RoutineDetail) -> None:
    """Refuse a value that would lose its end on its way into the function's type.

    Raises:
        SqlError: it has more than 128 MB (100082), or its text is longer than texts are (100078).
    """
    if value is None or len(value) <= MAX_TEXT:
        return
    size = len(value.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise SqlError(exceeded(size), errno=100082, sqlstate="22000")
    if detail.returns is not None and detail.returns.kind == "TEXT":
        said = f"String '{value[:20]}...' is too long and would be truncated"
        raise SqlError(said, errno=100078, sqlstate="22000")


def _answers(
    worker: Worker, detail: RoutineDetail, patience: Patience, wanted: int
) -> list[str | None]:
    """Gather a worker's answers, one for each row.

    Raises:
        SqlError: they are more than the account would hold at once (100357).
    """
    found: list[str | None] = []
    size = 0
    while True:
        said, _, body = asking.heard(worker, detail, patience, "part", "rows")
        size += len(body)
        if size > _MOST_BYTES:
            said = f"The handler returned more than {_MOST_BYTES >> 20} MB for {wanted} rows"
            raise refusals.handler_failed(detail.name, detail.handler, said)
        part = parsed(body)
        if not isinstance(part, list) or not all(v is None or type(v) is str for v in part):
            raise BrokenPipeEndError
        for value in part:
            _check_size(value, detail)
        found += part
        if len(found) > wanted or (said == "part" and not part):
            raise BrokenPipeEndError
        if said == "rows":
            if len(found) != wanted:
                raise BrokenPipeEndError
            return found


def dumped(value: object) -> bytes:
    """Write a value as JSON for a worker."""
    return json.dumps(value, default=str).encode("utf-8", "surrogatepass")
