"""What of a statement nobody may let through unasked: it deletes, drops, overwrites or grants.

Room: sql. Judged by what the SQL does, whatever an author says of it. What is called and cannot be
read counts as the worst that it could do, and so does a change of a kind that is not known. A
statement in a block counts as if it ran; the body of a task, an alert or a pipe counts as soon as
it is made, since it runs by itself.
Spec: Checkpoints > Checkpoint severity levels; Compensation and Rollback.
"""

from __future__ import annotations

from functools import lru_cache

from skills_nb.sql.harm.harm_value import Harm, Weight

__all__ = ["Harm", "Weight", "harms_of", "harms_when_called"]


@lru_cache(maxsize=4096)
def harms_of(sql: str, database: str | None, schema: str | None) -> tuple[Harm, ...]:
    """Return what a text does that a person decides on, in its order, each once.

    Args:
        sql: one statement or several.
        database: the current one, for names that are not qualified.
        schema: likewise.
    """
    from skills_nb.sql.harm import sql_texts

    return tuple(dict.fromkeys(sql_texts.of_text(sql, database, schema)))


@lru_cache(maxsize=1024)
def harms_when_called(
    sql: str, database: str | None, schema: str | None
) -> tuple[Harm, ...] | None:
    """Return what a procedure or task does when it is run, by the statement that makes it.

    None where its code cannot be read.
    """
    from skills_nb.sql.harm import sql_texts

    found = sql_texts.of_routine(sql, database, schema)
    return None if found is None else tuple(dict.fromkeys(found))
