"""A person's own data become a table: read as meant, loaded whole, said what is not, taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas
import pytest

import skills_nb
from skills_nb.commands import App
from skills_nb.errors import UsageError

pytestmark = pytest.mark.slow
Load = Callable[..., dict[str, Any]]


@pytest.fixture
def load(app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Write a file beside the person and load it; more words may follow."""
    monkeypatch.chdir(tmp_path)

    def do(name: str, body: str | bytes | None = None, *more: str) -> dict[str, Any]:
        if body is not None:
            (tmp_path / name).write_bytes(body.encode() if isinstance(body, str) else body)
        return app.invoke(["load", name, *more]).document

    return do


def rows(app: App, table: str) -> list[list[Any]]:
    return app.invoke(["sql", f"SELECT * FROM {table}"]).document["rows"]


def types(document: dict[str, Any]) -> dict[str, str]:
    return {column["name"]: column["type"] for column in document["columns"]}


def databases(app: App) -> set[str]:
    found = app.invoke(["sql", "SHOW DATABASES"]).document
    return {row[found["columns"].index("name")] for row in found["rows"]}


# ---- the whole way


def test_a_file_becomes_a_table_and_is_taken_back(app: App, load: Load) -> None:
    before = databases(app)
    made = load("patients.csv", 'id,name,born\n1,"Ann\nB.",2001-02-03\n9007199254740993,,\n')
    assert (made["status"], made["table"], made["rows"]) == (
        "completed",
        "MY_DATA.PUBLIC.PATIENTS",
        2,
    )
    assert types(made) == {"ID": "NUMBER(38,0)", "NAME": "VARCHAR", "BORN": "DATE"}
    assert rows(app, made["table"]) == [
        [1, "Ann\nB.", "2001-02-03"],
        [9007199254740993, None, None],
    ]
    app.invoke(["cleanup"])
    app.invoke(["respond", "cleanup"])
    assert databases(app) == before


def test_no_copy_of_the_rows_is_left_anywhere(app: App, load: Load, home: Path) -> None:
    load("p.csv", "a\n1\n")
    assert app.invoke(["sql", "LIST @~"]).document["rows"] == []
    assert list(home.glob("loads/*/rows.csv.gz")) == []


def test_what_is_left_out_is_said_and_kept(load: Load) -> None:
    made = load("p.csv", "a,b\n1,x\n2\n3,z\n")
    assert (made["rows"], [(r["row"], r["why"]) for r in made["rejected"]]) == (
        2,
        [(2, "it has 1 fields, and there are 2 columns")],
    )
    assert Path(made["rejected_file"]).read_text().splitlines()[1:] == [
        '2,,"it has 1 fields, and there are 2 columns",2'
    ]


def test_a_dry_run_foretells_the_rows_and_changes_nothing(app: App, load: Load) -> None:
    before = databases(app)
    load("p.csv", "a\n1\n2\n", "--dry-run")
    reply = app.invoke(["approve"])
    assert reply.pause is not None
    assert reply.pause.kind == "dry_run_summary"
    assert databases(app) == before
    app.invoke(["respond", "execute"])
    app.invoke(["approve"])
    assert rows(app, "MY_DATA.PUBLIC.P") == [[1], [2]]


# ---- nothing is overwritten, and nothing half made


def test_a_table_that_is_there_is_never_overwritten(app: App, load: Load) -> None:
    load("p.csv", "a\n1\n")
    with pytest.raises(UsageError, match=r"MY_DATA\.PUBLIC\.P is there already") as refused:
        load("p.csv", "a\n2\n")
    assert refused.value.hint == (
        "add the rows to it with --append, or choose another name: --into MY_DATA.PUBLIC.P_2"
    )
    assert rows(app, "MY_DATA.PUBLIC.P") == [[1]]


def test_rows_are_added_only_with_approval_and_can_be_taken_back(app: App, load: Load) -> None:
    load("p.csv", "a;b\n1,25;x\n")
    added = load("q.csv", "b;a\ny;2,5\nz;many\n", "--append", "--into", "MY_DATA.PUBLIC.P")
    assert [(r["row"], r["column"]) for r in added["rejected"]] == [(2, "A")]
    assert rows(app, "MY_DATA.PUBLIC.P") == [["1.25", "x"]]
    app.invoke(["approve"])
    app.invoke(["approve"])
    assert rows(app, "MY_DATA.PUBLIC.P") == [["1.25", "x"], ["2.50", "y"]]
    app.invoke(["cleanup"])
    app.invoke(["respond", "cleanup"])
    assert rows(app, "MY_DATA.PUBLIC.P") == [["1.25", "x"]]


