"""COPY INTO both ways, staged files in queries, pipes."""

import json
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.errors import SqlError


class Desk:
    """A session with a stage and a place for local files."""

    def __init__(self, session: AccountSession, folder: Path) -> None:
        self.session = session
        self.folder = folder

    def put(self, name: str, content: str, path: str = "in") -> None:
        (self.folder / name).write_text(content)
        self.run(f"put file://{self.folder}/{name} @st/{path} auto_compress=false overwrite=true")

    def run(self, sql: str) -> tuple[tuple[object, ...], ...]:
        return self.session.execute(sql).rows

    def refusal(self, sql: str) -> SqlError:
        with pytest.raises(SqlError) as refused:
            self.session.execute(sql)
        return refused.value


@pytest.fixture
def desk(admin: AccountSession, tmp_path: Path) -> Desk:
    made = Desk(admin, tmp_path)
    for sql in (
        "create stage st",
        "create table t (a int, b string)",
        "create file format csv_in type = csv skip_header = 1 field_optionally_enclosed_by = '\"'",
    ):
        made.run(sql)
    return made


def test_a_file_loads_once(desk: Desk) -> None:
    desk.put("x.csv", 'a,b\n1,"x,y"\n2,\n')
    copy = "copy into t from @st/in file_format = (format_name = csv_in)"
    assert desk.run(copy) == (("st/in/x.csv", "LOADED", 2, 2, 1, 0, None, None, None, None),)
    assert desk.run(copy) == (("Copy executed with 0 files processed.",),)
    assert desk.run("select * from t order by a") == ((1, "x,y"), (2, None))
    desk.run(copy + " force = true")
    assert desk.run("select count(*) from t") == ((4,),)


def test_a_changed_or_truncated_load_goes_again(desk: Desk) -> None:
    desk.put("x.csv", "a,b\n1,x\n")
    copy = "copy into t from @st/in file_format = (format_name = csv_in)"
    desk.run(copy)
    desk.put("x.csv", "a,b\n1,x\n2,y\n")
    assert desk.run(copy)[0][3] == 2
    desk.run("truncate table t")
    assert desk.run(copy)[0][3] == 2


def test_what_is_rolled_back_was_not_loaded(desk: Desk) -> None:
    desk.put("x.csv", "a,b\n1,x\n")
    copy = "copy into t from @st/in file_format = (format_name = csv_in)"
    for sql in ("begin", copy, "rollback"):
        desk.run(sql)
    assert desk.run("select count(*) from t") == ((0,),)
    assert desk.run(copy)[0][1] == "LOADED"


def test_a_bad_row_stops_the_load_and_changes_nothing(desk: Desk) -> None:
    desk.put("x.csv", "a,b\n1,x\nzwei,y\n")
    refused = desk.refusal("copy into t from @st/in file_format = (format_name = csv_in)")
    assert (refused.errno, refused.sqlstate) == (100038, "22018")
    said = "Numeric value 'zwei' is not recognized\n  File 'st/in/x.csv'"
    assert refused.message.startswith(said)
    assert desk.run("select count(*) from t") == ((0,),)


@pytest.mark.parametrize(
    ("option", "status", "loaded", "limit"),
    [
        ("continue", "PARTIALLY_LOADED", 2, 3),
        ("skip_file", "LOAD_FAILED", 0, 1),
        ("skip_file_2", "PARTIALLY_LOADED", 2, 2),
        ("'skip_file_50%'", "LOAD_FAILED", 0, 1),
    ],
)
def test_on_error(desk: Desk, option: str, status: str, loaded: int, limit: int) -> None:
    desk.put("x.csv", "a,b\n1,x\nzwei,y\n3,z\n")
    copy = f"copy into t from @st/in file_format = (format_name = csv_in) on_error = {option}"
    assert desk.run(copy) == (
        (
            "st/in/x.csv",
            status,
            3,
            loaded,
            limit,
            1,
            "Numeric value 'zwei' is not recognized",
            3,
            1,
            "A",
        ),
    )
    assert desk.run("select count(*) from t") == ((loaded,),)


@pytest.mark.parametrize(
    ("row", "errno"),
    [
        ("1,x,extra", 100080),
        ("1", 100080),
        ("99999999999999999999999999999999999999999,x", 100132),
        ('1,"open', 100077),
        ('1,"x"y', 100016),
    ],
)
def test_rows_that_do_not_fit_have_snowflakes_numbers(desk: Desk, row: str, errno: int) -> None:
    desk.put("x.csv", f"a,b\n{row}\n")
    copy = "copy into t from @st/in file_format = (format_name = csv_in)"
    assert desk.refusal(copy).errno == errno


