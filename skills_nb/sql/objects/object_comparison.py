"""Whether an object is still as it was left, told in words where it is not.

Room: sql. What changes by itself (counts, states of a warehouse, moments of use) is not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skills_nb.sql.objects.prior_state import cell_of

Row = Mapping[str, Any]

_UNSTABLE = (
    "rows bytes is_default is_current is_inherited assigned_to_users granted_to_roles "
    "granted_roles running queued started_clusters available provisioning quiescing other actives "
    "pendings failed suspended uuid updated_on resumed_on last_committed_on last_suspended_on "
    "last_suspended_reason last_altered last_altered_on last_ddl last_ddl_by stale stale_after "
    "refreshed_on data_timestamp last_refreshed_on used_credits remaining_credits "
    "last_success_login expires_at_time locked_until_time mins_to_unlock days_to_expiry "
    "has_password ext_authn_uid search_optimization_progress search_optimization_bytes "
    "target_completion_percent active_nodes idle_nodes compacted_on behind_by invalid "
    "invalid_reason "
)
_IN_WORDS = {"cluster_by": "clustering key"}
"""Columns of SHOW whose names do not say what they hold."""
_OF_THEMSELVES = frozenset(_UNSTABLE.split())
"""Columns of SHOW that change by themselves, or because of what is done with other objects."""
_WAREHOUSE_STATE = frozenset({"state"})
_OF_A_GRANT = (
    "privilege",
    "grant_on",
    "granted_on",
    "name",
    "grant_to",
    "granted_to",
    "grantee_name",
    "role",
    "grant_option",
)
_MOST_NAMED = 3
_COUNTER = "next_value"
_SINCE = "created_on"


def is_of_itself(column: str) -> bool:
    """Return whether a column of SHOW changes without anybody's doing anything to the object."""
    return column.lower() in _OF_THEMSELVES


@dataclass(frozen=True, slots=True)
class Look:
    """What a query answered."""

    rows: Sequence[Row]
    """As answered, each by the names of its columns."""
    is_refused: bool = False
    """Whether the account refused the query; `rows` are empty then."""
    is_missing: bool = False
    """Whether it was refused because the object is not there, or is hidden."""

    @property
    def is_there(self) -> bool:
        """Return whether the object was there."""
        return bool(self.rows) and not self.is_refused

    @property
    def created_on(self) -> str | None:
        """Return the moment at which the object was made; None where none is told."""
        return cell_of(self.rows[0], _SINCE) if self.rows else None


def object_difference(
    query: str, then: Look, now: Look, *, with_counter: bool = False
) -> str | None:
    """Return what happened to an object between two looks at it, or None where nothing did.

    Args:
        query: what was asked.
        then: the earlier look.
        now: the later look.
        with_counter: whether the numbers that a sequence has given out are part of it.
    """
    if now.is_refused and not now.is_missing:
        return "it can't be looked at any more"
    if then.is_refused and not then.is_missing:
        return "how it was left is not known"
    if then.is_there and not now.is_there:
        return "it is not there any more"
    if then.created_on != now.created_on or (now.is_there and not then.is_there):
        return "another one has that name now"
    changed = _changed_columns(query, then.rows, now.rows)
    if changed == (_COUNTER,):
        return "another session drew numbers from it" if with_counter else None
    changed = tuple(column for column in changed if column != _COUNTER)
    return _said_of_columns(changed, now.rows) if changed else None


def grants_difference(then: Look, now: Look, query: str = "") -> str | None:
    """Return what others granted or revoked between two looks at grants, or None."""
    if then.is_refused or now.is_refused:
        return None
    before, after = _grants(then.rows), _grants(now.rows)
    more, fewer = after - before, before - after
    if more:
        return f"another session granted {_said_of_grants(more, query)}"
    return f"another session revoked {_said_of_grants(fewer, query)}" if fewer else None


def columns_difference(then: Look, now: Look) -> str | None:
    """Return what others did to the columns of a table or view between two looks, or None.

    A column that came harms nothing that names its columns: it is told beside one that went.
    """
    if then.is_refused or now.is_refused:
        return None
    before, after = _types(then.rows), _types(now.rows)
    gone = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    other = [name for name in after if before.get(name, after[name]) != after[name]]
    told = [_listed("it no longer has", gone)]
    told += [_listed("it has the new", new)] if gone else []
    told += [_listed("there is another type in", other)]
    return ", and ".join(filter(None, told)) or None


