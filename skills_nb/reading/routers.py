"""The meta-router and the domain routers.

Room: reading. Front matter only; bodies are parsed when somebody asks for a section.
Spec: Skill Types > Meta-Router, Routers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from typing import Any, get_args

from skills_nb.model.diagnostics import Diagnostic
from skills_nb.model.routers import (
    ContextMapping,
    Domain,
    DomainOutput,
    MetaRouter,
    RouteOption,
    RouteParameter,
    Router,
)
from skills_nb.model.skills import Mode
from skills_nb.reading.fields import Fields
from skills_nb.reading.source import LazySections, SkillSource

_DEFAULTS: dict[str, Any] = {field.name: field.default for field in dataclass_fields(MetaRouter)}
_META_FIELDS = (
    "type",
    "name",
    "domain",
    "description",
    "parameters",
    "domains",
    "routing",
    "guided_mode",
    "dry_run",
    "validation",
)
_ROUTER_FIELDS = (
    "type",
    "name",
    "domain",
    "description",
    "parameters",
    "routes_to",
    "depends_on",
)
"""`depends_on` is known so that the linter can say that routers may not have it."""


def read_meta_router(
    source: SkillSource, aliases: Mapping[str, str], problems: list[Diagnostic]
) -> MetaRouter:
    """Return the meta-router, with defaults where its file says nothing usable."""
    fields = source.fields(problems)
    fields.only(*_META_FIELDS)
    routing, guided, validation, dry_run = (
        fields.mapping(key) for key in ("routing", "guided_mode", "validation", "dry_run")
    )
    return MetaRouter(
        name=fields.text("name", "entry"),
        domain=fields.text("domain"),
        title=source.title,
        description=fields.text("description") or source.lead,
        span=source.span,
        parameters=read_parameters(fields),
        domains=read_domains(fields, aliases),
        confidence_threshold=_number(routing, "confidence_threshold"),
        ambiguity_threshold=_number(routing, "ambiguity_threshold"),
        guided_max_steps=_whole(guided, "max_steps", "guided_max_steps"),
        guided_prohibited_actions=_prohibited(guided),
        dry_run_enabled=dry_run.flag("enabled", True) if dry_run is not None else True,
        staleness_threshold_days=_whole(
            validation, "staleness_threshold_days", "staleness_threshold_days"
        ),
        sections=LazySections(source),
    )


def read_router(
    name: str, source: SkillSource, aliases: Mapping[str, str], problems: list[Diagnostic]
) -> Router:
    """Return a domain router."""
    fields = source.fields(problems)
    fields.only(*_ROUTER_FIELDS)
    domain = fields.text("domain", required=source.main.front.data is not None)
    return Router(
        name=name,
        domain=aliases.get(domain, domain),
        title=source.title,
        description=fields.text("description") or source.lead,
        span=source.span,
        parameters=read_parameters(fields),
        routes_to=fields.texts("routes_to"),
        sections=LazySections(source),
    )


def read_parameters(fields: Fields) -> tuple[RouteParameter, ...]:
    """Return the questions of a router."""
    return tuple(_parameter(row) for row in fields.rows("parameters"))


def _parameter(row: Fields) -> RouteParameter:
    row.only("name", "description", "options")
    return RouteParameter(
        name=row.text("name", required=True),
        description=row.text("description"),
        options=tuple(_option(option) for option in row.rows("options")),
    )


def _option(row: Fields) -> RouteOption:
    row.only("id", "description", "examples", "keywords", "target", "mode")
    mode = row.word("mode", (*get_args(Mode), ""), "")
    return RouteOption(
        id=row.text("id", required=True),
        description=row.text("description", required=True),
        examples=row.texts("examples"),
        keywords=row.texts("keywords"),
        target=row.optional_text("target"),
        mode=next((known for known in get_args(Mode) if known == mode), None),
    )


def read_domains(fields: Fields, aliases: Mapping[str, str]) -> dict[str, Domain]:
    """Return the declared domains by name, in file order."""
    table = fields.mapping("domains")
    domains: dict[str, Domain] = {}
    for name in table.entries if table is not None else ():
        row = fields.inside("domains").mapping(name)
        if row is not None:
            known = aliases.get(name, name)
            domains[known] = _domain(known, row)
    return domains


def _domain(name: str, row: Fields) -> Domain:
    row.only("router", "description", "produces", "requires", "uses", "context_mapping", "outputs")
    return Domain(
        name=name,
        router=row.text("router", required=True),
        description=row.text("description"),
        produces=row.texts("produces"),
        requires=row.texts("requires"),
        uses=row.texts("uses"),
        context_mapping=tuple(
            ContextMapping(each.text("from", required=True), each.text("to", required=True))
            for each in row.rows("context_mapping")
        ),
        outputs=tuple(
            DomainOutput(
                each.text("name", required=True), each.text("type"), each.text("description")
            )
            for each in row.rows("outputs")
        ),
    )


def _number(fields: Fields | None, key: str) -> float:
    default = float(_DEFAULTS[key])
    return fields.number(key, default) if fields is not None else default


def _whole(fields: Fields | None, key: str, attribute: str) -> int:
    default = int(_DEFAULTS[attribute])
    found = fields.integer(key, default) if fields is not None else default
    return default if found is None else found


def _prohibited(guided: Fields | None) -> tuple[str, ...]:
    default: tuple[str, ...] = _DEFAULTS["guided_prohibited_actions"]
    if guided is None:
        return default
    guided.only("max_steps", "prohibited_actions")
    if guided.raw("prohibited_actions") is None:
        return default
    return tuple(" ".join(action.upper().split()) for action in guided.texts("prohibited_actions"))
