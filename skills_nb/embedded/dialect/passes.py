"""The passes, by the node they look at.

Room: embedded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from skills_nb.embedded import refusals

Pass = Callable[[exp.Expression], exp.Expression]
PASSES: Mapping[type[exp.Expression], tuple[Pass, ...]] = {}


def check_function(node: exp.Expression) -> None:
    """Refuse functions that only DuckDB knows."""
    if isinstance(node, exp.Anonymous) and str(node.this).lower() not in ALLOWED:
        raise refusals.unknown_function(str(node.this).upper())


ALLOWED = frozenset({"json_extract", "json_each", "unhex", "error", "generate_subscripts", "json_type"})