def policies_difference(then: Look, now: Look) -> str | None:
    """Return which policies others set or took away between two looks, or None."""
    if then.is_refused or now.is_refused:
        return None
    before, after = _policies(then.rows), _policies(now.rows)
    told = [f"{one} is on it now" for one in after if one not in before]
    told += [f"{one} is no longer on it" for one in before if one not in after]
    more = f" and {len(told) - _MOST_NAMED} more" if len(told) > _MOST_NAMED else ""
    return ", ".join(told[:_MOST_NAMED]) + more if told else None


def answers_differ(then: Look, now: Look) -> bool:
    """Return whether two looks that were both answered told something else."""
    if then.is_refused or now.is_refused:
        return False
    return _cells(then.rows) != _cells(now.rows)


def _changed_columns(query: str, then: Sequence[Row], now: Sequence[Row]) -> tuple[str, ...]:
    unstable = _OF_THEMSELVES
    if query.startswith("SHOW WAREHOUSES"):
        unstable |= _WAREHOUSE_STATE
    if len(then) != len(now):
        return ("attachments",)
    found: dict[str, None] = {}
    for before, after in zip(_sorted(then), _sorted(now), strict=True):
        for column in {**before, **after}:
            if column.lower() not in unstable and before.get(column) != after.get(column):
                found.setdefault(column.lower())
    return tuple(found)


def _sorted(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: repr(sorted((k, str(v)) for k, v in row.items())))


def _said_of_columns(columns: Sequence[str], now: Sequence[Row]) -> str:
    if "owner" in columns:
        return f"it belongs to {cell_of(now[0], 'owner') or 'nobody that can be seen'} now"
    words = ", ".join(_IN_WORDS.get(column, column.replace("_", " ")) for column in columns[:3])
    return f"another session changed its {words}"


def _grants(rows: Sequence[Row]) -> Counter[tuple[str | None, ...]]:
    return Counter(tuple(cell_of(row, column) for column in _OF_A_GRANT) for row in rows)


def _said_of_grants(found: Counter[tuple[str | None, ...]], query: str) -> str:
    one = dict(zip(_OF_A_GRANT, next(iter(found)), strict=True))
    privilege, name = one["privilege"], one["name"]
    # Of a user it says which roles there are, of a role who has it.
    role = one["role"] if query.startswith("SHOW GRANTS TO USER") else None
    granted = role or name or one["grant_on"] or one["granted_on"] or "it"
    what = f"{privilege} on {name}" if privilege else granted
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    to = (one["grant_to"] or one["granted_to"] or "").replace("_", " ")
    whom = f"{to} {one['grantee_name'] or ''}".strip()
    option = " with grant option" if (one["grant_option"] or "").lower() == "true" else ""
    return f"{what}{f' to {whom}' if whom else ''}{option}{more}"


def settings_differ(query: str, then: Look, now: Look) -> bool:
    """Return whether a parameter was set or unset for an object itself between two looks.

    What is set above it reaches it, too, and is nobody's doing here.
    """
    if then.is_refused or now.is_refused:
        return False
    kind = query.split()[3]
    return _settings(kind, then.rows) != _settings(kind, now.rows)


def _settings(kind: str, rows: Sequence[Row]) -> dict[str | None, str | None]:
    own = (row for row in rows if cell_of(row, "level") == kind)
    return {cell_of(row, "key"): cell_of(row, "value") for row in own}


def _types(rows: Sequence[Row]) -> dict[str, str]:
    return {cell_of(row, "name") or "": cell_of(row, "type") or "" for row in rows}


def _listed(verb: str, columns: Sequence[str]) -> str | None:
    if not columns:
        return None
    noun = "column" if len(columns) == 1 else "columns"
    more = f" and {len(columns) - _MOST_NAMED} more" if len(columns) > _MOST_NAMED else ""
    return f"{verb} {noun} {', '.join(columns[:_MOST_NAMED])}{more}"


def _policies(rows: Sequence[Row]) -> list[str]:
    """Name each policy, and the column that it is on."""
    found: dict[str, None] = {}
    for row in rows:
        kind = (cell_of(row, "policy_kind") or "policy").replace("_", " ").lower()
        column = cell_of(row, "ref_column_name")
        where = f" of column {column}" if column else ""
        found.setdefault(f"{kind} {cell_of(row, 'policy_name')}{where}")
    return list(found)


def _cells(rows: Sequence[Row]) -> Counter[str]:
    return Counter(repr([str(value) for value in row.values()]) for row in rows)
