"""Values inside governance statements."""

from decimal import Decimal

import pytest

from skills_nb.errors import SqlError
from skills_nb.sql.governance import SqlSyntaxError, parse
from skills_nb.sql.governance.ast import Ref, text_of
from skills_nb.sql.governance.object_kinds import snake


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x-small", "x-small"),
        (Ref(("XSMALL",)), "XSMALL"),
        (Ref(("DB", "my s")), "DB.my s"),
        (True, "TRUE"),
        (None, "NULL"),
        (60, "60"),
        (Decimal("1.50"), "1.50"),
    ],
)
def test_a_scalar_has_a_plain_text(value, text):
    assert text_of(value) == text


@pytest.mark.parametrize("value", [("a",), {"A": 1}])
def test_a_list_or_mapping_has_none(value):
    with pytest.raises(TypeError):
        text_of(value)


def test_a_reference_is_written_as_sql():
    assert Ref(("DB", "my s")).text == 'DB."my s"'


def test_a_kind_in_snake_case():
    assert snake("ROW ACCESS POLICY") == "row_access_policy"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'it''s'", "it's"),
        ("$$ a $$", " a "),
        ("-5", -5),
        ("1.50", Decimal("1.50")),
        ("1e3", Decimal("1e3")),
        ("null", None),
        ("true", True),
        ("all", Ref(("ALL",))),
        ('db."x".y', Ref(("DB", "x", "Y"))),
        ("()", ()),
        ("('a', b, 1)", ("a", Ref(("B",)), 1)),
        ("(a = 1 b = (c = 'd'), 'e' = 2)", {"A": 1, "B": {"C": "d"}, "e": 2}),
        ("((name = 'x') (name = 'y'))", None),
        ("((name = 'x'), (name = 'y'))", ({"NAME": "x"}, {"NAME": "y"})),
        ("$v", "from a variable"),
    ],
)
def test_a_property_has_its_value(written, value):
    sql = f"alter account set p = {written}"
    if written.startswith("((name = 'x') ("):
        with pytest.raises(SqlSyntaxError):
            parse(sql)
    else:
        (action,) = parse(sql, {"V": "from a variable"}).actions
        assert action.properties == {"P": value}


@pytest.mark.parametrize(
    "sql",
    [
        "alter account set p = $unknown",
        "alter account set p = -a",
        "alter account set p =",
        "alter account set p = (a b",
        "alter account set p = (a, b",
        "create warehouse w x = 1 comment = 'a' tag (a = 'b') x = 2",
        "create masking policy p as (a int, b) returns int -> 1",
        "create masking policy p as (a int b int returns int -> 1",
        "create masking policy p as () returns int -> )",
        "create masking policy p as () returns int -> 'open",
        "create task t as",
        "create task t nonsense as select 1",
        "create dynamic table d nonsense as select 1",
        "create dynamic table d target_lag = 'x'",
        "create stream s on thing t",
        "create sequence s start with 'x'",
        "create sequence s order by",
        "create procedure p() language sql as 'x'",
        "create procedure p() returns int as",
        "create procedure p() returns int nonsense",
        "create resource monitor r triggers on x percent do notify",
        "create table t clone",
        "create database d from share",
        "comment on thing t is 'x'",
        "comment on table t 'x'",
        "undrop thing t",
        "show future grants",
        "show grants on thing t",
        "show tables limit x",
        "use role r s",
        "drop table a.b.c.d",
        "drop table identifier('a.b.c.d')",
        "drop table identifier('a'",
        "set (a, b) = (1, 2, 3)",
        "call p(1, 2",
        "execute task",
        "execute immediate 1",
        "grant select on table t",
        "revoke select on table t to role r",
        "grant on table t to role r",
        "alter table t modify column a explode",
        "alter table t modify (a set not null",
        "alter warehouse w explode",
        "alter thing t set a = 1",
    ],
)
def test_a_broken_statement_is_refused(sql):
    with pytest.raises(SqlError):
        parse(sql)


@pytest.mark.parametrize(
    "sql", ["describe availability", "create thing t", "execute pipe p", "alter"]
)
def test_reading_goes_as_far_as_it_is_ours(sql):
    if sql == "alter":
        with pytest.raises(SqlSyntaxError):
            parse(sql)
    else:
        assert (parse(sql) is None) is not sql.startswith("describe")
