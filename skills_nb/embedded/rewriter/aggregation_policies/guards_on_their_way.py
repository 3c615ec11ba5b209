"""Guards pass through a query that does not aggregate.

Room: embedded.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.binder import lineage
from skills_nb.embedded.rewriter import picking, silenced
from skills_nb.embedded.rewriter.rewriter import Rewriter
from skills_nb.embedded.types import names
from skills_nb.embedded.types.scope import OutColumn, Source, guards, visible


def carried(
    rewriter: Rewriter,
    query: exp.Select,
    sources: tuple[Source, ...],
    shown: tuple[OutColumn, ...],
) -> tuple[OutColumn, ...]:
    """Let the guards of the sources through a query that does not aggregate; return its columns."""
    found = list(picking.worked(query, shown))
    silence(query, ("order",))
    for projection in query.expressions:
        silenced.silence_parts(projection)
    for source in sources:
        for guard in guards(source.columns):
            name = rewriter.fresh("guard")
            value = names.column(guard.name, source.alias or None)
            query.append("expressions", exp.alias_(value, name, quoted=True))
            found.append(OutColumn(name, guard.type, least=guard.least))
    return tuple(found)


def united(
    rewriter: Rewriter,
    query: exp.SetOperation,
    left: tuple[OutColumn, ...],
    right: tuple[OutColumn, ...],
) -> tuple[OutColumn, ...]:
    """Let the guards of both branches through UNION ALL; return them.

    Each branch gets NULL for the guards of the other, so that a group needs enough of both.

    Raises:
        SqlError: the branches are joined by anything but UNION ALL (3652).
    """
    if not isinstance(query, exp.Union) or query.args.get("distinct"):
        raise errors.aggregation_violated(type(query).__name__.upper())
    width = len(visible(left))
    found = tuple(
        OutColumn(rewriter.fresh("guard"), least=g.least) for g in (*guards(left), *guards(right))
    )
    ours = range(len(guards(left)))
    for branch, columns, own in (
        ("this", left, {n: width + n for n in ours}),
        ("expression", right, {n + len(ours): width + n for n in range(len(guards(right)))}),
    ):
        shown = [exp.alias_(lineage.place(i), columns[i].name, quoted=True) for i in range(width)]
        for number, guard in enumerate(found):
            value = lineage.place(own[number]) if number in own else exp.null()
            shown.append(exp.alias_(value, guard.name, quoted=True))
        inner = query.args[branch]
        query.set(branch, lineage.enclosed(inner, len(columns), shown))
    return found


def silence(query: exp.Select, clauses: tuple[str, ...]) -> None:
    """Let nothing fail for one record where records are chosen."""
    for clause in ("where", *clauses):
        if (held := query.args.get(clause)) is not None:
            silenced.silence_parts(held)
    for join in query.args.get("joins") or ():
        for part in ("on", "match_condition"):
            if (condition := join.args.get(part)) is not None:
                join.set(part, silenced.silenced(condition))
