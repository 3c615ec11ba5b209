"""Laws of relations over generated queries: a view and a table made of a query are its rows, the
order of what comes in changes nothing, sums of groups are the sum, a join is a filtered product.

The queries are those of `test_query_laws`: types by functions, with NULLs, zones and quoted names.
"""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills_nb.embedded.engine.session import AccountSession
from tests.embedded.test_query_laws import KINDS, Generator, answer, columns, session

pytestmark = pytest.mark.slow
__all__ = ["session"]
LAWS = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
SEEDS = st.integers(min_value=0, max_value=10_000)
TABLES = {False: "t", True: '"My t"'}
NUMBERS = ("number(38,0)", "number(10,2)")
KEYS = [kind for kind in KINDS if kind not in ("variant", "timestamp_tz")]


@pytest.fixture(autouse=True)
def undone(session: AccountSession) -> Iterator[None]:
    """Leave the account without the views and tables of a law."""
    yield
    for made in ("view v", "table made", "table kept"):
        session.execute(f"drop {made.split()[0]} if exists {made.split()[1]}")


def query(seed: int, *, quoted: bool) -> tuple[Generator, str]:
    """Generate a query of two columns and a condition over a table."""
    found = columns(quoted=quoted)
    made = Generator(seed, found)
    one, two = (made.value(made.random.choice(list(KINDS))) for _ in range(2))
    return made, f"select {one} as x, {two} as y from {TABLES[quoted]} where {made.condition()}"


@LAWS
@given(SEEDS, st.booleans())
def test_a_view_is_its_query(session: AccountSession, seed: int, quoted: bool) -> None:
    _, asked = query(seed, quoted=quoted)
    expected = answer(session, asked)
    session.execute(f"create or replace view v as {asked}")
    assert answer(session, "select x, y from v") == expected
    assert answer(session, "select y, x from (select * from v)") == answer(
        session, f"select y, x from ({asked})"
    )


@LAWS
@given(SEEDS, st.booleans())
def test_a_table_made_of_a_query_holds_its_rows(
    session: AccountSession, seed: int, quoted: bool
) -> None:
    _, asked = query(seed, quoted=quoted)
    expected = answer(session, asked)
    if isinstance(expected, str):
        return
    session.execute(f"create or replace table made as {asked}")
    assert answer(session, "select * from made") == expected
    session.execute("create or replace table kept like made")
    session.execute(f"insert into kept {asked}")
    assert answer(session, "select * from kept") == expected


@LAWS
@given(SEEDS, st.booleans())
def test_the_order_of_what_comes_in_changes_nothing(
    session: AccountSession, seed: int, quoted: bool
) -> None:
    _, asked = query(seed, quoted=quoted)
    expected = answer(session, asked)
    for order in ("c0 nulls first", "c0 desc nulls last, c3", "hash(c3, c0)"):
        name = TABLES[quoted]
        by = order.replace("c0", '"c 0"').replace("c3", '"c 3"') if quoted else order
        ordered = f"from (select * from {name} order by {by}) where"
        mixed = asked.replace(f"from {name} where", ordered)
        assert answer(session, mixed) == expected, mixed


@LAWS
@given(SEEDS)
def test_sums_and_counts_of_groups_are_those_of_the_whole(
    session: AccountSession, seed: int
) -> None:
    made = Generator(seed, columns(quoted=False))
    value = made.value(made.random.choice(NUMBERS))
    by = made.value(made.random.choice(KEYS))
    whole = answer(session, f"select sum(x), count(x), count(*) from (select {value} as x from t)")
    parts = answer(
        session,
        "select sum(s), sum(c), sum(n) from (select g, sum(x) as s, count(x) as c, count(*) as n "
        f"from (select {value} as x, {by} as g from t) group by g)",
    )
    if not isinstance(whole, str) and not isinstance(parts, str):
        assert parts == whole, (value, by)


@LAWS
@given(SEEDS)
def test_a_union_holds_the_rows_of_its_parts(session: AccountSession, seed: int) -> None:
    made, asked = query(seed, quoted=False)
    p = made.condition()
    expected = answer(session, asked)
    cut = [f"{asked} and {test}" for test in (f"({p})", f"not ({p})", f"({p}) is null")]
    if isinstance(expected, str):
        return
    assert answer(session, " union all ".join(cut)) == expected, cut
    distinct = answer(session, f"select distinct * from ({asked})")
    assert answer(session, " union ".join(cut)) == distinct, cut
    assert answer(session, f"{asked} intersect {asked}") == distinct
    assert answer(session, f"{asked} except {asked}") == answer(
        session, f"select * from ({asked}) where false"
    )


@LAWS
@given(SEEDS, st.sampled_from(KEYS))
def test_a_join_is_a_product_that_is_filtered(
    session: AccountSession, seed: int, kind: str
) -> None:
    made = Generator(seed, columns(quoted=False))
    left, right = (f"(select {made.value(kind)} as k, c0 as n from t)" for _ in range(2))
    product = answer(session, f"select l.k, l.n, r.n from {left} l, {right} r where l.k = r.k")
    for form in (
        f"select l.k, l.n, r.n from {left} l join {right} r on l.k = r.k",
        f"select k, l.n, r.n from {left} l join {right} r using (k)",
        f"select l.k, l.n, r.n from {right} r cross join {left} l where not (l.k <> r.k)",
    ):
        assert answer(session, form) == product, form
    some = f"select l.k, l.n from {left} l where"
    kept = answer(session, f"{some} exists (select 1 from {right} r where r.k = l.k)")
    inside = answer(session, f"{some} l.k in (select k from {right})")
    assert kept == inside
