"""Everything that an embedded account holds, as flat facts that can be compared and added up.

It knows nothing of threads, and asks no part of the product what it thinks was changed. A fact is
about a thing (`TABLE SHOP.OPS.ORDERS`), has a facet (`column ID`, `grant SELECT to role CLERK`,
`row ID=1`) and a value; rows are counted, so that the work of two sessions on one table adds up.
Left out: instants, grantors, and where rows are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from skills_nb.embedded.catalog.entities import (
    Entity,
    FutureGrant,
    Grant,
    Kind,
    Parameter,
    PolicyRef,
    RoleGrant,
    TableDetail,
    TagRef,
    ViewDetail,
)
from skills_nb.embedded.catalog.object_details import StageDetail
from skills_nb.embedded.catalog.pipeline_details import SequenceDetail, StreamDetail
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.storage.files.opening import key_of
from skills_nb.errors import SqlError
from skills_nb.sql.identifiers import render_name

IDENTITY = "identity"
"""Facet that tells an object from another one of the same name."""
ROW = "row "
DERIVED = "shows "
"""Facets whose value follows from other things: what a view or a stream shows."""
_HIDDEN = frozenset(
    {
        *("place", "failures", "last_committed_on", "last_suspended_on", "data_moment"),
        *("refreshed", "expires_at", "text"),
    }
)
_NUMBERS = frozenset({"source_id", "after", "finalizes", "shared"})
"""Fields of details that name other objects by their number."""


class Fact(NamedTuple):
    """What a value is about."""

    thing: str
    """Kind and full name: `TABLE SHOP.OPS.ORDERS`."""
    facet: str

    @property
    def is_counted(self) -> bool:
        """Tell whether the value is a number of rows."""
        return self.facet.startswith((ROW, DERIVED))

    @property
    def name(self) -> str:
        """Return the thing's full name."""
        return self.thing.partition(": ")[2]


Fingerprint = Mapping[Fact, Any]


def fingerprint(account: Account) -> dict[Fact, Any]:
    """Return the facts of an account."""
    found: dict[Fact, Any] = {}
    with account.lock:
        for facts in (_objects, _attachments, _rows, _files, _shown):
            found.update(facts(account))
    return found


def difference(before: Fingerprint, after: Fingerprint) -> list[str]:
    """Return what separates two fingerprints, a line each, in words."""
    changed = [key for key in {*before, *after} if before.get(key) != after.get(key)]
    return [line_of(key, before.get(key), after.get(key)) for key in sorted(changed)]


def line_of(key: Fact, before: Any, after: Any) -> str:
    """Return one difference in words."""
    if key.is_counted:
        return f"{key.thing}: {key.facet}: {before or 0} -> {after or 0}"
    if before is None:
        return f"{key.thing}: {key.facet} is new: {after}"
    if after is None:
        return f"{key.thing}: {key.facet} is gone: {before}"
    return f"{key.thing}: {key.facet}: {before} -> {after}"


def _thing(entity: Entity) -> str:
    return f"{entity.kind.value}: {render_name(entity.path)}"


def _numbered(account: Account, number: int) -> str:
    if number == 0:
        return "ACCOUNT: account"
    found = account.catalog.by_id(number)
    if found is None:
        return "nothing"
    return _thing(found) if found.dropped_on is None else f"dropped {_thing(found)}"


def _live(account: Account, kind: type[Any]) -> list[Entity]:
    found = account.catalog.all(Entity)
    return [e for e in found if e.dropped_on is None and isinstance(e.detail, kind)]


# ---- objects


def _objects(account: Account) -> Iterator[tuple[Fact, Any]]:
    for entity in _live(account, object):
        thing = _thing(entity)
        yield Fact(thing, IDENTITY), entity.id
        yield Fact(thing, "owner"), entity.owner
        yield Fact(thing, "comment"), entity.comment
        yield from _details(account, thing, entity.detail)


def _details(account: Account, thing: str, detail: Any) -> Iterator[tuple[Fact, Any]]:
    for field in fields(detail):
        value = getattr(detail, field.name)
        if field.name in _HIDDEN:
            continue
        if field.name == "columns":
            for column in value:
                yield Fact(thing, f"column {column.name}"), _plain(column)
        elif field.name in _NUMBERS:
            numbers = value if isinstance(value, tuple) else (value,)
            yield Fact(thing, field.name), [_numbered(account, n) for n in numbers if n]
        else:
            yield Fact(thing, field.name), _plain(value)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        told = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        kept = {k: v for k, v in told.items() if k not in _HIDDEN and v not in (None, "", [], {})}
        return str(kept)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


# ---- what hangs on objects


