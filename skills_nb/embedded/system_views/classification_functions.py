"""SYSTEM$CLASSIFY: samples read with the caller's rights, results kept, tags set on demand.

Room: embedded. A sample is what the caller's role may see: masked values stay masked.

See https://docs.snowflake.com/en/sql-reference/stored-procedures/system_classify
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.authorizer import access, name_resolution
from skills_nb.embedded.catalog.entities import CLASSIFIED, Entity, Kind, Parameter
from skills_nb.embedded.catalog.table_details import columns_shown
from skills_nb.embedded.classification import ColumnSample, CustomCategory, classify_table
from skills_nb.embedded.executor import queries
from skills_nb.embedded.objects.attachments.attach import set_tags
from skills_nb.embedded.objects.instances import classification_profile, custom_classifier
from skills_nb.embedded.objects.instances.instance_methods import state_of
from skills_nb.embedded.physical import duck_sql, matching
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.errors import SqlError
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import render_name

_SAMPLE = 10_000
KEPT = "CLASSIFICATION_RESULT"
KEPT_ON = "CLASSIFIED_ON"
_OPTIONS = frozenset(
    {"sample_count", "auto_tag", "use_all_custom_classifiers", "custom_classifiers"}
)
SEMANTIC = ("SNOWFLAKE", "CORE", "SEMANTIC_CATEGORY")
PRIVACY = ("SNOWFLAKE", "CORE", "PRIVACY_CATEGORY")


Options = Mapping[str, Any] | str | None
"""What SYSTEM$CLASSIFY takes besides the name: options, or the name of a profile."""


def classify(session: Context, name: str, options: Options = None) -> str:
    """Classify one table or view; keep the result; tag its columns as options or profile say."""
    path = session.qualify(names.typed_path(name))
    entity = name_resolution.readable(session, path, session.env())
    if isinstance(options, str):
        found = _by_profile(session, entity, classification_profile.existing(session, options))
    else:
        found = _by_options(session, entity, _options(options))
    body = json.dumps(found, default=str)
    session.account.catalog.put(Parameter(entity.id, KEPT, body))
    now = session.account.clock().isoformat()
    session.account.catalog.put(Parameter(entity.id, KEPT_ON, now))
    return body


def _by_profile(session: Context, entity: Entity, profile: Entity) -> dict[str, Any]:
    """Classify as a profile says, and set the tags that it asks for.

    See https://docs.snowflake.com/en/user-guide/classify-auto
    """
    state = state_of(profile)
    if entity.kind is Kind.VIEW and not state.get("classify_views", False):
        raise errors.unsupported("SYSTEM$CLASSIFY of a view by a profile without classify_views")
    found = classify_table(
        _samples(session, entity, _SAMPLE),
        custom=_matching(session, classification_profile.categories(state)),
        profile=".".join(profile.path),
    )
    if state.get("auto_tag"):
        _tag(session, entity, found["classification_result"])
    _map_tags(session, entity, found["classification_result"], state)
    return found


def _map_tags(
    session: Context, entity: Entity, result: Mapping[str, Any], state: dict[str, Any]
) -> None:
    """Set the tags that the profile maps the recommended categories to."""
    for column, found in result.items():
        category = (found.get("recommendation") or {}).get("semantic_category")
        if category is not None:
            pairs = classification_profile.tags_for(state, category)
            tags = tuple(ast.TagValue(*pair) for pair in pairs)
            set_tags(session, entity, column, tags, CLASSIFIED)


def _by_options(session: Context, entity: Entity, chosen: Mapping[str, Any]) -> dict[str, Any]:
    found = classify_table(
        _samples(session, entity, int(chosen.get("sample_count", _SAMPLE))),
        custom=_matching(session, _custom(session, chosen)),
    )
    if chosen.get("auto_tag"):
        _tag(session, entity, found["classification_result"])
    return found


def _matching(session: Context, categories: Iterator[CustomCategory]) -> tuple[CustomCategory, ...]:
    """Return categories whose expressions the database matches."""
    matcher = partial(matching.matched, session.connection, any_case=True)
    return tuple(replace(category, matcher=matcher) for category in categories)


def _custom(session: Context, chosen: Mapping[str, Any]) -> Iterator[CustomCategory]:
    """Yield the categories of the classifiers that the options name, or of all that may be used."""
    catalog = session.account.catalog
    if chosen.get("use_all_custom_classifiers"):
        found = [e for e in catalog.within(Kind.CUSTOM_CLASSIFIER) if access.sees(session, e)]
    else:
        listed = chosen.get("custom_classifiers", ())
        found = [
            access.existing(session, Kind.CUSTOM_CLASSIFIER, names.typed_path(str(one)))
            for one in listed
        ]
    for entity in found:
        yield from custom_classifier.categories(".".join(entity.path), state_of(entity))


def extract(session: Context, name: str, rows: float = _SAMPLE) -> str:
    """Tell the categories of a table's columns; nothing is kept or tagged.

    See https://docs.snowflake.com/en/sql-reference/functions/extract_semantic_categories
    """
    entity = name_resolution.readable_here(session, names.typed_path(name))
    chosen = _options({"sample_count": rows})
    found = classify_table(_samples(session, entity, int(chosen["sample_count"])))
    return json.dumps(found["classification_result"], default=str)


def associate(session: Context, name: str, result: object) -> str:
    """Set the tags of what EXTRACT_SEMANTIC_CATEGORIES told.

    Raises:
        SqlError: the result is no object (1014), or the table is not there or is hidden (2003).

    See
    https://docs.snowflake.com/en/sql-reference/stored-procedures/associate_semantic_category_tags
    """
    entity = access.existing(session, Kind.TABLE, names.typed_path(name))
    if not isinstance(result, Mapping) or not all(
        found is None or isinstance(found, Mapping) for found in result.values()
    ):
        raise errors.invalid_argument("ASSOCIATE_SEMANTIC_CATEGORY_TAGS needs an object")
    _tag(session, entity, result)
    count = sum(bool((found or {}).get("recommendation")) for found in result.values())
    return (
        f"Applied tag semantic_category to {count} columns. "
        f"Applied tag privacy_category to {count} columns."
    )


def _options(options: object) -> Mapping[str, Any]:
    given = options or {}
    if not isinstance(given, Mapping):
        raise errors.invalid_argument(f"SYSTEM$CLASSIFY needs an object of options, not {options}")
    for key in given:
        if key not in _OPTIONS:
            raise errors.unsupported(f"SYSTEM$CLASSIFY option {key}")
    count = given.get("sample_count", _SAMPLE)
    try:
        is_within = 1 <= float(str(count)) <= _SAMPLE
    except ValueError:
        is_within = False
    if not is_within:
        raise errors.invalid_argument(f"sample_count {count} is not within 1 and {_SAMPLE}")
    return given


def _samples(session: Context, entity: Entity, count: int) -> list[ColumnSample]:
    table = exp.Table(
        this=names.quoted(entity.path[2]),
        db=names.quoted(entity.path[1]),
        catalog=names.quoted(entity.path[0]),
    )
    query, _ = queries.governed(session, exp.select("*").from_(table).limit(count))
    rows = session.cursor.execute(duck_sql.tree(query)).fetchall()
    return [
        ColumnSample(column.name, column.type.sql, [row[i] for row in rows])
        for i, column in enumerate(columns_shown(entity.detail))
    ]


def _tag(session: Context, entity: Entity, result: Mapping[str, Any]) -> None:
    for column, found in result.items():
        recommended = found.get("recommendation") or {}
        pairs = [
            (SEMANTIC, recommended.get("semantic_category")),
            (PRIVACY, recommended.get("privacy_category")),
        ]
        tags = tuple(ast.TagValue(tag, str(value)) for tag, value in pairs if value)
        set_tags(session, entity, column, tags, CLASSIFIED)


def classify_schema(session: Context, name: str, options: Options = None) -> str:
    """Classify every table of a schema; one that fails does not stop the others.

    Raises:
        SqlError: the schema is not there or is hidden (2003).

    See https://docs.snowflake.com/en/sql-reference/stored-procedures/system_classify_schema
    """
    path = names.typed_path(name)
    full = path if len(path) == 2 else session.qualify_as(Kind.SCHEMA, path)
    access.existing(session, Kind.SCHEMA, full)
    failed: list[dict[str, str]] = []
    succeeded: list[dict[str, str]] = []
    for entity in session.account.catalog.children(Kind.TABLE, full):
        if entity.kind is not Kind.TABLE:
            continue
        shown = ".".join(entity.path)
        try:
            classify(session, _typed(entity), options)
        except SqlError as error:
            failed.append({"table_name": shown, "message": error.message})
        else:
            succeeded.append({"table_name": shown})
    return json.dumps({"failed": failed, "succeeded": succeeded})


def _typed(entity: Entity) -> str:
    return render_name(entity.path)


def last_result(session: Context, name: str) -> str | None:
    """See https://docs.snowflake.com/en/sql-reference/functions/system_get_classification_result."""
    entity = name_resolution.readable_here(session, names.typed_path(name))
    kept = session.account.catalog.get(Parameter, (entity.id, KEPT))
    return kept.value if kept is not None else None
