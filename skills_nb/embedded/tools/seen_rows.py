"""A few rows as roles see them in two states of an account.

Room: embedded. Rules of this file:
- Rows are those that whoever asks can read in the earlier state with the active role alone.
- A value is told only if they see it themselves there, or if it is made of values that they see in
  the clear by a mask that looks at nothing else; anything more is `not shown`.
- Nothing but two copies is asked, and nothing is written where the copies come from.
Source: Snowflake manual, "Understanding row access policies", "Understanding masking policies".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import duckdb
from sqlglot import exp

from skills_nb.embedded.catalog.entities import Entity, Kind, PolicyDetail
from skills_nb.embedded.catalog.protection import protection_of
from skills_nb.embedded.catalog.table_details import TableDetail, columns_shown
from skills_nb.embedded.parser.parsing import parse_query
from skills_nb.embedded.tools.row_stage import RowStage, staged
from skills_nb.errors import SqlError
from skills_nb.ports.seen_rows import RowsOfRole, SeenCell, SeenRow, SeenRows, StandIn
from skills_nb.sql.identifiers import quote, split_name
from skills_nb.sql.json_values import json_safe

if TYPE_CHECKING:
    from skills_nb.embedded.catalog.catalog import Catalog
    from skills_nb.embedded.engine.account import Account

_MOST_TABLES, _MOST_ROLES, _MOST_COLUMNS, _MOST_ROWS = 3, 4, 5, 3
_MOST_TRIED = 9
"""So many rows are tried until three are found that whoever asks can read."""
_MOST_OF_VIEW = 1_000
"""Rows of a view that are looked through."""
_LIMIT_S = 20
_CALLED = re.compile(r'([\w$]+|"[^"]+")\s*\(')
_TOO_MANY = "This table has too many rows for the rehearsal copy, so none are shown."
_UNREAD = "Your active role reads no rows of it now, so none are shown."
_ELSEWHERE = "Its policies read tables whose rows the rehearsal copy does not have."
_DIFFERS = "The plan changes the table too much to show the same rows before and after."
Values = tuple[str | int | float | None, ...]


class _NotHereError(Exception):
    """The copy lacks rows that decide on an answer."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Two states of an account, as copies that may be staged."""

    before: Account
    """As the account is."""
    after: Account
    """Once the plan is done."""
    user: str
    """Who asks."""
    role: str
    """Whom it works as: the active role, and no other."""


def seen_rows(copies: Copies, matrices: Sequence[Mapping[str, Any]]) -> list[SeenRows]:
    """Return a few rows of each table that some role sees otherwise than before.

    Args:
        copies: the two states.
        matrices: what changes for which roles, as `access_changes` tells it.
    """
    before, after = _Eyes(copies.before, copies.user), _Eyes(copies.after, copies.user)
    try:
        told = [one for one in matrices if "table" in one][:_MOST_TABLES]
        return [_looked_at(_Look(copies.role, before, after), one) for one in told]
    finally:
        before.close()
        after.close()


class _Eyes:
    """Asks a copy as one role after another."""

    def __init__(self, account: Account, user: str) -> None:
        self.account = account
        self._session = account.session(user)
        self._session.statement_limit_s = _LIMIT_S

    @property
    def catalog(self) -> Catalog:
        return self.account.catalog

    def close(self) -> None:
        self._session.close()

    def ask(self, sql: str, role: str) -> list[Values] | None:
        """Return what a role finds; None where it is refused.

        Raises:
            _NotHereError: rows are missing that decide on it.
        """
        session, account = self._session, self.account
        account.read_from.clear()
        session.frame = replace(session.frame, role=role, secondary_mode="NONE", borrowed=True)
        try:
            rows = session.execute(sql).rows
        except SqlError:
            return None
        if not account.short.isdisjoint(account.read_from):
            raise _NotHereError
        return [tuple(map(_flat, row)) for row in rows]


@dataclass(frozen=True, slots=True)
class _Look:
    """Who looks at which copies."""

    own_role: str
    before: _Eyes
    after: _Eyes


def _looked_at(look: _Look, matrix: Mapping[str, Any]) -> SeenRows:
    table = str(matrix["table"])
    path = tuple(split_name(table))
    old, new = (eyes.catalog.find(Kind.TABLE, path) for eyes in (look.before, look.after))
    if old is None or new is None:
        return SeenRows(table, why=_DIFFERS)
    shared = {one.name for one in columns_shown(old.detail)}
    shared &= {one.name for one in columns_shown(new.detail)}
    columns = tuple(name for name in matrix["columns"] if name in shared)[:_MOST_COLUMNS]
    wanted = _Wanted(table, columns, tuple(_affected(matrix)))
    try:
        if isinstance(old.detail, TableDetail) and isinstance(new.detail, TableDetail):
            return _of_table(look, wanted, old, new)
        return _of_view(look, wanted)
    except _NotHereError:
        return SeenRows(table, why=_ELSEWHERE)
    except (duckdb.Error, SqlError):
        return SeenRows(table, why=_DIFFERS)


