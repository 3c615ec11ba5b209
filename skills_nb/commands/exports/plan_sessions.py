"""The session of an exported plan: as whom and where each of its statements runs.

Room: commands. The thread has one session from step to step, and a script may be run in a session
of its own: so each script begins by bringing its session to where the thread's would be by then.
Source: Snowflake manual, "USE ROLE", "CREATE WAREHOUSE" (a new one is the current one).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from skills_nb.errors import SqlError
from skills_nb.model.events import AccountContext
from skills_nb.sql.governance import ast, parse
from skills_nb.sql.identifiers import quote, render_name
from skills_nb.sql.objects.object_refs import Place
from skills_nb.sql.qualifying import place_behind


@dataclass(frozen=True, slots=True)
class PlanSession:
    """What of a session decides who does a statement, and what its names mean."""

    role: str | None = None
    """As Snowflake stores the name; None where none was said."""
    warehouse: str | None = None
    """None where none was said."""
    database: str | None = None
    """The current one; None where none was said."""
    schema: str | None = None
    """The current one; None where none was said."""
    secondary: str = ""
    """The USE SECONDARY ROLES that was said last; empty: as the account has it."""

    @classmethod
    def of(cls, context: AccountContext | None) -> PlanSession:
        """Return the session that a run began with."""
        if context is None:
            return cls()
        return cls(
            context.current_role or None,
            context.current_warehouse,
            context.current_database,
            context.current_schema,
        )

    def entering(self, role: str | None) -> tuple[str, ...]:
        """Return the statements that bring a session here, as a role."""
        found = [f"USE ROLE {quote(role)}"] if role else []
        found += [self.secondary] if self.secondary else []
        if self.warehouse:
            found.append(f"USE WAREHOUSE {quote(self.warehouse)}")
        if self.database and self.schema:
            found.append(f"USE SCHEMA {render_name((self.database, self.schema))}")
        elif self.database:
            found.append(f"USE DATABASE {quote(self.database)}")
        return tuple(found)

    def behind(self, sql: str) -> PlanSession:
        """Return the session behind a statement."""
        place = place_behind(sql, Place(self.database, self.schema))
        here = replace(self, database=place.database, schema=place.schema)
        try:
            statement = parse(sql)
        except SqlError:
            return here
        match statement:
            case ast.Use(kind="ROLE", name=name):
                return replace(here, role=name[-1])
            case ast.Use(kind="WAREHOUSE", name=name):
                return replace(here, warehouse=name[-1] if name else None)
            case ast.CreateWarehouse(name=name):
                return replace(here, warehouse=name[-1])
            case ast.UseSecondaryRoles():
                return replace(here, secondary=sql.strip().rstrip("; \n"))
            case _:
                return here
