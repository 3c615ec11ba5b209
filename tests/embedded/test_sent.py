"""What is sent to DuckDB reads what the policies have judged, no more and no less.

The law runs every statement of every case document, and generated queries, and compares what the
tree that is sent reads with what the rewrite judged. A rewrite with a hole is refused.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.executor import queries
from skills_nb.embedded.rewriter import sent, stars
from skills_nb.embedded.rewriter.protect import PROTECTS
from skills_nb.embedded.rewriter.query import QueryRewriter
from skills_nb.embedded.types import names
from skills_nb.errors import SqlError
from skills_nb.sql.statements import split
from tests.embedded.case_documents import Document, documents

from .conftest import statements

SETUP = """
create database shop
create schema shop.sales
create table "My Staff" (id int, "badge no" string, pay int, team string, city string)
insert into "My Staff" values (1,'S3C-1',10,'x','a'), (2,'S3C-2',20,'x','b'), (3,'S3C-3',30,'y','a')
create table teams (team string, lead int)
insert into teams values ('x', 1), ('y', 3)
create projection policy hidden as () returns projection_constraint ->
  projection_constraint(allow => false)
create masking policy mask as (v string, t string) returns string ->
  case when t in (select team from teams where lead = 1) then v else '***' end
create row access policy own as (t string) returns boolean ->
  exists (select 1 from teams m where m.team = t)
alter table "My Staff" modify column "badge no" set projection policy hidden
alter table "My Staff" modify column city set masking policy mask using (city, team)
alter table "My Staff" add row access policy own on (team)
create view staff_view as select * from "My Staff"
create secure view rich as select s.id, s.pay, t.lead from "My Staff" s join teams t using (team)
create table counted (id int, kind string, size int)
insert into counted values (1,'k',1), (2,'k',2), (3,'l',3)
create aggregation policy two as () returns aggregation_constraint ->
  aggregation_constraint(min_group_size => 2)