def test_columns_that_a_table_lacks_are_named(load: Load) -> None:
    load("p.csv", "a\n1\n")
    with pytest.raises(UsageError, match="no column AGE"):
        load("q.csv", "a,age\n1,2\n", "--append", "--into", "MY_DATA.PUBLIC.P")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "is empty"),
        ("a,b\n", "no rows"),
        (b"a\0b\n\1", "no text file"),
        ('a,b\n1,"x\n', "cannot be read as CSV: near line 2"),
        ("a,b\n1\n2\n", "no row of p.csv can be loaded"),
    ],
)
def test_nothing_is_made_of_nothing(app: App, load: Load, body: str | bytes, said: str) -> None:
    before = databases(app)
    with pytest.raises(UsageError, match=said):
        load("p.csv", body)
    assert (databases(app), app.invoke(["threads"]).document) == (before, [])


# ---- odd files


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("\ufeffid;näme\n1;é\n".encode(), [[1, "é"]]),
        ("id,name\n1,é\n".encode("utf-16"), [[1, "é"]]),
        ("id,name\n1,Müller\n".encode("latin-1"), [[1, "Müller"]]),
        (b"zip,n\n01234,5\n", [["01234", 5]]),
        (b"a\tb\n1\tx\n", [[1, "x"]]),
        (b"a,A,\n1,2,3\n", [[1, 2, 3]]),
        (
            b"d,e,f\n31.12.2024,12/31/2024,01/02/2024\n",
            [["2024-12-31", "2024-12-31", "01/02/2024"]],
        ),
        (b"a\nn/a\n1\n2\n3\n", [["n/a"], ["1"], ["2"], ["3"]]),
        (b'a,b\n"1,234.50","1,234"\n', [["1234.50", "1,234"]]),
        (b"a;b\n1.234,50;1.234\n", [["1234.50", "1.234"]]),
        (b"t\n2024-01-02T03:04:05Z\n", [["2024-01-02T03:04:05+00:00"]]),
        (b"b,t\nTRUE,9:05 pm\nfalse,23:59:59\n", [[True, "21:05:00"], [False, "23:59:59"]]),
    ],
)
def test_odd_files_are_read_as_they_are_meant(
    app: App, load: Load, body: bytes, expected: list[list[Any]]
) -> None:
    load("odd.csv", body)
    assert rows(app, "MY_DATA.PUBLIC.ODD") == expected


def test_what_could_mean_two_things_stays_text_and_says_so(load: Load) -> None:
    made = load("p.csv", 'day,sum,zip\n01/02/2024,"1,234",007\n')
    assert made["notes"] == [
        "DAY stays text: '01/02/2024' may begin with the day or the month.",
        "SUM stays text: '1,234' may be a thousand or a fraction.",
        "ZIP stays text: '007' begins with a zero, which a number would lose.",
    ]


def test_fifteen_hundred_columns_are_loaded(app: App, load: Load) -> None:
    names = ",".join(f"c{n}" for n in range(1500))
    made = load("wide.csv", f"{names}\n{','.join('7' * 1500)}\n")
    assert (len(made["columns"]), len(rows(app, made["table"])[0])) == (1500, 1500)


def test_json_keeps_what_is_nested_and_every_digit(app: App, load: Load) -> None:
    made = load(
        "p.json", '[{"id": 9007199254740993, "tags": ["a"]}, {"id": 1.10, "at": "2024-01-02"}]'
    )
    assert types(made) == {"ID": "NUMBER(38,2)", "TAGS": "VARIANT", "AT": "DATE"}
    found = app.invoke(["sql", f"SELECT ID, TAGS[0]::VARCHAR, AT FROM {made['table']}"])
    assert found.document["rows"] == [
        ["9007199254740993.00", "a", None],
        ["1.10", None, "2024-01-02"],
    ]


def test_lines_of_json_that_are_broken_are_left_out(load: Load) -> None:
    made = load("p.jsonl", '{"id": 1}\n{"id": 2,\n[3]\n{"id": 4}\n')
    assert (made["rows"], [r["row"] for r in made["rejected"]]) == (2, [2, 3])


def test_a_parquet_file_keeps_its_types(app: App, load: Load, tmp_path: Path) -> None:
    frame = pandas.DataFrame(
        {"f": [0.1, None], "d": [Decimal("1.50"), None], "b": [b"\0\xff", None]}
    )
    frame.to_parquet(tmp_path / "p.parquet")
    made = load("p.parquet")
    assert types(made) == {"F": "FLOAT", "D": "NUMBER(38,2)", "B": "BINARY"}
    assert rows(app, made["table"]) == [[0.1, "1.50", "00FF"], [None, None, None]]


# ---- where from, and where to


def test_a_path_with_spaces_and_a_home_folder_are_found(
    app: App, load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "my data (1).csv").write_text("a\n1\n")
    assert load("~/my data (1).csv")["table"] == "MY_DATA.PUBLIC.MY_DATA_1"


def test_a_missing_file_names_the_nearest_and_a_folder_what_it_holds(
    load: Load, tmp_path: Path
) -> None:
    (tmp_path / "patients.csv").write_text("a\n1\n")
    with pytest.raises(UsageError) as refused:
        load("patient.csv")
    assert refused.value.hint == "did you mean patients.csv?"
    with pytest.raises(UsageError, match="is a folder") as folder:
        load(".")
    assert folder.value.hint == "it holds patients.csv"


