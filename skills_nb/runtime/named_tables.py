"""Words that name tables of the account, which may lead elsewhere than they seem to.

Room: work. A word that means nothing to the library may be a table's name: the account is asked
before a person is. Routing itself stays pure: the same words are routed again, names in full.
Spec: Principles > Lazy context.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from skills_nb.engine.guided.plan_templates import rank_of_plan, words_of_plan
from skills_nb.engine.inputs.column_tables import (
    columns_said_query,
    is_only_grouped,
    says_long_column,
    with_table_of_columns,
)
from skills_nb.engine.inputs.questions import (
    DROPPED_TABLES,
    columns_query,
    listed_tables,
    tables_query,
)
from skills_nb.engine.inputs.wording.named_choices import (
    alone_called_so,
    mentions,
    spoken_key,
    tables_named,
    with_full_names,
    word_roots,
)
from skills_nb.engine.planning.wishes_by_account import Look, wanted_of_own
from skills_nb.model import events as ev
from skills_nb.model.library import Library
from skills_nb.model.routes import Candidate, Route
from skills_nb.model.skills import Primitive
from skills_nb.model.state import Fact
from skills_nb.ports import Router
from skills_nb.runtime.rows_meant import (
    SHOW_ROWS,
    asks_for_rows,
    brings_back,
    changes_again,
    has_form,
    may_ask_for_rows,
    may_be_of_column,
    may_compare,
    may_name_columns,
    wanted_by_form,
    without_columns,
)
from skills_nb.sql.identifiers import split_name
from skills_nb.sql.names_in_text import object_names
from skills_nb.sql.templates import Name

Reader = Callable[[str], ev.EnvironmentProbed]
"""Asks the account by a query."""
_NEAR = 3
"""How many of the next nearest targets are looked at where one is clearly nearest."""
_MOST_DESCRIBED = 3
"""How many tables are described to know their columns."""
_TWO = 2
_DOTTED = 2
"""Parts of a column's name with its table."""
_CERTAIN = 0.8
"""From this confidence on a question of fact is one."""
_ASKS_ROWS = re.compile(
    r"\W*(?:how (?:many|much)|what (?:is|was) the (?:average|total|highest|lowest|sum|number)"
    r"|(?:(?:show|give|tell)(?: me)? )?(?:the )?(?:average|mean|median|total))\b",
    re.IGNORECASE,
)
"""A question that rows answer: it starts nothing large, whatever else its words remind of."""
_WHAT_MAY_BE = re.compile(r"\b(?:can|may|could|should|must|allowed|limit|do i|does it)\b", re.I)
"""What is asked of Snowflake, not of rows."""

_KINDS = word_roots(
    """account alert application column database event function grant integration model notebook
    object pipe policy privilege procedure query role row schema secret service share stage stream
    table tag task user view warehouse"""
)
"""Kinds of objects; a table may be called so, too."""
_OF_A_KIND = re.compile(
    r"\b(?:masking|row[ -]access|access|network|password|session|authentication|aggregation"
    r"|projection|join|privacy|lifecycle|security|dynamic|external|internal|named|user|materialized"
    r"|resource|database|account|tag[ -]based)[ -]$",
    re.IGNORECASE,
)
"""What says of which kind policies, tables, stages, views or roles are."""
_OF = re.compile(
    r" (?:of|on|for|attached to|set on)(?: (?:the|table|view))* ([\w]+)", re.IGNORECASE
)


def rows_asked_for(words: str, route: Route, library: Library, router: Router) -> Route:
    """Return where a question leads that rows answer, though it looks like one of fact.

    `what is the average salary per team` is no question about averages; `how many columns can a
    table have` is one about tables.
    """
    is_number = _ASKS_ROWS.match(words) is not None and _WHAT_MAY_BE.search(words) is None
    if route.mode != "reference" or not is_number:
        return route
    is_about_rows = router(SHOW_ROWS, library).targets[:1] == route.targets[:1]
    is_planned = any(_rank(words, one, library) for one in _first(route))
    return (
        replace(route, mode="guided", modes=("guided",)) if is_about_rows and is_planned else route
    )


def tables_asked_for(words: str, route: Route) -> str | None:
    """Return the query for tables that words may name, where these may then lead somewhere else.

    What is asked of the library with certainty, or names its objects in full, needs no look; but
    words that compare something may owe a playbook to the name of a column.
    """
    is_named = any(len(name.parts) > 1 for name in object_names(words))
    is_fact = route.mode == "reference" and route.confidence >= _CERTAIN and not route.unheard
    is_number = _ASKS_ROWS.match(words) is not None
    is_small = route.mode in ("guided", "reference") or is_number
    is_sure = is_fact or is_named or (route.confidence == 1 and not is_number)
    may_owe = route.mode in ("playbook", "guided") and not is_named
    is_by_column = may_owe and (
        may_compare(words) or may_ask_for_rows(words) or may_be_of_column(words)
    )
    is_formed = has_form(words) and not is_named
    is_open = route.mode == "clarify" or is_formed or (is_small and not is_sure) or is_by_column
    is_mixed = route.mode == "chain" and not is_named and _KINDS & word_roots(words)
    return tables_query(words) if is_open or is_mixed else None


