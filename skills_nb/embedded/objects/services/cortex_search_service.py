"""Cortex search services; nothing is indexed and none is ever asked.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/sql/create-cortex-search
"""

from __future__ import annotations

from dataclasses import replace

from skills_nb.embedded.catalog.entities import Entity, Kind
from skills_nb.embedded.objects.entries.entry_ddl import Written, bare
from skills_nb.embedded.objects.entries.entry_kind import entry_kind
from skills_nb.embedded.objects.entries.entry_rows import Shown
from skills_nb.embedded.objects.entries.entry_rules import EntryRules, Held, Verb
from skills_nb.embedded.objects.entries.property_checks import between, listed, one_of, plain, text
from skills_nb.embedded.objects.object_kind import register
from skills_nb.embedded.session.context import Context
from skills_nb.sql.governance import ast

_PARTS = ("INDEXING", "SERVING")


def _turned(part: str, state: str) -> Verb:
    """Make what suspends or resumes one of the two parts."""
    return lambda session, entity, given, held: {**held, f"_{part}": state}


def _power(resumes: bool) -> Held:
    return {f"_{part}": "ACTIVE" if resumes else "SUSPENDED" for part in _PARTS}


def _cells(session: Context, e: Entity, held: Held) -> Held:
    attributes = held.get("ATTRIBUTES", [])
    return {
        "search_column": held["ON"],
        "attribute_columns": ",".join(attributes),
        "columns": ",".join([held["ON"], *attributes]),
        "definition": held["AS"],
        "indexing_state": held["_INDEXING"],
        "serving_state": held["_SERVING"],
    }


def _changes(held: Held) -> list[str]:
    return [f"suspend {part.lower()}" for part in _PARTS if held[f"_{part}"] != "ACTIVE"]


_RULES = EntryRules(
    properties={
        "ON": plain,
        "PRIMARY KEY": listed,
        "ATTRIBUTES": listed,
        "WAREHOUSE": plain,
        "TARGET_LAG": text,
        "EMBEDDING_MODEL": text,
        "REFRESH_MODE": one_of("FULL", "INCREMENTAL"),
        "INITIALIZE": one_of("ON_CREATE", "ON_SCHEDULE"),
        "FULL_INDEX_BUILD_INTERVAL_DAYS": between(0, 3650),
        "AS": text,
    },
    required=("ON", "WAREHOUSE", "TARGET_LAG", "AS"),
    defaults={"EMBEDDING_MODEL": "snowflake-arctic-embed-m-v1.5"},
    references={"WAREHOUSE": Kind.WAREHOUSE},
    fixed=frozenset({"ON", "AS", "EMBEDDING_MODEL"}),
    born={"_INDEXING": "ACTIVE", "_SERVING": "ACTIVE"},
    verbs={
        f"{verb} {part}": _turned(part, state)
        for verb, state in (("SUSPEND", "SUSPENDED"), ("RESUME", "ACTIVE"))
        for part in _PARTS
    },
    power=_power,
)
register(
    replace(
        entry_kind(
            Kind.CORTEX_SEARCH_SERVICE,
            ast.CreateCortexSearchService,
            _RULES,
            Shown(
                plural="CORTEX SEARCH SERVICES",
                columns="created_on:t name database_name schema_name target_lag warehouse "
                "search_column attribute_columns columns definition comment service_query_url "
                "data_timestamp:t source_data_num_rows:n indexing_state indexing_error "
                "serving_state embedding_model",
                cells=_cells,
            ),
            written=Written(
                clauses={
                    "ON": bare,
                    "PRIMARY KEY": lambda _, given: f"primary key ({', '.join(given)})",
                    "ATTRIBUTES": lambda _, given: f"attributes {', '.join(given)}",
                },
                changes=_changes,
            ),
            privileges=("MONITOR", "OPERATE", "USAGE"),
            made_after=(Kind.TABLE, Kind.DYNAMIC_TABLE),
        ),
        has_get_ddl=True,
        is_in_schema_ddl=True,
    )
)
