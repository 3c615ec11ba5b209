"""SARIF 2.1.0, for code scanning.

Room: lint. Source: OASIS SARIF 2.1.0; paths are relative to `%LIBRARY%`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from skills_nb.lint.rules import RULES
from skills_nb.model.diagnostics import Diagnostic

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(diagnostics: Iterable[Diagnostic], *, version: str) -> dict[str, Any]:
    """Return a SARIF log of one run with every rule and every finding."""
    positions = {code: number for number, code in enumerate(sorted(RULES))}
    driver = {
        "name": "skills-nb lint",
        "version": version,
        "rules": [_rule(code) for code in sorted(RULES)],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"LIBRARY": {"description": {"text": "The library's root."}}},
        "results": [_result(each, positions) for each in diagnostics],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    rule = RULES[code]
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.page},
        "defaultConfiguration": {"level": str(rule.severity)},
    }


def _result(diagnostic: Diagnostic, positions: dict[str, int]) -> dict[str, Any]:
    hint = f" {diagnostic.hint}" if diagnostic.hint else ""
    span = diagnostic.span
    location = {"uri": quote(span.path), "uriBaseId": "LIBRARY"}
    region = {"startLine": span.line, "startColumn": span.column}
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": positions[diagnostic.code],
        "level": str(diagnostic.severity),
        "message": {"text": f"{diagnostic.message}.{hint}"},
        "locations": [{"physicalLocation": {"artifactLocation": location, "region": region}}],
    }
