"""Whatever a role may not see, its answers are the same: rows, counts, errors and histories.

Each attempt runs as the same role on accounts whose masked values and hidden rows differ. What
comes back must not.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError

from .hidden_data.accounts import MASKED, RELATIONS, TABLES, analyst_of

_HERE = Path(__file__).parent / "hidden_data"
_VARYING = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|datetime\.datetime\(20(?:2[5-9]|[3-9]\d)(?:[^()]|\([^()]*\))*\)"
    r"|\b\d{13,19}\b|\b20(?:2[5-9]|[3-9]\d)-\d\d-\d\d[T ][\d:. +Z]*"
)
"""What differs between any two runs: query ids and moments."""
_INNERMOST = re.compile(r"\([^()]*\)")
_WORDS = {"{c}": '"val ue"', "{n}": "num", "{d}": "day", "{j}": "doc", "{k}": "id", "{v}": "v"}

_PLACES = (
    "select id from {t} v where {p} order by 1",
    "select count(*) from {t} v where {p}",
    "select id, ({p}) as hit from {t} v order by 1",
)


def _lines(name: str) -> list[str]:
    return (_HERE / name).read_text(encoding="utf-8").splitlines()


def _about(template: str, relation: str, number: int = 0) -> str:
    words = {
        **_WORDS,
        "{t}": relation,
        "{tq}": f"'{relation}'",
        "{tn}": relation.rsplit(".", 1)[-1],
        "{i}": str(number),
    }
    return re.sub(r"\{\w+\}", lambda found: words.get(found[0], found[0]), template)


def queries(relation: str) -> Iterator[str]:
    """Yield what is asked of a relation; a condition stands in another place for each of three."""
    for number, condition in enumerate(_lines("conditions.txt"), RELATIONS.index(relation)):
        yield _about(_PLACES[number % len(_PLACES)].replace("{p}", condition), relation)
    for selected in _lines("selected.txt"):
        yield _about(f"select {selected} from {{t}} v", relation)
    for query in _lines("queries.txt"):
        yield _about(query, relation)


def scripts(table: str) -> Iterator[list[str]]:
    """Yield what is done to a table, one statement after the other."""
    for number, script in enumerate("\n".join(_lines("scripts.txt")).split("\n\n")):
        yield [_about(line, table, number) for line in script.splitlines()]
    for template in _lines("changes.txt"):
        for condition in _lines("conditions.txt")[::3]:
            name = "v" if "{t} v" in template else table.rsplit(".", 1)[-1]
            text = template.replace("{p}", condition.replace("{v}", name))
            yield ["begin", _about(text, table), "rollback"]


def _outside(sql: str) -> str:
    """Return a statement without what stands in parentheses: the order of windows is not its."""
    inner = _INNERMOST.sub("", sql)
    return inner if inner == sql else _outside(inner)


def answer(session: AccountSession, sql: str) -> str:
    """Return all that a statement tells."""
    try:
        found = session.execute(sql)
    except SqlError as error:
        return _VARYING.sub("…", f"{error.errno} {error.sqlstate} {error.message}")
    rows = [_VARYING.sub("…", repr(row)) for row in found.rows]
    listed = rows if "order by" in _outside(sql.lower()) else sorted(rows)
    return repr((found.columns, found.row_count, listed))


def _different(analysts: list[AccountSession], statements: Iterator[str]) -> list[list[str]]:
    """Return the statements that tell accounts apart, with what each of them answers."""
    found = ([sql, *(answer(analyst, sql) for analyst in analysts)] for sql in statements)
    return [told for told in found if len(set(told[1:])) > 1]


@pytest.fixture(scope="module")
def analysts() -> list[AccountSession]:
    return [analyst_of(variant) for variant in MASKED]


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("relation", RELATIONS)
def test_no_query_tells_hidden_data_apart(analysts: list[AccountSession], relation: str) -> None:
    assert _different(analysts, queries(relation)) == []


def test_some_queries_tell_no_hidden_data_apart(analysts: list[AccountSession]) -> None:
    asked = [sql for relation in RELATIONS for sql in queries(relation)][::499]
    assert _different(analysts, iter(asked)) == []


@pytest.mark.slow
def test_no_group_that_is_too_small_tells_its_records(analysts: list[AccountSession]) -> None:
    assert _different(analysts, iter(_lines("of_small_groups.txt"))) == []


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_no_change_tells_hidden_data_apart(table: str) -> None:
    changing = [analyst_of(variant) for variant in MASKED]
    statements = (statement for script in scripts(table) for statement in script)
    assert _different(changing, statements) == []


def test_the_accounts_differ_for_who_may_see(analysts: list[AccountSession]) -> None:
    admins = [analyst.account.session("ADMIN") for analyst in analysts]  # type: ignore[attr-defined]
    for table in TABLES:
        assert len({answer(admin, f"select hash_agg(*) from {table}") for admin in admins}) > 1
