"""Changes of single actions of ALTER.

Room: sql.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name
from skills_nb.sql.objects.object_refs import Change, ObjectRef, Place


def changes_of_action(
    action: ast.Action,
    kind: str,
    name: ast.Name,
    place: Place,
    arguments: tuple[str, ...] | None = None,
) -> Iterator[Change]:
    """Return what one action changes; the session's own parameters are nobody else's."""
    if kind == "SESSION":
        return
    if isinstance(action, ast.AddColumns | ast.DropColumns):
        yield from _of_columns(action, kind, name, place)
        return
    for ref, detail in aspects_of(action, kind, name, place, arguments):
        yield Change("alter", ref, detail=detail)


def _of_columns(
    action: ast.AddColumns | ast.DropColumns, kind: str, name: ast.Name, place: Place
) -> Iterator[Change]:
    if isinstance(action, ast.DropColumns):
        for dropped in action.columns:
            yield Change("drop", place.column(kind, name, dropped, "definition"))
        return
    for column in action.columns:
        ref = place.column(kind, name, column.name, "definition")
        detail = attached_words(column.clauses)
        yield Change("create", ref, if_not_exists=action.if_not_exists, detail=detail)


def attached_words(clauses: tuple[ast.TableAction, ...]) -> dict[str, str] | None:
    """Return what comes with a new table or column, in words: it was not there to be altered."""
    words: list[str] = []
    for clause in clauses:
        for ref, detail in aspects_of(clause, "TABLE", ("-",), Place(None, None)):
            column = [ref.name[-1]] if ref.type == "column" else []
            words.append(" ".join([*column, *([ref.facet] if ref.facet else []), *detail.values()]))
    return {"attaches": "; ".join(words)} if words else None


def aspects_of(
    action: ast.Action,
    kind: str,
    name: ast.Name,
    place: Place,
    arguments: tuple[str, ...] | None = None,
) -> Iterator[tuple[ObjectRef, dict[str, str]]]:
    """Yield what an action alters, one reference for each thing that can be looked at."""
    match action:
        case ast.SetColumnMaskingPolicy(column=column, policy=policy):
            yield place.column(kind, name, column), _policy("set masking policy", policy)
        case ast.UnsetColumnMaskingPolicy(column=column):
            yield place.column(kind, name, column), {"action": "unset masking policy"}
        case ast.SetColumnProjectionPolicy(column=column, policy=policy):
            ref = place.column(kind, name, column, "projection policy")
            yield ref, _policy("set projection policy", policy)
        case ast.UnsetColumnProjectionPolicy(column=column):
            ref = place.column(kind, name, column, "projection policy")
            yield ref, {"action": "unset projection policy"}
        case ast.SetColumnTags(column=column, tags=tags):
            for tag in tags:
                yield place.column(kind, name, column, tag_facet(tag.tag, place)), _tag(tag)
        case ast.UnsetColumnTags(column=column, tags=names):
            for unset in names:
                ref = place.column(kind, name, column, tag_facet(unset, place))
                yield ref, {"action": "unset tag"}
        case ast.AlterColumn(column=column, change=change):
            ref = place.column(kind, name, column, "definition")
            yield ref, {"action": change.lower()}
        case ast.RenameColumn(column=column, to=to):
            ref = place.column(kind, name, column, "definition")
            yield ref, {"action": "rename", "to": to}
        case ast.SetTags(tags=tags):
            for tag in tags:
                yield place.ref(kind, name, tag_facet(tag.tag, place)), _tag(tag)
        case ast.UnsetTags(tags=names):
            for unset in names:
                yield place.ref(kind, name, tag_facet(unset, place)), {"action": "unset tag"}
        case _:
            yield from _whole(action, kind, name, place, arguments)


def _whole(
    action: ast.Action,
    kind: str,
    name: ast.Name,
    place: Place,
    arguments: tuple[str, ...] | None,
) -> Iterator[tuple[ObjectRef, dict[str, str]]]:
    """Yield what an action alters of the object itself or its policies."""
    match action:
        case ast.AddRowAccessPolicy(policy=policy):
            yield place.ref(kind, name, "row access policy"), _policy("add", policy)
        case ast.DropRowAccessPolicy(policy=policy):
            yield place.ref(kind, name, "row access policy"), _policy("drop", policy)
        case ast.DropAllRowAccessPolicies():
            yield place.ref(kind, name, "row access policy"), {"action": "drop all"}
        case ast.SetAggregationPolicy(policy=policy):
            yield place.ref(kind, name, "aggregation policy"), _policy("set", policy)
        case ast.UnsetAggregationPolicy():
            yield place.ref(kind, name, "aggregation policy"), {"action": "unset"}
        case ast.SetJoinPolicy(policy=policy):
            yield place.ref(kind, name, "join policy"), _policy("set", policy)
        case ast.UnsetJoinPolicy():
            yield place.ref(kind, name, "join policy"), {"action": "unset"}
        case ast.SetProperties(properties=properties, triggers=triggers):
            rest = [key for key in properties if not is_parameter(kind, key)]
            if rest := [*rest, *(["TRIGGERS"] if triggers else [])]:
                ref = place.ref(kind, name, arguments=arguments)
                yield ref, {"action": "set", "properties": ", ".join(rest)}
            yield from _parameters("set", properties, kind, name, place)
        case ast.UnsetProperties(names=names) if any(is_parameter(kind, key) for key in names):
            if not all(is_parameter(kind, key) for key in names):
                yield place.ref(kind, name, arguments=arguments), {"action": "UnsetProperties"}
            yield from _parameters("unset", names, kind, name, place)
        case ast.RenameTo(name=to):
            ref = place.ref(kind, name, arguments=arguments)
            yield ref, {"action": "rename", "to": render_name(to)}
        case ast.EntryAction(verb=verb):
            detail = {"action": verb.lower(), "verb": verb}
            yield place.ref(kind, name, arguments=arguments), detail
        case _:
            words = type(action).__name__
            yield place.ref(kind, name, arguments=arguments), {"action": words}


_PARAMETERS = {
    "USER": frozenset({"NETWORK_POLICY"}),
    "WAREHOUSE": frozenset({"STATEMENT_QUEUED_TIMEOUT_IN_SECONDS", "STATEMENT_TIMEOUT_IN_SECONDS"}),
}
"""Settings that SHOW of the kind leaves out, and SHOW PARAMETERS tells."""


def is_parameter(kind: str, key: str) -> bool:
    """Tell whether a setting of an object of a kind is looked up by SHOW PARAMETERS."""
    return kind == "ACCOUNT" or key.upper() in _PARAMETERS.get(kind, ())


def _parameters(
    action: str, keys: Iterable[str], kind: str, name: ast.Name, place: Place
) -> Iterator[tuple[ObjectRef, dict[str, str]]]:
    for key in keys:
        if is_parameter(kind, key):
            ref = place.ref(kind, name, f"parameter {key}")
            yield ref, {"action": action, "properties": key}


def tag_facet(tag: ast.Name, place: Place) -> str:
    """Return the facet of an object's tag."""
    return f"tag {render_name(place.qualified('TAG', tag))}"


def _policy(action: str, policy: ast.Name) -> dict[str, str]:
    return {"action": action, "policy": render_name(policy)}


def _tag(tag: ast.TagValue) -> dict[str, str]:
    return {"action": "set tag", "value": tag.value}