@dataclass(frozen=True, slots=True)
class NamedTables:
    """Words whose tables are known."""

    words: str
    """A person's words."""
    full: str
    """The same, their tables in full."""
    tables: tuple[str, ...]
    """Full names of the tables that they name."""

    is_by_columns: bool = False
    """Whether the table is known by its columns alone."""

    @property
    def queries(self) -> tuple[str, ...]:
        """Return what describes the tables, where the words may name columns of them."""
        if not may_name_columns(self.words):
            return ()
        return tuple(columns_query(Name(split_name(one))) for one in self.tables[:_MOST_DESCRIBED])


def with_tables_of_account(
    words: str, route: Route, library: Library, router: Router, reader: Reader
) -> Iterator[ev.EnvironmentProbed | Route]:
    """Yield what is looked up of the tables that words may name, and last where they lead then.

    Args:
        words: a person's words.
        route: where they lead as they stand.
        library: what is routed in.
        router: routes.
        reader: asks the account.
    """
    facts: list[Fact] = []
    while isinstance(wanted := wanted_of_own(words, facts), Look):
        yield (told := reader(wanted.query))
        facts.append(Fact.of(told, 0))
    if wanted and (target := next(iter(_first(router(wanted, library))), None)) is not None:
        yield _guided(target)
        return
    query = tables_asked_for(words, route)
    if query is None and (query := _columns_dotted(words)) is not None:
        yield (found := reader(query))
        tables = listed_tables(Fact.of(found, 0))
        full = with_full_names(words, alone_called_so(tables))
        query = None
        if full != words:
            again = router(full, library)
            planned = _planned(full, again, library)
            route = _guided(planned) if planned is not None else again
    elif query is None and has_form(words):
        route = _by_form(NamedTables(words, words, _in_full(words)), route, library, router)
    if query is not None:
        yield (found := reader(query))
        named = named_tables(words, found, route, library)
        if not named.tables and brings_back(words):
            yield (dropped := reader(DROPPED_TABLES))
            named = _named_of(words, listed_tables(Fact.of(dropped, 0)))
        if (by_column := columns_asked_for(named, route)) is not None:
            yield (held := reader(by_column))
            named = named_by_columns(named, held, route)
        described = [reader(one) for one in named.queries]
        yield from described
        route = with_tables(named, described, route, library, router)
    yield route


def named_tables(
    words: str, found: ev.EnvironmentProbed, route: Route, library: Library
) -> NamedTables:
    """Return words with the tables that they name.

    A word by which the plan is asked for that they lead to means just that.
    """
    is_formed = has_form(words)
    meant = frozenset[str]() if is_formed else _meant(words, route, library)
    listed = listed_tables(Fact.of(found, 0))
    tables = [
        table
        for table in listed
        if not word_roots(split_name(table)[-1]) <= meant
        and not _is_kind(words, table, listed)
        and (route.mode != "chain" or is_formed or _KINDS & word_roots(split_name(table)[-1]))
        and not is_only_grouped(words, table)
    ]
    return _named_of(words, tables)


def _named_of(words: str, tables: Sequence[str]) -> NamedTables:
    return NamedTables(words, with_full_names(words, tables), tables_named(words, tables))


def columns_asked_for(named: NamedTables, route: Route) -> str | None:
    """Return the query for the columns that words name, where they name no table; else None."""
    is_asked = route.mode != "chain" and not named.tables
    return columns_said_query(named.words) if is_asked else None


def named_by_columns(named: NamedTables, found: ev.EnvironmentProbed, route: Route) -> NamedTables:
    """Return words with the one table that holds the columns which they name, if one does.

    What leads to a playbook is about one column only where nothing else can be meant: `mask
    passport_no` is, `mask emails` is not.
    """
    fact = Fact.of(found, 0)
    told = with_table_of_columns(named.words, fact) if fact.error is None else None
    is_small = route.mode != "playbook" or wanted_by_form(named.words) is not None
    if told is None or not (is_small or says_long_column(named.words, fact)):
        return named
    return NamedTables(named.words, told[0], (told[1],), is_by_columns=True)


