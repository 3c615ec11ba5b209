"""Accounts whose hidden values and rows differ; all that ANALYST may see of them is the same."""

from __future__ import annotations

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession

Row = tuple[int | str | None, ...]
COLUMNS = '(id int, "val ue" string, num int, day date, doc variant, region string)'
VISIBLE: tuple[Row, ...] = (
    (1, "v1", 10, "2024-01-01", '{"a":1}', "EU"),
    (3, "v3", 30, "2024-03-03", '{"a":3}', "EU"),
)
MASKED: dict[str, tuple[Row, ...]] = {
    "texts": (
        ("sek-A1", 10, "2001-01-01", '{"a":"sek-A"}'),
        ("sek-A2", 20, "2002-02-02", '{"a":2}'),
        ("sek-A3", 30, "2003-03-03", "[1,2]"),
    ),
    "gaps": (
        ("7", 0, "1999-09-09", "[7,8,9]"),
        ("7", 0, "1999-09-09", '{"zz":{"y":1}}'),
        (None, None, None, None),
    ),
    "extremes": (
        ("***", -1, "1900-01-01", "null"),
        ("sek-C" + "y" * 3000, 99999999999999999999999999999999999999, "2024-01-01", '"q"'),
        ("", 1, "2000-01-01", "{}"),
    ),
    "numbers": (
        ("1", 1, "2001-01-01", "1"),
        ("2", 2, "2002-02-02", "2"),
        ("0", 4, "2003-03-03", "3"),
    ),
}
"""Values of three rows of which the role sees the masks."""
HIDDEN: dict[str, tuple[Row, ...]] = {
    "texts": ((2, "sek-A2", 20, "2002-02-02", '{"a":"sek-A"}', "US"),),
    "gaps": (
        (1, "7", 0, "1999-09-09", "[1,2,3]", "US"),
        (1, "0", 9223372036854775807, "9999-12-31", None, "UK"),
        (99, None, None, None, '"sekB"', None),
        (2, "x", -5, "0001-01-01", "{}", "US"),
    ),
    "extremes": (),
    "numbers": ((7, "1", 1, "2001-01-01", "1", "US"),),
}
"""Rows that the role does not see."""
SETUP = """
create database shop
create schema shop.sales
create schema shop.lab
create database "Other Place"
create schema "Other Place"."in here"
create role analyst
create role other
grant usage on database shop to role analyst
grant usage on schema shop.sales to role analyst
grant usage on database "Other Place" to role analyst
grant usage on schema "Other Place"."in here" to role analyst
grant usage on warehouse compute_wh to role analyst
grant all on schema shop.lab to role analyst
create user ana default_role = analyst
grant role analyst to user ana
use schema shop.sales
create table perms (region string, role string)
insert into perms values ('EU','ANALYST')
create masking policy mtext as (v string) returns string ->
  case when current_role() = 'ACCOUNTADMIN' then v else '***' end
create masking policy mnum as (v int) returns int ->
  case when current_role() = 'ACCOUNTADMIN' then v else -1 end
create masking policy mday as (v date) returns date ->
  case when current_role() = 'ACCOUNTADMIN' then v else '1900-01-01'::date end
create masking policy mdoc as (v variant) returns variant ->
  case when current_role() = 'ACCOUNTADMIN' then v else to_variant('***') end
create masking policy ctext as (v string, r string) returns string ->
  case when r = 'EU' and current_role() = 'ACCOUNTADMIN' then v else '***' end
create masking policy cnum as (v int, r string) returns int ->
  case when r = 'EU' and current_role() = 'ACCOUNTADMIN' then v else -1 end
create masking policy ltext as (v string) returns string ->
  case when exists (select 1 from perms p where p.role = current_role() and p.region = 'ALL')
  then v else sha2('*') end
create masking policy lnum as (v int) returns int ->
  case when 'ALL' in (select region from perms where role = current_role()) then v else -1 end
create row access policy rown as (r string) returns boolean ->
  current_role() = 'ACCOUNTADMIN' or r = 'EU'
create row access policy rmap as (r string) returns boolean -> current_role() = 'ACCOUNTADMIN'
  or exists (select 1 from perms p where p.role = current_role() and p.region = r)
create aggregation policy seven as () returns aggregation_constraint ->
  aggregation_constraint(min_group_size => 7)
create tag pii
alter tag pii set masking policy mtext, masking policy mnum, masking policy mday,
  masking policy mdoc
create sequence sqq
create function one(x int) returns int as 'x + 1'
create function sdiv(a int, b int) returns int as 'a / b'
create function sq(a string) returns int as '(select to_number(a))'
create function tf(a string) returns table (x int) as 'select to_number(a)'
"""
OVER_THEM = f"""
create secure view sv as select * from base where region = 'EU'
create secure view svj as select b.* from base b join perms p on p.region = b.region
create view vm as select * from masked
create secure view svm as select * from tagged
create view vr as select * from "My Rows"
create view vc as select id, "val ue", num, 1 / num as q, to_number("val ue") as n from counted
create secure function sf() returns table {COLUMNS} as
  'select * from base where region = ''EU'''
create stream st_masked on table masked show_initial_rows = true
create stream st_rows on table roww show_initial_rows = true
grant select on all tables in schema "Other Place"."in here" to role analyst
grant select on view vc to role analyst
grant select on table counted to role analyst
grant select on stream st_masked to role analyst
grant select on stream st_rows to role analyst
grant usage on sequence sqq to role analyst
grant usage on all functions in schema sales to role analyst
"""
TABLES = (
    "shop.sales.masked",
    'shop.sales."Lower Case"',
    "shop.sales.cond",
    "shop.sales.looked",
    "shop.sales.tagged",
    "shop.sales.roww",
    'shop.sales."My Rows"',
    "shop.sales.both",
    '"Other Place"."in here"."t"',
)
"""Tables that the role may read and change."""
VIEWS = tuple(f"shop.sales.{name}" for name in ("sv", "svj", "vm", "svm", "vr"))
RELATIONS = (*TABLES, *VIEWS, "table(sf())", "counted", "st_masked", "st_rows")
_MASKS = {
    "cond": ("ctext", "cnum"),
    "looked": ("ltext", "lnum"),
    "tagged": (),
    "roww": (),
    '"My Rows"': (),
}


