"""CREATE of a class's instance.

Room: sql. Arguments stay source text.
"""

from __future__ import annotations

from dataclasses import dataclass

from skills_nb.sql.governance.ast.create_statements import Create


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateInstance(Create):
    """`CREATE SNOWFLAKE.CORE.BUDGET name(argument, …)`."""

    instance_of: str
    """The class, as SQL writes it in full."""
    arguments: tuple[str, ...] = ()
    """What the constructor is given: source text, one an argument."""