def test_types_and_null_if(desk: Desk) -> None:
    desk.run(
        "create table k (d date, ts timestamp, f boolean, v variant, n number(6,2), s char(3))"
    )
    desk.put("k.csv", '2024-01-31|2024-01-31 10:00:00|yes|{"x": 1}|1.255|abc\nnull||||||\n')
    desk.run(
        "copy into k from @st/in file_format = (type = csv field_delimiter = '|' null_if = ('null')"
        " error_on_column_count_mismatch = false)"
    )
    shown = desk.run("select d::string, to_char(ts, 'YYYY-MM-DD HH24:MI:SS'), f, v:x, n, s from k")
    assert [str(v) for v in shown[0]] == [
        "2024-01-31",
        "2024-01-31 10:00:00",
        "True",
        "1",
        "1.26",
        "abc",
    ]
    assert shown[1] == (None, None, None, None, None, None)


def test_too_long_text_is_an_error_or_cut(desk: Desk) -> None:
    desk.run("create table k (s varchar(3))")
    desk.put("k.csv", "abcdef\n")
    copy = "copy into k from @st/in file_format = (type = csv)"
    assert desk.refusal(copy).errno == 100074
    desk.run(copy + " truncatecolumns = true")
    assert desk.run("select s from k") == (("abc",),)


def test_validation_mode_loads_nothing(desk: Desk) -> None:
    desk.put("x.csv", "a,b\n1,x\nzwei,y\n")
    copy = "copy into t from @st/in file_format = (format_name = csv_in) validation_mode = "
    (error,) = desk.run(copy + "return_errors")
    assert (error[0], error[1], error[6], error[8]) == (
        "Numeric value 'zwei' is not recognized",
        "in/x.csv",
        100038,
        "A",
    )
    assert desk.refusal(copy + "return_5_rows").errno == 100038
    assert desk.run("select count(*) from t") == ((0,),)


def test_json_by_column_name_and_into_one_variant(desk: Desk) -> None:
    desk.put("j.json", '[{"A": 1, "b": "x"}, {"A": 2}]')
    desk.run("create table v (v variant)")
    json_in = "file_format = (type = json strip_outer_array = true)"
    assert desk.refusal(f"copy into t from @st/in {json_in}").errno == 2019
    desk.run(f"copy into t from @st/in {json_in} match_by_column_name = case_insensitive")
    desk.run(f"copy into v from @st/in {json_in}")
    assert desk.run("select * from t order by a") == ((1, "x"), (2, None))
    assert desk.run("select v:A::int from v order by 1") == ((1,), (2,))


def test_a_document_without_names_is_a_bad_row_where_columns_are_matched(desk: Desk) -> None:
    desk.run("create table named (id int)")
    desk.put("mixed.json", '1\n{"id": 2}\n[3]\n')
    loading = (
        "copy into named from @st/in/mixed.json file_format = (type = json) "
        "match_by_column_name = case_insensitive"
    )
    with pytest.raises(SqlError, match="A document without named fields"):
        desk.run(loading)
    (told,) = desk.run(f"{loading} on_error = continue")
    assert told[1:6] == ("PARTIALLY_LOADED", 3, 1, 3, 2)
    assert desk.run("select id from named") == ((2,),)


def test_a_transformation_reads_positions_and_metadata(desk: Desk) -> None:
    desk.put("x.csv", "a,b\n1,x\n2,y\n")
    desk.run(
        "copy into t (b, a) from (select upper(s.$2), s.$1 from @st/in s) "
        "file_format = (format_name = csv_in)"
    )
    assert desk.run("select * from t order by a") == ((1, "X"), (2, "Y"))
    assert (
        desk.refusal(
            "copy into t from (select $1, $2 from @st/in limit 1) file_format = (type = csv)"
        ).errno
        == 2
    )
    assert desk.run(
        "select $1, $3, metadata$filename, metadata$file_row_number from @st/in "
        "(file_format => csv_in) order by 1"
    ) == (("1", None, "in/x.csv", 1), ("2", None, "in/x.csv", 2))


def test_parquet_goes_out_and_comes_back(desk: Desk) -> None:
    desk.run("insert into t values (1, 'x'), (2, null)")
    desk.run("copy into @st/out/ from t file_format = (type = parquet) header = true")
    desk.run("create file format pq type = parquet")
    shown = desk.run(
        "select column_name, type from table(infer_schema(location => '@st/out', "
        "file_format => 'pq'))"
    )
    assert shown == (("A", "NUMBER(38, 0)"), ("B", "TEXT"))
    desk.run("create table back like t")
    desk.run(
        "copy into back from @st/out file_format = (type = parquet) "
        "match_by_column_name = case_sensitive"
    )
    assert desk.run("select * from back order by a") == ((1, "x"), (2, None))


