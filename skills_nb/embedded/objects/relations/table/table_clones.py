"""Clones of tables: copies of their rows, with policies and tags.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-clone
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import name_resolution, references
from skills_nb.embedded.catalog.entities import (
    Entity,
    Grant,
    Kind,
    PolicyRef,
    Record,
    TableDetail,
    TagRef,
)
from skills_nb.embedded.objects.lifecycle import create_steps
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage import physical_tables
from skills_nb.embedded.storage.time_travel import images, travel
from skills_nb.embedded.types.outcomes import status
from skills_nb.embedded.types.values import Outcome
from skills_nb.sql.governance import ast


def table(
    session: Context,
    source: Entity,
    path: tuple[str, ...],
    standing: Entity | None,
    *,
    kind: Kind = Kind.TABLE,
    kept: tuple[Grant, ...] | None = None,
    with_grants: bool = False,
    moment: int | None = None,
    modifiers: tuple[str, ...] = (),
) -> Entity:
    """Copy a table: its rows, now or at an instant, as stored, its policies and its tags.

    What it replaces may be the source itself. `kept` are the grants that it has, None for future
    ones; `with_grants` takes the source's along with these, as in a container that is cloned.

    Raises:
        SqlError: the source is no table (1512).
    """
    detail = source.detail
    if not isinstance(detail, TableDetail):
        raise errors.wrong_kind(source.kind.value, source.path, "TABLE")
    held = worn(session, source, with_grants=with_grants)
    if standing is not None:
        physical_tables.drop(session, standing)
    part = detail.dynamic if kind is Kind.DYNAMIC_TABLE else None
    part = replace(part, suspended=True) if part is not None else None
    made = replace(
        detail,
        place=physical_tables.free_place(session, path),
        dynamic=part,
        temporary=session.id if _TEMPORARY & set(modifiers) else 0,
        transient=detail.transient or "TRANSIENT" in modifiers,
        clone_group=detail.clone_group or source.id,
    )
    physical_tables.make(session, made)
    columns = tuple(c.name for c in detail.columns)
    session.account.touched.add(source.id)
    session.account.read_from.add(source.id)
    rows = images.at(session, detail.place, columns, moment)
    session.run(
        duck_sql.of(
            "INSERT INTO {target} ({columns}) {rows}",
            target=duck_sql.place(made.place),
            columns=duck_sql.names(columns),
            rows=rows,
        )
    )
    entity = create_steps.finish_create(session, kind, path, made, source.comment, kept)
    put_on(session, held, entity)
    return entity


@dataclass(frozen=True, slots=True)
class Worn:
    """What hangs on an object, read before a clone may take its place."""

    own: tuple[Record, ...]
    """Policies and tags of its own, and grants where they go along."""
    masking: tuple[TagRef, ...]
    """Tags in force on it that mask, its schema's and database's among them."""


def worn(session: Context, source: Entity, *, with_grants: bool = False) -> Worn:
    """Read what a clone of an object takes along, with its grants or without."""
    catalog = session.account.catalog
    kinds = (PolicyRef, TagRef, Grant) if with_grants else (PolicyRef, TagRef)
    own = tuple(one for one in catalog.about(source.id) if isinstance(one, kinds))
    in_force = references.effective_tags(session, source, "").values()
    return Worn(own, tuple(ref for ref, _ in in_force if catalog.policies_on(ref.tag_id)))


def put_on(session: Context, held: Worn, entity: Entity) -> None:
    """Let what its source wears hang on the copy, too.

    Tags that mask the source by its schema or database are put on a copy elsewhere.

    See https://docs.snowflake.com/en/user-guide/tag-based-masking-policies
    """
    catalog = session.account.catalog
    for record in held.own:
        assert isinstance(record, (PolicyRef, TagRef, Grant))
        catalog.put(replace(record, object_id=entity.id))
    standing = references.effective_tags(session, entity, "")
    for ref in held.masking:
        if ref.tag_id not in standing:
            catalog.put(replace(ref, object_id=entity.id))


def carry(session: Context, source: Entity, entity: Entity, *, with_grants: bool) -> None:
    """Let policies, tags and, if asked, grants of what still stands hang on its copy."""
    put_on(session, worn(session, source, with_grants=with_grants), entity)


_TEMPORARY = {"TEMPORARY", "TEMP"}


def moment_of(session: Context, clone: ast.Clone) -> int | None:
    """Return the instant that AT or BEFORE names; None for a clone of now."""
    return travel.of_clause(session, clone.at) if clone.at is not None else None


def create(session: Context, statement: ast.CreateClone) -> Outcome:
    """See https://docs.snowflake.com/en/sql-reference/sql/create-clone.

    Raises:
        SqlError: a temporary table would become a lasting one (0A000), or the source or the name
            cannot be had (2002, 2003, 3001).
    """
    source = name_resolution.readable_here(session, statement.clone.source)
    moment = moment_of(session, statement.clone)
    if moment is not None:
        travel.check_reach(session, source, moment)
    is_own = bool(_TEMPORARY & set(statement.modifiers))
    if getattr(source.detail, "temporary", 0) and not statement.modifiers:
        raise errors.unsupported("a lasting clone of a temporary table")
    path, standing, goes_on = create_steps.start_create(
        session,
        Kind.TABLE,
        statement.name,
        or_replace=statement.or_replace,
        if_not_exists=statement.if_not_exists,
        temporary=is_own,
    )
    if not goes_on:
        said = f"{path[-1]} already exists, statement succeeded."
        return status(said, "CREATE_TABLE")
    copies = statement.copy_grants
    table(
        session,
        source,
        path,
        standing,
        kept=create_steps.grants_kept(session, path, standing, source) if copies else None,
        moment=moment,
        modifiers=statement.modifiers,
    )
    return status(f"Table {path[-1]} successfully created.", "CREATE_TABLE")