@dataclass(frozen=True, slots=True)
class _Wanted:
    table: str
    columns: tuple[str, ...]
    roles: tuple[tuple[str, bool, bool], ...]
    """(role, whether it reads the table before, and after)."""

    @property
    def query(self) -> str:
        return f"SELECT {', '.join(map(quote, self.columns))} FROM {self.table}"


def _affected(matrix: Mapping[str, Any]) -> Iterator[tuple[str, bool, bool]]:
    """Yield the roles for which something changes; a new row policy may change it for all."""
    is_for_all = len(set(matrix.get("rows") or ("",))) > 1
    roles = [one for one in matrix["roles"] if is_for_all or one["before"] != one["after"]]
    for one in roles[:_MOST_ROLES]:
        yield one["role"], *(set(one[when]) != {"no access"} for when in ("before", "after"))


def _flat(value: Any) -> str | int | float | None:
    told = json_safe(value)
    return json.dumps(told, ensure_ascii=False) if isinstance(told, list | dict) else told


# ---- tables: row by row


def _of_table(look: _Look, wanted: _Wanted, old: Entity, new: Entity) -> SeenRows:
    with staged(look.before.account, old) as before:
        if old.id in look.before.account.short:
            return SeenRows(wanted.table, why=_TOO_MANY)
        chosen = _chosen(look, wanted, before)
        if not chosen:
            return SeenRows(wanted.table, why=_UNREAD)
        before.choose(chosen)
        judged = [_judged(look, wanted, before, number, old) for number in range(len(chosen))]
        told = [_seen(look.before, wanted, before, judged, one, 1) for one in wanted.roles]
        with _as_before(look, before, old, new) as after:
            later = [_seen(look.after, wanted, after, judged, one, 2) for one in wanted.roles]
    safe = _by_plain_masks(look.after.catalog, new, judged, wanted)
    told = _withheld(told, judged, _by_plain_masks(look.before.catalog, old, judged, wanted))
    later = _withheld(later, judged, safe)
    roles = tuple(
        RowsOfRole(role, tuple(was), tuple(then))
        for (role, _, _), was, then in zip(wanted.roles, told, later, strict=True)
    )
    own = tuple(tuple(SeenCell(cell) for cell in one.own) for one in judged)
    return SeenRows(wanted.table, wanted.columns, own, roles)


@contextmanager
def _as_before(look: _Look, before: RowStage, old: Entity, new: Entity) -> Iterator[RowStage]:
    """Let the later copy's table hold the chosen rows of the earlier one."""
    held = {column.name for column in columns_shown(new.detail)}
    shared = [one.name for one in columns_shown(old.detail) if one.name in held]
    with staged(look.after.account, new) as after:
        # It holds other rows than its own: those of which it has too many are not asked for.
        is_short = new.id in look.after.account.short
        look.after.account.short.discard(new.id)
        try:
            after.take_chosen(look.before.account, shared)
            yield after
        finally:
            if is_short:
                look.after.account.short.add(new.id)