alter table counted set aggregation policy two
"""


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[tuple[sent.Reads, sent.Reads]]:
    """Note what each query that is sent reads, beside what was judged."""
    noted: list[tuple[sent.Reads, sent.Reads]] = []
    finished = queries.finished

    def watching(session: Any, rewriter: QueryRewriter, *rest: Any, **more: Any) -> exp.Expr:
        made = finished(session, rewriter, *rest, **more)
        noted.append((sent.reads(made), {p: c for p, c in rewriter.judged.items() if c}))
        return made

    monkeypatch.setattr(queries, "finished", watching)
    return noted


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("document", documents(), ids=lambda document: document.path.stem)
def test_every_case_document_reads_what_was_judged(
    document: Document, watched: list[tuple[sent.Reads, sent.Reads]]
) -> None:
    for case in document.cases:
        with Account.open() as account:
            session = account.session("ADMIN", "ACCOUNTADMIN", "COMPUTE_WH")
            session.execute("create database cases")
            for statement in split(case.sql):
                _tried(session, statement.text)
    assert [read for read, _ in watched] == [judged for _, judged in watched]


def _tried(session: AccountSession, sql: str) -> bool:
    try:
        session.execute(sql)
    except SqlError:
        return False
    return True


@pytest.fixture(scope="module")
def reader() -> Iterator[AccountSession]:
    with Account.open() as account:
        session = account.session("ADMIN")
        for statement in statements(SETUP):
            session.execute(statement)
        yield session


STAFF = ("id", '"badge no"', "pay", "team", "city")
ITEMS = st.sampled_from(
    [
        *STAFF,
        "a.*",
        "*",
        "(* exclude id)",
        '* exclude ("badge no")',
        "concat(a.* exclude id)",
        "count(*)",
        "count(a.*)",
        "{*}",
        "$1",
        "pay + id as s",
        "max(pay) over (partition by city)",
        "(select max(lead) from teams t where t.team = a.team)",
    ]
)
FROMS = st.sampled_from(
    [
        '"My Staff" a',
        "staff_view a",
        '(select * from "My Staff") a',
        "(select (*) from staff_view) a",
        '"My Staff" a join teams using (team)',
        '"My Staff" a natural join teams',
        '"My Staff" a join rich r on r.id = a.id',
        '"My Staff" as a(id, "badge no", pay, team, city)',
        '"My Staff" a, lateral (select lead from teams t where t.team = a.team) l',
        "\"My Staff\" a, lateral flatten(input => split(a.city, '')) f",
    ]
)
ENDS = st.sampled_from(
    [
        "",
        "where a.city = 'a'",
        "where a.id in (select lead from teams)",
        "where exists (select 1 from teams t where t.lead = a.id and a.city is not null)",
        "order by a.pay",
        "qualify row_number() over (partition by a.team order by a.id) = 1",
    ]
)
WRAPS = st.sampled_from(
    [
        "select * from ({q}) w",
        "select count(*) from ({q}) w",
        "with w as ({q}) select * from w",
        "({q}) union all ({q})",
        "select (* ilike 'i%') from ({q}) w",
        "select {{*}} as o from ({q}) w",
    ]
)


@pytest.mark.slow
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(ITEMS, min_size=1, max_size=3), FROMS, ENDS, st.lists(WRAPS, max_size=2))
def test_generated_queries_read_what_was_judged(
    reader: AccountSession,
    watched: list[tuple[sent.Reads, sent.Reads]],
    items: list[str],
    source: str,
    end: str,
    wraps: list[str],
) -> None:
    query = f"select {', '.join(items)} from {source} {end}"
    for wrap in wraps:
        query = wrap.format(q=query)
    watched.clear()
    _tried(reader, query)
    assert [read for read, _ in watched] == [judged for _, judged in watched]


UNSEEN = [
    'select concat(* exclude id) from "My Staff"',
    'select (* exclude id) from "My Staff"',
    "select {*} from staff_view",
    "select [* exclude id] from staff_view",
    "select array_construct(*) from rich",
    'select (*) from (select id, pay from "My Staff" union all select id, pay from "My Staff") u',
    'with w as (select * from "My Staff") select (*) from w',
    "select sum(x) from (select (* exclude (id, kind)) from counted) c(x)",
    "create table copied as select (* exclude id) from staff_view",
    "insert into teams select (*) from rich",
]


@pytest.mark.parametrize("attempt", UNSEEN)
def test_a_star_that_the_rewrite_overlooked_is_refused(
    reader: AccountSession, monkeypatch: pytest.MonkeyPatch, attempt: str
) -> None:
    monkeypatch.setattr(stars, "is_star", lambda node: False)
    monkeypatch.setattr(stars, "listed", lambda node: node if isinstance(node, exp.Star) else None)
    with pytest.raises(SqlError) as refused:
        reader.execute(attempt)
    assert refused.value.errno == 2
    assert "'reading * in this place'" in str(refused.value)


def test_a_column_that_the_rewrite_overlooked_is_refused(
    reader: AccountSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QueryRewriter, "note_read", lambda *given: None)
    with pytest.raises(SqlError) as refused:
        reader.execute('select "badge no" from "My Staff" s where s.team = \'x\' and id = 1')
    assert refused.value.errno == 3650
    with pytest.raises(SqlError) as refused:
        reader.execute("select id from \"My Staff\" s where s.team = 'x'")
    assert "'reading ID in this place'" in str(refused.value)


def test_a_table_outside_of_what_protects_it_is_refused() -> None:
    with pytest.raises(SqlError) as refused:
        sent.reads(exp.select("a").from_(names.physical_table(("SHOP.SALES", "T"))))
    assert refused.value.errno == 2


def test_a_column_is_read_through_every_way_to_name_it() -> None:
    shown = exp.select('"x"', '"y"', '"z"').from_(names.physical_table(("SHOP.SALES", "T")))
    shown.set(PROTECTS, ("SHOP", "SALES", "T"))
    table = exp.Subquery(this=shown, alias=exp.TableAlias(this=names.quoted("T")))
    other = exp.select('"y"').subquery("o", copy=False)
    query = exp.select('"T"."x"').from_(table).join(other, using=["y"])
    nested = exp.select("1").where(exp.column("z", quoted=True).is_(exp.null()))
    query = query.where(exp.Exists(this=nested))
    assert sent.reads(query) == {("SHOP", "SALES", "T"): {"x", "y", "z"}}
