"""Objects that a goal names in full and the account does not hold: they are said to be missing.

Room: laws. A plan on what is not there would fail in its dry run; a person who sees what there is
finds the right name at once. A name of two parts is no table where it tells a column, as
`patients.phone` does, or where no database is current: then it can only be a schema.
Spec: Principles > Factual over advisory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from skills_nb.engine.inputs.questions import kind_of, lists_tables
from skills_nb.engine.inputs.wording.named_choices import is_column_of, spoken_key
from skills_nb.model.skills import InputSpec
from skills_nb.model.state import Fact
from skills_nb.sql.identifiers import render_name, split_name
from skills_nb.sql.objects.probes import like_pattern

_WHOLE = 3
_OTHERWISE_SHOWN = frozenset({"PROCEDURES", "SNOWFLAKE.CORE.BUDGET"})
"""What is called with more than its name, or is not listed by schema."""


def presence_query(spec: InputSpec) -> str | None:
    """Return the query that tells whether what an input was given in full is there.

    None where nothing was given in full, or what was is no object of a schema.
    """
    kind = kind_of(spec)
    if kind is None or kind[0] in _OTHERWISE_SHOWN or not spec.has_default:
        return None
    parts = split_name(str(spec.default))
    if len(parts) != _WHOLE:
        return None
    place = render_name(parts[:2])
    return f"SHOW {kind[0]} LIKE {like_pattern(parts[2])} IN SCHEMA {place}"


def without_absent(spec: InputSpec, found: Fact) -> InputSpec:
    """Return an input without the name that it was given, which it says, where nothing bears it.

    Args:
        spec: the input.
        found: what `presence_query` found.
    """
    name = split_name(str(spec.default))[-1]
    if any(row.get("name") == name for row in found.rows):
        return spec
    told = f"{spec.description}. Your role can see no {_called(spec)} {spec.default}"
    return replace(spec, default=None, has_default=False, infer_from=(), description=told)


def names_two_parts(spec: InputSpec) -> bool:
    """Tell whether an input that is a table was given a name of two parts."""
    is_given = spec.has_default and lists_tables(spec)
    return is_given and len(split_name(str(spec.default))) == _WHOLE - 1


def without_place(spec: InputSpec) -> InputSpec:
    """Return an input to be inferred anew from the other words of the goal."""
    return replace(spec, default=None, has_default=False, infer_from=("intent",))


def tells_column(spec: InputSpec, tables: Iterable[str]) -> bool:
    """Tell whether what an input was given in two parts is a column of a table: `patients.phone`.

    Args:
        spec: the input.
        tables: the tables that the goal may name.
    """
    last = {spoken_key(split_name(table)[-1]) for table in tables}
    return is_column_of(split_name(str(spec.default)), last)


def _called(spec: InputSpec) -> str:
    kind = str(spec.choices[0]).strip("{}")
    one = f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix("s")
    return "table or view" if one == "table" else one