def _chosen(look: _Look, wanted: _Wanted, stage: RowStage) -> list[int]:
    """Return places of rows that whoever asks can read: far apart, because neighbours are alike."""
    count = stage.count()
    tried = min(count, _MOST_TRIED)
    places = [at * (count - 1) // max(tried - 1, 1) for at in range(tried)]
    stage.choose(places)
    found = []
    for number, place in enumerate(places):
        stage.put(number)
        if look.before.ask(wanted.query, look.own_role):
            found.append(place)
    middle = found[1:-1][len(found[1:-1]) // 2 :][:1]
    return [*found[:1], *middle, *found[-1:]] if len(found) > 1 else found


@dataclass(frozen=True, slots=True)
class _Judged:
    """One row, as whoever asks sees it."""

    own: Values
    clear: frozenset[str]
    """Columns, shown or not, of which they see the stored value itself."""


def _judged(look: _Look, wanted: _Wanted, stage: RowStage, number: int, old: Entity) -> _Judged:
    stage.put(number)
    names = [column.name for column in columns_shown(old.detail)]
    asked = f"SELECT {', '.join(map(quote, names))} FROM {wanted.table}"
    (seen,) = look.before.ask(asked, look.own_role) or [()]
    own = dict(zip(names, seen, strict=False))
    masks = protection_of(look.before.catalog, old).masks
    kept = dict(zip(names, map(_flat, stage.stored(names)), strict=True))
    clear = (one for one in own if one not in masks or own[one] == kept[one])
    shown = own or dict(
        zip(wanted.columns, (look.before.ask(wanted.query, look.own_role) or [()])[0], strict=False)
    )
    return _Judged(tuple(shown.get(name) for name in wanted.columns), frozenset(clear))


def _seen(
    eyes: _Eyes,
    wanted: _Wanted,
    stage: RowStage,
    judged: Sequence[_Judged],
    role: tuple[str, bool, bool],
    when: int,
) -> list[SeenRow]:
    """Return each chosen row as a role sees it, whatever may be told of it."""
    found = []
    for number in range(len(judged)):
        if not role[when]:
            found.append(_said("no access", wanted))
            continue
        stage.put(number)
        rows = eyes.ask(wanted.query, role[0])
        if rows is None:
            found.append(_said("not shown", wanted))
        else:
            row = rows[0] if rows else None
            found.append(_said("row hidden", wanted) if row is None else tuple(map(SeenCell, row)))
    return found


def _said(word: StandIn, wanted: _Wanted) -> SeenRow:
    return tuple(SeenCell(word=word) for _ in wanted.columns)


def _withheld(
    seen: Sequence[Sequence[SeenRow]], judged: Sequence[_Judged], safe: Sequence[Sequence[bool]]
) -> list[list[SeenRow]]:
    """Return rows without the values that whoever asks may not see."""
    return [
        [
            tuple(
                cell if cell.word or is_safe or cell.value == own else SeenCell(word="not shown")
                for cell, own, is_safe in zip(row, one.own, told, strict=True)
            )
            for row, one, told in zip(rows, judged, safe, strict=True)
        ]
        for rows in seen
    ]


def _by_plain_masks(
    catalog: Catalog, entity: Entity, judged: Sequence[_Judged], wanted: _Wanted
) -> list[list[bool]]:
    """Return for each row and column whether all that a value is made of is seen in the clear."""
    masks = protection_of(catalog, entity).masks
    made_of: dict[str, tuple[str, ...] | None] = {}
    for name in wanted.columns:
        ref = masks.get(name)
        is_plain = ref is None or _is_plain(catalog, ref.policy_id)
        made_of[name] = (name, *(ref.arguments if ref is not None else ())) if is_plain else None
    return [
        [
            (parts := made_of[name]) is not None and one.clear.issuperset(parts)
            for name in wanted.columns
        ]
        for one in judged
    ]


def _is_plain(catalog: Catalog, policy_id: int) -> bool:
    """Tell whether a mask looks at nothing but its arguments: at no table and no own function."""
    policy = catalog.by_id(policy_id)
    detail = policy.detail if policy is not None else None
    if not isinstance(detail, PolicyDetail):
        return False
    try:
        body = parse_query(f"SELECT {detail.body}").expressions[0]
    except SqlError:
        return False
    own = {one.path[-1].partition("(")[0] for one in catalog.within(Kind.FUNCTION)}
    called = {_stored(name) for name in _CALLED.findall(detail.body)}
    return body.find(exp.Select) is None and own.isdisjoint(called)


def _stored(name: str) -> str:
    return name[1:-1] if name.startswith('"') else name.upper()


# ---- views: whole rows that both see alike


def _of_view(look: _Look, wanted: _Wanted) -> SeenRows:
    """Return rows of a view: of others' only those that are seen just as whoever asks sees them."""
    own = _rows_of_view(look.before, wanted, look.own_role)
    if not own:
        return SeenRows(wanted.table, why=_UNREAD)
    chosen = list(dict.fromkeys((own[0], own[len(own) // 2], own[-1])))[:_MOST_ROWS]
    roles = []
    for role, was, then in wanted.roles:
        told = (
            _alike(eyes, wanted, chosen, role, may)
            for eyes, may in ((look.before, was), (look.after, then))
        )
        roles.append(RowsOfRole(role, *told))
    shown = tuple(tuple(map(SeenCell, row)) for row in chosen)
    return SeenRows(wanted.table, wanted.columns, shown, tuple(roles))


def _rows_of_view(eyes: _Eyes, wanted: _Wanted, role: str) -> list[Values]:
    return eyes.ask(f"{wanted.query} LIMIT {_MOST_OF_VIEW}", role) or []


def _alike(
    eyes: _Eyes, wanted: _Wanted, chosen: Sequence[Values], role: str, may: bool
) -> tuple[SeenRow, ...]:
    if not may:
        return tuple(_said("no access", wanted) for _ in chosen)
    found = _rows_of_view(eyes, wanted, role)
    return tuple(
        tuple(map(SeenCell, row)) if row in found else _said("not as you see it", wanted)
        for row in chosen
    )
