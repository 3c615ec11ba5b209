"""Templates that nothing was filled into yet, made ready for the parser.

Room: sql. For whoever judges a skill before its values are known.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from skills_nb.sql.statements import Statement, split

_OUTPUT = re.compile(r"\{\{[-+]?(.*?)[-+]?\}\}", re.DOTALL)
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_WANTS_TEXT = re.compile(r"(?:\b(?:LIKE|ILIKE|STARTS\s+WITH|RLIKE)|=>?|\|\|)\s*\Z", re.IGNORECASE)
_BUILT = re.compile(r"\s*(name|ident)\s*\((.*)\)\s*(\.fqn)?\s*", re.DOTALL)
_LITERAL = re.compile(r"'([A-Za-z_]\w*)'")
_VARIABLE = re.compile(r"\s*(\w+)\s*(?:\|.*)?", re.DOTALL)
STAND_IN = "X_1"
"""Takes the place of a value: an identifier is legal wherever most values are."""


def statements_of(sql: str) -> tuple[Statement, ...]:
    """Return the statements of a text; what plainly is one is not tokenized."""
    text = sql.strip().removesuffix(";")
    if text and ";" not in text:
        offset = sql.index(text)
        return (Statement(text.rstrip(), sql.count("\n", 0, offset) + 1, offset),)
    return split(sql)


def without_templates(sql: str, numbers: Collection[str] = ()) -> str | None:
    """Return SQL with a stand-in for every output, or None where statements depend on values.

    Args:
        sql: a SQL template.
        numbers: names whose values are whole numbers.
    """
    if "{%" in sql:
        return None
    text = _COMMENT.sub(" ", sql)
    return _OUTPUT.sub(lambda found: _stand_in(found, numbers), text) if "{{" in text else text


def _stand_in(found: re.Match[str], numbers: Collection[str]) -> str:
    """Return a value of the kind that the place and the expression want, on as many lines."""
    below = "\n" * found[0].count("\n")
    built = _BUILT.fullmatch(found[1])
    if built is not None and not built[3]:
        return _built_name(built[1], built[2]) + below
    variable = _VARIABLE.fullmatch(found[1])
    if variable is not None and variable[1] in numbers:
        return f"1{below}"
    before = found.string[max(0, found.start() - 40) : found.start()]
    return (f"'{STAND_IN}'" if _WANTS_TEXT.search(before) else STAND_IN) + below


def _built_name(function: str, arguments: str) -> str:
    if function == "ident":
        return STAND_IN
    literals = (_LITERAL.fullmatch(part.strip()) for part in arguments.split(","))
    return ".".join(found[1] if found is not None else STAND_IN for found in literals)