def _literal(value: int | str | None) -> str:
    if value is None:
        return "null"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def _filled(table: str, rows: tuple[Row, ...]) -> list[str]:
    made = [f"create table {table} {COLUMNS}"]
    if rows:
        listed = (tuple(map(_literal, row)) for row in rows)
        texts = (f"select {a},{b},{c},{d}::date,parse_json({e}),{f}" for a, b, c, d, e, f in listed)
        made.append(f"insert into {table} {' union all '.join(texts)}")
    return made


def _masked(table: str) -> list[str]:
    named = _MASKS.get(table.rsplit(".", 1)[-1], ("mtext", "mnum"))
    if not named:
        return []
    text, number = named
    using = {c: f" using ({c}, region)" if table == "shop.sales.cond" else "" for c in _COLUMNS}
    policies = dict(zip(_COLUMNS, (text, number, "mday", "mdoc"), strict=True))
    return [
        f"alter table {table} modify column {c} set masking policy shop.sales.{p}"
        + (using[c] if p.startswith("c") else "")
        for c, p in policies.items()
    ]


_COLUMNS = ('"val ue"', "num", "day", "doc")


def _statements(variant: str) -> list[str]:
    hidden = HIDDEN[variant]
    masked = tuple((n + 1, *row, "EU") for n, row in enumerate(MASKED[variant]))
    abroad = tuple((*row[:5], "US") for row in hidden)
    rows = {"roww": VISIBLE + hidden, '"My Rows"': hidden + VISIBLE, "both": masked + abroad}
    made: list[str] = []
    for table in TABLES:
        made += _filled(table, rows.get(table.rsplit(".", 1)[-1], masked)) + _masked(table)
        rights = "select, insert, update, delete, truncate, references"
        made.append(f"grant {rights} on table {table} to role analyst")
    made += [f"alter table tagged modify column {c} set tag pii = 'x'" for c in _COLUMNS]
    made += [f"alter table {t} add row access policy rown on (region)" for t in ("roww", "both")]
    made.append('alter table "My Rows" add row access policy rmap on (region)')
    made += _filled("base", VISIBLE + hidden) + _filled("vault", hidden)
    made += [*_filled("counted", masked), "alter table counted set aggregation policy seven"]
    return made


def _cut(script: str) -> list[str]:
    return script.strip().replace("\n  ", " ").splitlines()


def analyst_of(variant: str) -> AccountSession:
    """Open an account with hidden data of a kind, for the role that may not see them."""
    account = Account.open()
    admin = account.session("ADMIN")
    for statement in [*_cut(SETUP), *_statements(variant), *_cut(OVER_THEM)]:
        admin.execute(statement)
    for view in VIEWS:
        admin.execute(f"grant select on view {view} to role analyst")
    analyst = account.session("ANA", "ANALYST", "COMPUTE_WH", "SHOP", "SALES")
    analyst.execute("create table shop.lab.sink (x int, y string)")
    return analyst
