"""Conditions: SQL boolean expressions over known values, by a small interpreter.

Room: sql. Read with sqlglot, evaluated over an allow-list of nodes in SQL's three-valued logic;
never `eval`, never a database. sqlglot loads on first use.
Spec: the contract's "Front matter" (`condition`, `when`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skills_nb.sql.conditions.condition_error import ConditionError
from skills_nb.sql.template_problems import TemplateProblem

__all__ = ["ConditionError", "check", "evaluate", "names_in"]


def evaluate(condition: str, names: Mapping[str, Any]) -> bool | None:
    """Evaluate a condition; None where SQL would say NULL.

    Names are case-insensitive; `a.b` reaches into mappings; `CURRENT_ROLE()` is also `role`, and
    so on.

    Raises:
        ConditionError: it cannot be read, uses more than conditions may, names something unknown,
            or compares what cannot be compared.
    """
    from skills_nb.sql.conditions.condition_tree import parse
    from skills_nb.sql.conditions.interpreter import evaluate_tree

    return evaluate_tree(parse(condition), names, condition)


def is_never_met(condition: str, names: Mapping[str, Any]) -> bool:
    """Tell whether a condition does not hold whatever the names mean that are not known yet.

    That is so where one of the parts that AND joins speaks of known names alone, and is not true.

    Raises:
        ConditionError: it cannot be read, or compares what cannot be compared.
    """
    from skills_nb.sql.conditions.condition_tree import conjuncts, parse, paths_in
    from skills_nb.sql.conditions.interpreter import evaluate_tree

    known = {name.lower() for name in names}
    return any(
        evaluate_tree(part, names, condition) is not True
        for part in conjuncts(parse(condition))
        if all(path[0] in known for path in paths_in(part))
    )


def names_in(condition: str) -> frozenset[str]:
    """Return the names that a condition reads, lower-cased, dotted ones whole.

    Raises:
        ConditionError: it cannot be read.
    """
    from skills_nb.sql.conditions.condition_tree import parse, paths_in

    return frozenset(".".join(path) for path in paths_in(parse(condition)))


def check(condition: str, known: Iterable[str]) -> tuple[TemplateProblem, ...]:
    """Find what is wrong with a condition without values: syntax, nodes, unknown names."""
    from skills_nb.sql.conditions.condition_tree import problems_of

    return problems_of(condition, frozenset(name.lower() for name in known))
