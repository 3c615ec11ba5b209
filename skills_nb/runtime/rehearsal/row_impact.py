"""What a planned statement would do to rows, as far as its rehearsal can tell.

Room: work. A shadow that has the rows counts them. Where it has not (a real account's shadow, or
a table that is too large to borrow), the account is asked how many there are, which bounds what a
statement can do; what is planned before is reckoned with. What neither tells stays unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from skills_nb.engine.statements.row_changes import (
    Before,
    Rows,
    StatementAnswer,
    row_change_of,
    rows_in_listing,
    rows_query,
)
from skills_nb.errors import SqlError
from skills_nb.model.events import ModifiedObject
from skills_nb.ports import InnerStatement, RehearsalAccount, RehearsedOutcome, SqlReader
from skills_nb.sql.objects import Change, ObjectRef, RowEffects, counting_query
from skills_nb.sql.objects.nondeterminism import chooses, is_left_to_chance, makes_chance


@dataclass(slots=True)
class KnownRows:
    """How many rows tables hold while a plan is rehearsed."""

    account: SqlReader
    """The real one, which is only read."""
    shadow: RehearsalAccount
    """Where the planned statements run."""
    _reckoned: dict[str, int | None] = field(default_factory=dict)
    """Rows, by full name, of tables that the plan changed and the shadow has no rows of."""
    _loose: set[str] = field(default_factory=set)
    """Those of them for which the number is only the most that there can be."""
    _is_untouched: bool = True
    """Whether the plan left everything so far as the account has it, but for what it made new."""
    _is_by_chance: bool = False
    """Whether the plan wrote values that will be others when it is done."""
    _are_names_moved: bool = False
    """Whether the plan gave a name to something else, so that the account's means another thing."""

    def before(self, effects: RowEffects, role: str | None) -> Before:
        """Look at the rows of what a statement is about, before it runs."""
        held = {one.target.fqn: self._rows(one.target, role) for one in effects.effects}
        return lambda target: held.get(target.fqn)

    def _rows(self, target: ObjectRef, role: str | None) -> Rows | None:
        here = _shown(self.shadow, target, role)
        if not here or self.shadow.has_rows_of(target.name):
            return here
        there = None if self._are_names_moved else _shown(self.account, target, role)
        return {fqn: self._reckoned.get(fqn, (there or {}).get(fqn)) for fqn in here}

    def note(self, sql: str, changes: Sequence[Change]) -> None:
        """Note what a statement does to what is asked later."""
        self._is_by_chance = self._is_by_chance or makes_chance(sql)
        made = (one.action == "create" and not one.replaces for one in changes)
        self._is_untouched = self._is_untouched and bool(changes) and all(made)
        if any(one.detail is not None and one.detail.get("action") == "rename" for one in changes):
            self._are_names_moved = True

    def done(
        self,
        effects: RowEffects,
        before: Before,
        outcome: RehearsedOutcome | None,
        sent: tuple[str, str | None],
    ) -> list[ModifiedObject]:
        """Return what a statement did to rows.

        Args:
            effects: what its text says that it does.
            before: what stood before it.
            outcome: what its rehearsal came to; None where it could not be tried.
            sent: the statement, and the role that it runs as.
        """
        told = StatementAnswer() if self._may_differ(sent[0], outcome) else _told(effects, outcome)
        is_counted = told.row_count is not None or told.inner is not None
        if self._is_untouched and effects.is_direct and effects.effects and not is_counted:
            told = StatementAnswer(self._counted(*sent))
        made = row_change_of(effects, before, told)
        found = [self._bounded(one) for one in made]
        for one in found:
            self._reckon(one)
        return found

    def _may_differ(self, sql: str, outcome: RehearsedOutcome | None) -> bool:
        """Return whether the statement may be about other rows when it is done."""
        texts = (sql, *(one.sql for one in outcome.inner)) if outcome is not None else (sql,)
        if any(map(is_left_to_chance, texts)):
            return True
        return self._is_by_chance and any(map(chooses, texts))

    def _counted(self, sql: str, role: str | None) -> int | None:
        """Ask the account how many rows a statement would change, where a read can tell."""
        query = counting_query(sql)
        if query is None or is_left_to_chance(sql):
            return None
        try:
            ((count,),) = self.account.query(query, role=role).rows
        except (SqlError, ValueError):
            return None
        return int(count)

    def _bounded(self, one: ModifiedObject) -> ModifiedObject:
        """Call a number what it is where it rests on another that is not exact."""
        if one.fqn not in self._loose or one.rows is None or one.rows == one.how.get("inserted"):
            return one
        return one.model_copy(update={"rows_are": "at_most"})

    def _reckon(self, one: ModifiedObject) -> None:
        """Note how many rows a table holds after a change that the shadow cannot count."""
        before = self._reckoned.get(one.fqn, one.of)
        came, gone = one.how.get("inserted", 0), one.how.get("deleted", 0)
        self._reckoned[one.fqn] = None
        if before is None or one.rows is None or {"lost", "exchanged"} & set(one.how):
            return
        self._reckoned[one.fqn] = before + came - gone
        if one.rows_are != "exact":
            self._loose.add(one.fqn)


def _told(effects: RowEffects, outcome: RehearsedOutcome | None) -> StatementAnswer:
    """Return what an account would answer; without the rows, no number is to be believed."""
    if outcome is None:
        return StatementAnswer()
    inner = None if effects.is_direct else outcome.inner
    if outcome.are_rows_known:
        return StatementAnswer(outcome.row_count, outcome.row_counts, inner)
    return StatementAnswer(inner=None if inner is None else [_uncounted(one) for one in inner])


def _uncounted(one: InnerStatement) -> InnerStatement:
    return InnerStatement(one.sql, None, one.database, one.schema)


def _shown(reader: SqlReader, target: ObjectRef, role: str | None) -> Rows | None:
    """Ask how many rows a table, or everything in a schema, holds; None where that is refused."""
    query = rows_query(target)
    if query is None:
        return None
    try:
        found = reader.query(query, role=role)
    except SqlError:
        return None
    columns: Sequence[str] = found.columns
    return rows_in_listing(target, [dict(zip(columns, row, strict=True)) for row in found.rows])
