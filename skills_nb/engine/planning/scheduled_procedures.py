"""Procedures that a goal wants run again and again without calling them so.

Room: laws. `run ROLL_UP every weekday at 7` is about a procedure where the account has one of that
name.
Spec: Principles > Lazy context, Factual over advisory.
"""

from __future__ import annotations

from collections.abc import Sequence

from skills_nb.engine.guided.plan_templates import recurs, runs_something
from skills_nb.engine.inputs.listed_objects import LISTED_OBJECTS, listing_of_named
from skills_nb.engine.inputs.questions import fact_of, listed_tables
from skills_nb.engine.inputs.wording.named_choices import spoken_names, tables_named
from skills_nb.model.state import Fact

SCHEDULES = "schedule a procedure as a task"
"""Words that lead where a procedure is scheduled."""


def schedules_procedure(goal: str, facts: Sequence[Fact]) -> str | bool:
    """Return the query that lists the procedures which a goal may name, then whether it names one.

    Args:
        goal: a person's words.
        facts: what was looked up so far.
    """
    if not (recurs(goal) and runs_something(goal) and spoken_names(goal)):
        return False
    query = listing_of_named(LISTED_OBJECTS["{procedures}"], goal)
    found = fact_of(query, facts)
    if found is None:
        return query
    return found.error is None and bool(tables_named(goal, listed_tables(found)))