def test_unloading_writes_headers_quotes_and_no_second_time(desk: Desk, tmp_path: Path) -> None:
    desk.run("insert into t values (1, 'x\"y'), (2, null)")
    copy = (
        "copy into @st/out/data.csv from (select * from t order by a) file_format = (type = csv "
        "compression = none field_optionally_enclosed_by = '\"' null_if = ('')) single = true "
        "header = true"
    )
    assert desk.run(copy)[0][0] == 2
    assert desk.refusal(copy).errno == 1030
    desk.run(copy + " overwrite = true")
    desk.run(f"get @st/out file://{tmp_path}")
    assert (tmp_path / "data.csv").read_text() == '"A","B"\n"1","x""y"\n"2",\n'


def test_a_pipe_loads_on_refresh_with_its_owners_rights(
    desk: Desk, analyst: AccountSession
) -> None:
    desk.run("create pipe p as copy into t from @st/in file_format = (format_name = csv_in)")
    desk.put("x.csv", "a,b\n1,x\n")
    with pytest.raises(SqlError):
        analyst.execute("alter pipe p refresh")
    desk.run("grant operate on pipe p to role analyst")
    analyst.execute("alter pipe p refresh")
    assert desk.run("select * from t") == ((1, "x"),)
    told = json.loads(str(desk.run("select system$pipe_status('p')")[0][0]))
    assert (told["executionState"], told["lastIngestedFilePath"]) == ("RUNNING", "in/x.csv")
    desk.run("alter pipe p set pipe_execution_paused = true")
    assert desk.refusal("alter pipe p refresh").errno == 1420
    assert desk.refusal("create pipe q as select 1").errno == 1420


# ---- no road around policies and rights


def test_unloading_writes_what_the_role_may_see(
    desk: Desk, analyst: AccountSession, tmp_path: Path
) -> None:
    desk.run("grant read, write on stage st to role analyst")
    for sql in (
        "copy into @st/leak1 from people file_format = (type = csv compression = none)",
        "copy into @st/leak2 from (select * from people) file_format = (type = csv)",
        "copy into @st/leak3 from (select object_construct(*) from people) "
        "file_format = (type = json)",
        "copy into @st/leak4 from (select ssn from people) file_format = (type = parquet)",
    ):
        analyst.execute(sql)
    shown = analyst.execute("select $1, $2, $3 from @st/leak1").rows
    assert [row[2] for row in shown] == ["***", "***", "***"]
    everything = b"".join(
        p.read_bytes() for p in desk.session.account.files.root().rglob("*") if p.is_file()
    )
    assert b"111-11" not in everything


def test_loading_needs_insert_and_read(desk: Desk, analyst: AccountSession) -> None:
    desk.put("x.csv", "a,b\n1,x\n")
    copy = "copy into t from @st/in"
    with pytest.raises(SqlError) as no_table:
        analyst.execute(copy)
    desk.run("grant insert on table t to role analyst")
    with pytest.raises(SqlError) as no_stage:
        analyst.execute(copy)
    with pytest.raises(SqlError) as no_read:
        analyst.execute("select $1 from @st/in")
    assert [e.value.errno for e in (no_table, no_stage, no_read)] == [2003, 2003, 2003]


def test_a_view_over_a_stage_reads_as_its_owner(desk: Desk, analyst: AccountSession) -> None:
    desk.put("x.csv", "1,x\n")
    desk.run("create view staged as select $1 as a from @st/in")
    desk.run("grant select on view staged to role analyst")
    assert analyst.execute("select * from staged").rows == (("1",),)
    assert desk.refusal("create view mine as select $1 as a from @~").errno in (2, 100181)


def test_a_file_format_needs_usage(desk: Desk, analyst: AccountSession) -> None:
    desk.put("x.csv", "a,b\n1,x\n")
    desk.run("grant read on stage st to role analyst")
    with pytest.raises(SqlError) as refused:
        analyst.execute("select $1 from @st/in (file_format => csv_in)")
    assert refused.value.errno == 2003
    desk.run("grant usage on file format csv_in to role analyst")
    assert analyst.execute("select $1 from @st/in (file_format => csv_in)").rows == (("1",),)


def test_a_catalog_with_stages_survives(tmp_path: Path) -> None:
    with Account.open(tmp_path / "a") as account:
        session = account.session("ADMIN")
        for sql in ("create database d", "create stage st file_format = (type = json)"):
            session.execute(sql)
        before = session.execute("desc stage st").rows
    with Account.open(tmp_path / "a") as account:
        session = account.session("ADMIN", None, None, "D", "PUBLIC")
        assert session.execute("desc stage st").rows == before