def with_tables(
    named: NamedTables,
    described: Iterable[ev.EnvironmentProbed],
    route: Route,
    library: Library,
    router: Router,
) -> Route:
    """Return where words lead once the tables that they name are known for tables.

    Of the targets that are near it is the one that offers a plan in these words. Where only rows
    of a table are spoken of, these are shown.

    Args:
        named: the words.
        described: what was found of the tables' columns.
        route: where the words lead as they stand.
        library: what is routed in.
        router: routes.
    """
    if not named.tables:
        return route
    if (formed := _by_form(named, route, library, router)) is not route:
        return formed
    words = _without_columns(named, described)
    is_settled = (route.mode == "playbook" or route.confidence == 1) and not named.is_by_columns
    if is_settled and route.mode != "clarify" and words == named.full:
        return route
    again = router(words, library)
    if again.mode == "chain" and route.mode in ("guided", "playbook"):
        # The same words with a name in full want no more than before.
        again = route
    is_number = _ASKS_ROWS.match(named.words) is not None
    if again.mode != "chain" and not is_number and asks_for_rows(named.full):
        again = _shown(words, again, library, router)
    is_small = is_number or named.is_by_columns
    if again.mode == "chain" or (again.mode == "playbook" and not is_small):
        return again
    planned = _planned(words, again, library)
    if planned is None:
        return again if again.mode in ("guided", "playbook") else route
    return _guided(planned)


def _guided(one: Candidate) -> Route:
    return Route("guided", (one.domain,), (one.target,), one.confidence, ("guided",))


def _columns_dotted(words: str) -> str | None:
    """Return the query for tables where words hold names of two parts alone: `students.email`."""
    names = [name for name in object_names(words) if len(name.parts) > 1]
    is_dotted = bool(names) and all(len(name.parts) == _DOTTED for name in names)
    return tables_query(words) if is_dotted else None


def _in_full(words: str) -> tuple[str, ...]:
    names = (name for name in object_names(words) if len(name.parts) > 1)
    return tuple(".".join(name.parts) for name in names)


def _by_form(named: NamedTables, route: Route, library: Library, router: Router) -> Route:
    """Return where the form of the words is served, about a table or two; else the route."""
    called = {spoken_key(split_name(table)[-1]) for table in named.tables}
    of_two = len(called) == _TWO
    wanted = wanted_by_form(named.words, of_two=of_two)
    if wanted is None or not (of_two or len(called) == 1):
        return route
    target = next(iter(_first(router(wanted, library))), None)
    is_served = target is not None and _rank(named.full, target, library) > 0
    if target is None or not (is_served or changes_again(named.words)):
        return route
    return _guided(target)


def _is_kind(words: str, table: str, listed: Sequence[str]) -> bool:
    """Tell whether the last word of a table's name is said for a kind of objects each time.

    `masking policies` are no rows of a table POLICIES, nor are `the policies of CLAIMS`, where
    CLAIMS is a table, too.
    """
    name = spoken_key(split_name(table)[-1])
    if name not in _KINDS:
        return False
    others = {spoken_key(split_name(one)[-1]): one for one in listed}
    said = [
        (_OF_A_KIND.search(words[:start]), _OF.match(words, end))
        for start, end, _ in mentions(words, {name: table})
    ]
    return bool(said) and all(
        kind or (of and spoken_key(of[1]) in others and spoken_key(of[1]) != name)
        for kind, of in said
    )


def _without_columns(named: NamedTables, described: Iterable[ev.EnvironmentProbed]) -> str:
    facts = [Fact.of(found, 0) for found in described]
    columns = [str(row["name"]) for fact in facts for row in fact.rows if "name" in row]
    asks_rows = _ASKS_ROWS.match(named.words) is not None
    return without_columns(named.full, columns, asks_rows=asks_rows)


def _shown(words: str, route: Route, library: Library, router: Router) -> Route:
    """Return where rows are shown, if a plan there shows what the words are about."""
    rows = router(SHOW_ROWS, library)
    is_planned = any(_rank(words, one, library) for one in _first(rows))
    is_sure = route.mode == "guided" and any(_rank(words, one, library) for one in _first(route))
    return rows if is_planned and not is_sure else route


def _planned(words: str, route: Route, library: Library) -> Candidate | None:
    """Return the nearest target that offers a plan in these words; None where none does.

    Where it is not clear what is meant it is the one of whose plan most is said, if one is.
    """
    if route.mode != "clarify":
        near = (*_first(route), *route.alternatives[:_NEAR])
        return next((one for one in near if _rank(words, one, library)), None)
    ranks = [(_rank(words, one, library), one) for one in route.alternatives]
    most = max((rank for rank, _ in ranks), default=0)
    best = [one for rank, one in ranks if rank == most]
    return best[0] if most and len(best) == 1 else None


def _meant(words: str, route: Route, library: Library) -> frozenset[str]:
    """Return the roots of words that the plan which a route leads to is asked for by."""
    target = next((target for target in route.targets if target), "")
    primitive = _primitive(target, library) if route.mode == "guided" else None
    return words_of_plan(words, primitive) if primitive is not None else frozenset()


def _primitive(target: str, library: Library) -> Primitive | None:
    return library.primitives.get(target.removeprefix("primitives/"))


def _first(route: Route) -> tuple[Candidate, ...]:
    targets = zip(route.targets[:1], route.domains, strict=False)
    return tuple(Candidate(t, "guided", domain, route.confidence) for t, domain in targets if t)


def _rank(words: str, one: Candidate, library: Library) -> int:
    primitive = _primitive(one.target, library)
    return rank_of_plan(words, primitive) if primitive is not None else 0
