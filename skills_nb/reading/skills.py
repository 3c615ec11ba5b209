"""Primitives and playbooks: front matter and body to values.

Room: reading.
Spec: Skill Types > Primitives, Playbooks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from skills_nb.model.diagnostics import Diagnostic
from skills_nb.model.documents import Document, Table
from skills_nb.model.skills import (
    Playbook,
    Primitive,
    ProbeAction,
    ProbeCheck,
    ProbeSpec,
    Production,
    secret_names,
)
from skills_nb.reading.errors_table import read_error_rows, read_error_table
from skills_nb.reading.fields import Fields
from skills_nb.reading.input_fields import read_input
from skills_nb.reading.plan_templates import read_plans
from skills_nb.reading.source import SkillSource
from skills_nb.reading.steps import read_steps
from skills_nb.sql.hidden_code import hidden_in_query

_PRIMITIVE_FIELDS = (
    "type",
    "name",
    "domain",
    "description",
    "sources",
    "last_reviewed",
    "tested_on",
    "expected_errors",
)
_OLDER_SOURCES = "snowflake_docs"
"""What `sources` was called in libraries of before; read where `sources` is not given."""
_EDGES = ("depends_on", "routes_to")
"""Known everywhere, so that the linter can say which type may not have them."""
_PLAYBOOK_FIELDS = (
    "type",
    "name",
    "domain",
    "description",
    "depends_on",
    "inputs",
    "prerequisites",
    "probes",
    "produces",
)


def read_primitive(
    name: str, source: SkillSource, aliases: Mapping[str, str], problems: list[Diagnostic]
) -> Primitive:
    """Return a primitive."""
    fields = source.fields(problems)
    fields.only(*_PRIMITIVE_FIELDS, *_EDGES, older=(_OLDER_SOURCES,))
    domain = fields.text("domain", required=source.main.front.data is not None)
    errors = list(read_error_rows(fields))
    for document in source.documents:
        for table in _tables_under(document, "Expected errors"):
            errors.extend(read_error_table(table, document.path, problems))
    return Primitive(
        name=name,
        domain=aliases.get(domain, domain),
        title=source.title,
        description=fields.text("description") or source.lead,
        span=source.span,
        expected_errors=tuple(errors),
        sources=_sources(fields),
        last_reviewed=fields.optional_text("last_reviewed"),
        tested_on=fields.optional_text("tested_on"),
        plans=read_plans(source.documents, problems),
        sections=source.sections,
    )


def read_playbook(
    name: str, source: SkillSource, aliases: Mapping[str, str], problems: list[Diagnostic]
) -> Playbook:
    """Return a playbook."""
    fields = source.fields(problems)
    fields.only(*_PLAYBOOK_FIELDS, *_EDGES)
    domain = fields.text("domain", required=source.main.front.data is not None)
    return Playbook(
        name=name,
        domain=aliases.get(domain, domain),
        title=source.title,
        description=fields.text("description") or source.lead,
        span=source.span,
        depends_on=fields.texts("depends_on"),
        inputs=tuple(read_input(row) for row in fields.rows("inputs")),
        prerequisites=fields.texts("prerequisites"),
        probes=tuple(_probe(row) for row in fields.rows("probes")),
        produces=tuple(_production(row) for row in fields.rows("produces")),
        steps=read_steps(source.documents, problems),
        sections=source.sections,
    )


def secret_inputs(source: SkillSource) -> frozenset[str]:
    """Return the names of a playbook's secret inputs; its problems are told when it is read."""
    return secret_names(read_input(row) for row in source.fields([]).rows("inputs"))


def _sources(fields: Fields) -> tuple[str, ...]:
    """Return the pages that it cites: a list, or one address."""
    key = "sources" if "sources" in fields.entries else _OLDER_SOURCES
    if isinstance(fields.entries.get(key), str):
        return (fields.text(key),)
    return fields.texts(key)


def _tables_under(document: Document, title: str) -> list[Table]:
    section = document.section(title)
    if section is None:
        return []
    return [t for t in document.tables if section.line < t.line <= section.end]


def _probe(row: Fields) -> ProbeSpec:
    row.only("id", "query", "required", "every_role", "role", "may_be_missing", "validate")
    query = row.text("query", required=True).strip()
    for found in hidden_in_query(query):
        problem = found.problem
        row.note(found.code, row.place("query"), problem.message, problem.hint or "")
    return ProbeSpec(
        id=row.text("id", required=True),
        query=query,
        required=row.flag("required", True),
        every_role=row.flag("every_role", False),
        role=row.text("role") or None,
        may_be_missing=row.flag("may_be_missing", False),
        validate=tuple(_check(check) for check in row.rows("validate")),
    )


def _check(row: Fields) -> ProbeCheck:
    row.only("condition", "action", "message")
    row.raw("action", required=True)
    action: ProbeAction = row.word("action", get_args(ProbeAction), "block")
    return ProbeCheck(row.text("condition", required=True), action, row.text("message"))


def _production(row: Fields) -> Production:
    row.only("name", "from")
    return Production(row.text("name", required=True), row.text("from", required=True))