def _attachments(account: Account) -> Iterator[tuple[Fact, Any]]:
    catalog = account.catalog
    for grant in catalog.all(Grant):
        if grant.privilege != "OWNERSHIP":
            on = _numbered(account, grant.object_id)
            facet = f"grant {grant.privilege} to {grant.grantee_kind} {grant.grantee}"
            yield Fact(on, facet), f"option={grant.grant_option}"
    for role in catalog.all(RoleGrant):
        yield (
            Fact(f"ROLE: {render_name((role.role,))}", f"to {role.grantee_kind} {role.grantee}"),
            True,
        )
    for future in catalog.all(FutureGrant):
        facet = f"future {future.privilege} on {future.kind.value} to {future.grantee}"
        yield Fact(_numbered(account, future.scope_id), facet), f"option={future.grant_option}"
    for parameter in catalog.all(Parameter):
        on = _numbered(account, parameter.object_id)
        yield Fact(on, f"parameter {parameter.name}"), parameter.value
    yield from _policies_and_tags(account)


def _policies_and_tags(account: Account) -> Iterator[tuple[Fact, Any]]:
    for policy in account.catalog.all(PolicyRef):
        facet = f"{policy.policy_kind.value} on column {policy.column!r} {policy.tag_slot}"
        value = f"{_numbered(account, policy.policy_id)} {policy.arguments}"
        yield Fact(_numbered(account, policy.object_id), facet), value
    for tag in account.catalog.all(TagRef):
        facet = f"tag {_numbered(account, tag.tag_id)} on column {tag.column!r}"
        yield Fact(_numbered(account, tag.object_id), facet), f"{tag.value} ({tag.method})"


# ---- rows and files


def _rows(account: Account) -> Iterator[tuple[Fact, Any]]:
    """Count equal rows as they are stored, whatever policies say."""
    cursor = account.store.cursor()
    for entity in _live(account, TableDetail):
        assert isinstance(entity.detail, TableDetail)
        told = [column.name for column in entity.detail.columns]
        asked = duck_sql.of(
            "SELECT {wanted} FROM {place}",
            wanted=duck_sql.names(told),
            place=duck_sql.place(entity.detail.place),
        )
        rows = cursor.execute(asked).fetchall()
        yield from counted(_thing(entity), ROW, (dict(zip(told, row, strict=True)) for row in rows))
    cursor.close()


def counted(
    thing: str, facet: str, rows: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[Fact, int]]:
    """Count equal rows."""
    for row, times in Counter(map(_row, rows)).items():
        yield Fact(thing, f"{facet}{row}"), times


def _row(values: Mapping[str, Any]) -> str:
    """Return a row without its NULLs: a column that came and went leaves no trace."""
    return ", ".join(f"{name}={value}" for name, value in values.items() if value is not None)


def _files(account: Account) -> Iterator[tuple[Fact, Any]]:
    for entity in _live(account, StageDetail):
        folder = account.files.folder(key_of(entity))
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                facet = f"file {path.relative_to(folder).as_posix()}"
                yield Fact(_thing(entity), facet), path.stat().st_size
    made = dict(account.store.cursor().execute(_SEQUENCES).fetchall())
    for entity in _live(account, SequenceDetail):
        assert isinstance(entity.detail, SequenceDetail)
        yield Fact(_thing(entity), "last number"), made.get(entity.detail.place)


_SEQUENCES = duck_sql.of("SELECT sequence_name, last_value FROM duckdb_sequences()")


# ---- what is shown


def _shown(account: Account) -> Iterator[tuple[Fact, Any]]:
    """Ask every view and stream, so that one whose source is gone is seen to be broken."""
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for entity in (*_live(account, ViewDetail), *_live(account, StreamDetail)):
        if entity.path[0] == "SNOWFLAKE" or entity.path[1] == "INFORMATION_SCHEMA":
            continue
        thing = _thing(entity)
        try:
            result = session.execute(f"SELECT * FROM {render_name(entity.path)}")
        except SqlError as error:
            yield Fact(thing, "answers"), f"error {error.errno}"
            continue
        yield Fact(thing, "answers"), True
        told = [column.name for column in result.columns]
        yield from net(thing, [dict(zip(told, row, strict=True)) for row in result.rows])
    session.close()


def net(thing: str, rows: list[dict[str, Any]]) -> Iterator[tuple[Fact, Any]]:
    """Count what is shown; what a stream shows as removed counts against what it shows as new."""
    total: Counter[str] = Counter()
    for row in rows:
        sign = -1 if row.pop("METADATA$ACTION", "") == "DELETE" else 1
        own = {name: value for name, value in row.items() if not name.startswith("METADATA$")}
        total[_row(own)] += sign
    for row, times in total.items():
        if times:
            yield Fact(thing, f"{DERIVED}{row}"), times


def kind_of(thing: str) -> Kind:
    """Return the kind of a fact's thing."""
    return Kind(thing.partition(": ")[0])