def test_names_that_need_quotes_are_kept(app: App, load: Load) -> None:
    made = load("p.csv", "Full Name,order\nAnn,1\n", "--into", 'PROD.PUBLIC."my table"')
    assert types(made) == {"Full Name": "VARCHAR", "ORDER": "NUMBER(38,0)"}
    assert rows(app, 'PROD.PUBLIC."my table"') == [["Ann", 1]]


def test_a_schema_that_is_not_there_is_refused_with_the_nearest(load: Load) -> None:
    with pytest.raises(UsageError, match=r"PROD\.PUBLICK does not exist") as refused:
        load("p.csv", "a\n1\n", "--into", "PROD.PUBLICK.P")
    assert refused.value.hint == "did you mean PROD.PUBLIC?"


def test_a_view_is_no_place_for_rows(app: App, load: Load) -> None:
    found = app.invoke(["sql", "SHOW VIEWS IN SCHEMA PROD.ANALYTICS"]).document
    view = found["rows"][0][found["columns"].index("name")]
    with pytest.raises(UsageError, match="is a view, and rows go into tables"):
        load("p.csv", "a\n1\n", "--into", f"PROD.ANALYTICS.{view}")


def test_a_frame_is_loaded_by_its_name(home: Path) -> None:
    frame = pandas.DataFrame(
        {"n": [2**53 + 1, 1], "day": [date(2024, 1, 2), None], "f": [0.1, None]}
    )
    app = App(home, variables={"df": frame, "number": 7})
    made = app.invoke(["load", "df"]).document
    assert rows(app, made["table"]) == [[2**53 + 1, "2024-01-02", 0.1], [1, None, None]]
    with pytest.raises(UsageError, match="'number' is of type int and no DataFrame"):
        app.invoke(["load", "number"])
    app.close()


# ---- other sessions


@pytest.fixture
def session(tmp_path: Path) -> Any:
    """Open a session that a person brings, on an account of its own."""
    opened = skills_nb.connect(tmp_path / "theirs")
    for sql in ("CREATE DATABASE D", "CREATE ROLE R", "GRANT ROLE R TO USER ADMIN"):
        opened.sql(sql).collect()
    opened.sql("GRANT USAGE ON DATABASE D TO ROLE R").collect()
    opened.sql("GRANT USAGE ON SCHEMA D.PUBLIC TO ROLE R").collect()
    yield opened
    opened.close()


@pytest.fixture
def theirs(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("a\n1\n")
    app = App(tmp_path / "home", variables={"session": session})
    app.invoke(["connect", "--session", "session"])
    yield app
    app.close()


def test_on_another_account_the_plan_waits_for_approval(theirs: App, session: Any) -> None:
    made = theirs.invoke(["load", "p.csv", "--into", "D.PUBLIC.P"]).document
    assert made["pause"]["at"] == "plan"
    assert session.sql("SHOW TABLES IN DATABASE D").collect() == []
    theirs.invoke(["approve"])
    theirs.invoke(["approve"])
    assert [row[0] for row in session.table("D.PUBLIC.P").collect()] == [1]


def test_a_role_that_may_not_make_tables_is_told_who_can_help(theirs: App, session: Any) -> None:
    session.sql("USE ROLE R").collect()
    session.sql("USE SECONDARY ROLES NONE").collect()
    with pytest.raises(UsageError, match=r"lacks CREATE TABLE on schema D\.PUBLIC") as refused:
        theirs.invoke(["load", "p.csv", "--into", "D.PUBLIC.P"])
    assert refused.value.hint == (
        "ACCOUNTADMIN (which owns it) or SECURITYADMIN can give it: "
        "GRANT CREATE TABLE ON SCHEMA D.PUBLIC TO ROLE R"
    )
    session.sql("USE ROLE ACCOUNTADMIN").collect()
    session.sql("GRANT CREATE TABLE ON SCHEMA D.PUBLIC TO ROLE R").collect()
    session.sql("USE ROLE R").collect()
    theirs.invoke(["load", "p.csv", "--into", "D.PUBLIC.P"])
    assert theirs.invoke(["approve"]).document["status"] == "paused"
    assert [row[0] for row in session.table("D.PUBLIC.P").collect()] == [1]


def test_where_no_database_is_current_the_place_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text("a\n1\n")
    other = skills_nb.connect(role="PUBLIC")
    app = App(tmp_path / "elsewhere", variables={"other": other})
    app.invoke(["connect", "--session", "other"])
    with pytest.raises(UsageError, match="no database is current") as refused:
        app.invoke(["load", "p.csv"])
    assert (refused.value.hint or "").startswith("load p.csv --into DATABASE.SCHEMA.P")
    app.close()
    other.close()
