"""Files come into a table once, after a trial that names each bad row; differences are shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skills_nb.views import render_text
from tests.library.own_accounts import COMPLETED, OwnAccount, own_account

pytestmark = pytest.mark.slow
SALES = '"Trade House"."My Sales"'
BOX = f'{SALES}."in box"'
TABLE = f'{SALES}."orders"'
HOLDS = f"""
CREATE ROLE PACKER; GRANT ROLE PACKER TO USER ADMIN; CREATE ROLE OTHERS;
CREATE DATABASE "Trade House"; CREATE SCHEMA {SALES}; CREATE STAGE {BOX}; CREATE STAGE {SALES}.BARE;
CREATE TABLE {TABLE} ("id" NUMBER(2, 0) NOT NULL, "who" STRING, "spare" INT);
INSERT INTO {TABLE} VALUES (9, 'zoe', 1);
GRANT USAGE ON DATABASE "Trade House" TO ROLE PACKER; GRANT USAGE ON SCHEMA {SALES} TO ROLE PACKER;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE PACKER; GRANT READ ON STAGE {BOX} TO ROLE PACKER;
GRANT SELECT ON TABLE {TABLE} TO ROLE PACKER;
"""
ASKED = {
    "target_table": TABLE,
    "stage": BOX,
    "loader_role": "ACCOUNTADMIN",
    "file_pattern": ".*[.]csv",
}
FORMAT = f"GRANT CREATE FILE FORMAT ON SCHEMA {SALES} TO ROLE PACKER"
NO_SELECT = f"REVOKE SELECT ON TABLE {TABLE} FROM ROLE PACKER"
WRITERS = '"Trade House".WRITERS'
GOOD = {"one.csv": "id,who,full price\n1,ann,2.50\n2,bob,3\n"}
BAD = GOOD | {"two.csv": "who,id\ncy,300\nx,abc\nkim,7\n", "read.me": "no file of ours"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[OwnAccount]:
    with own_account(tmp_path, HOLDS) as account:
        yield account


def put(account: OwnAccount, files: dict[str, str | bytes], stage: str = BOX) -> None:
    for name, body in files.items():
        place = account.home / name
        place.write_bytes(body if isinstance(body, bytes) else body.encode())
        account.run(f"PUT 'file://{place}' @{stage} AUTO_COMPRESS = FALSE OVERWRITE = TRUE")


def load(account: OwnAccount, **inputs: str) -> list[str]:
    return account.run_to_its_end("load-files-from-stage", **{**ASKED, **inputs})


def ids(account: OwnAccount) -> list[int]:
    return sorted(row["id"] for row in account.rows(f"SELECT * FROM {TABLE}"))


def test_differences_are_shown_and_one_bad_row_keeps_everything_out(house: OwnAccount) -> None:
    put(house, BAD)
    shown = load(house)
    assert shown[-1] == COMPLETED
    assert len(shown) <= 6
    told = " ".join(shown)
    for words in (
        "2 files in",
        "Only in the files (for a table that exists: leave-out): FULL PRICE.",
        "stay NULL, even with a default: spare.",
        "id (NUMBER(2, 0), files TEXT)",
        "Not in every file: FULL PRICE.",
        "id (NUMBER or TEXT)",
        "two.csv line 2, id: Number out of representable range: 300",
        "two.csv line 3, id: Numeric value 'abc' is not recognized",
        "NOTHING WAS LOADED",
        "Files left for another run: 2.",
    ):
        assert words in told
    assert ids(house) == [9]
    assert not house.rows(f"SHOW TABLES LIKE '%TRIAL%' IN SCHEMA {SALES}")


def test_chosen_columns_are_added_good_rows_load_and_again_nothing_is_sent(
    house: OwnAccount,
) -> None:
    put(house, BAD)
    shown = load(house, new_columns="add", on_error="CONTINUE")
    assert "LOADED IN PART" in shown[-2]
    assert "two.csv line 3, id" in shown[-2]
    assert ids(house) == [1, 2, 7, 9]
    prices = house.rows(f'SELECT MAX("FULL PRICE")::STRING AS P FROM {TABLE}')
    assert prices == [{"P": "3.00"}]
    before = house.look()
    again = load(house, new_columns="add", on_error="CONTINUE")
    assert "yet: 0 (none); loaded: 2" in again[0]
    assert (again[-1], house.sent(), house.changes(before)) == (COMPLETED, [], [])


def test_bad_files_can_be_left_out_where_they_are_found(house: OwnAccount) -> None:
    put(house, BAD)
    house.ask("load-files-from-stage", **ASKED)
    while house.pause is not None and house.pause.option("skip-bad-files") is None:
        house.answer()
    house.answer("skip-bad-files")
    shown = house.finish()
    assert "left out: 1" in shown[-2]
    assert ids(house) == [1, 2, 9]


def test_a_file_uploaded_again_waits_for_a_choice(house: OwnAccount) -> None:
    put(house, GOOD)
    assert load(house)[-1] == COMPLETED
    (done,) = house.events("playbook_completed")
    assert done.summary.endswith("created 1 file format")  # and no table that came and went
    assert "TRIAL_LOAD" not in house.said().text.partition("What it changed")[2]
    house.thread = "taken back"
    put(house, {"late.csv": "id,who\n5,eva\n"})
    house.ask("load-files-from-stage", **ASKED)
    house.finish(3)
    house.clean()
    proposed = house.said().proposed
    assert proposed[0].startswith("INSERT OVERWRITE INTO")
    assert not any("TRIAL_LOAD" in statement for statement in proposed)  # dropped by itself
    house.run(f"REMOVE @{BOX}/late.csv")
    house.run(f"ALTER SESSION SET TIMEZONE = 'UTC'; REMOVE @{BOX}")
    loaded = house.rows("SELECT CURRENT_TIMESTAMP() AS T")
    while house.rows("SELECT CURRENT_TIMESTAMP() AS T")[0]["T"].second == loaded[0]["T"].second:
        pass  # a stage tells whole seconds
    put(house, {"one.csv": "id,who\n3,dee\n"})
    shown = load(house)
    assert "uploaded again since they were loaded: 1" in shown[0]
    assert ids(house) == [1, 2, 9]
    assert load(house, reload="changed")[-1] == COMPLETED
    assert ids(house) == [1, 2, 3, 9]


def test_rows_come_twice_only_by_a_phrase(house: OwnAccount) -> None:
    put(house, GOOD)
    load(house)
    house.ask("load-files-from-stage", **ASKED)
    house.answer("load-everything")
    shown = house.finish()
    assert any("their rows will be there twice" in words for words in shown)
    assert (shown[-1], ids(house)) == (COMPLETED, [1, 1, 2, 2, 9])


def test_a_format_that_differs_is_shown_and_brought_in_line(house: OwnAccount) -> None:
    put(house, GOOD)
    load(house)
    house.run(f"ALTER FILE FORMAT {SALES}.ORDERS_FORMAT SET FIELD_DELIMITER = ';'")
    put(house, {"three.csv": "id,who\n4,eve\n"})
    assert "CSV format: changed by hand" in load(house)[0]
    assert ids(house) == [1, 2, 4, 9]
    put(house, {"four.json": '[{"id": 5, "who": "flo"}]'})
    shown = load(house, file_type="JSON", file_pattern=".*json")
    assert "of other files" in shown[0]
    assert ids(house) == [1, 2, 4, 5, 9]


def test_headers_with_spaces_json_and_parquet_make_new_tables(house: OwnAccount) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"Ref No": [1, 2], "ok": [True, None]}), house.home / "p.parquet")
    parquet = (house.home / "p.parquet").read_bytes()
    put(house, {"s.csv": "Ref No;full name\n1;Ann\n", "j.json": '{"a": {"b": 1}, "n": 2}\n'})
    put(house, {"p.parquet": parquet})
    for kind, pattern, delimiter in (
        ("CSV", ".*csv", ";"),
        ("JSON", ".*json", ","),
        ("PARQUET", ".*parquet", ","),
    ):
        new = {"target_table": f'{SALES}."new {kind}"', "file_pattern": pattern}
        assert load(house, **new, file_type=kind, csv_delimiter=delimiter)[-1] == COMPLETED
    assert house.rows(f'SELECT * FROM {SALES}."new CSV"') == [{"REF NO": 1, "FULL NAME": "Ann"}]
    assert house.rows(f'SELECT A:b::INT AS B, N FROM {SALES}."new JSON"') == [{"B": 1, "N": 2}]
    assert len(house.rows(f'SELECT "REF NO", OK FROM {SALES}."new PARQUET"')) == 2


def test_a_column_that_must_have_values_and_is_in_no_file_stops_the_load(
    house: OwnAccount,
) -> None:
    put(house, {"one.csv": "who\nann\n"})
    shown = load(house)
    assert "Required but in no file: id" in " ".join(shown)
    assert (shown[-1], ids(house)) == (COMPLETED, [9])


@pytest.mark.parametrize(
    ("inputs", "holds", "why"),
    [
        ({"stage": f"{SALES}.BARE"}, "", "is empty"),
        ({"file_pattern": "*.csv"}, "", "egular expression"),
        ({"file_pattern": "x.*"}, "", "None of the 1 file in"),
        ({"stage": f'{SALES}."In Box"'}, "", "There is no stage"),
        ({"target_table": '"Trade House".NOWHERE.T'}, "", "schema of"),
        (
            {"target_table": f"{SALES}.V"},
            f"CREATE VIEW {SALES}.V AS SELECT 1 AS A",
            "is not a plain table",
        ),
        (
            {},
            f"CREATE TABLE {SALES}.ORDERS_TRIAL_LOAD (A INT)",
            "an object of that name already exists",
        ),
        (
            {},
            f"CREATE FILE FORMAT {SALES}.ORDERS_FORMAT TYPE = CSV COMMENT = 'ours'",
            "this playbook did not make it",
        ),
        (
            {"keep_loading": "pipe"},
            f"CREATE PIPE {SALES}.ORDERS_PIPE AS COPY INTO {TABLE} FROM @{BOX}",
            "already a pipe ORDERS_PIPE, owned by ACCOUNTADMIN",
        ),
        (
            {"stage": f"{SALES}.LAKE"},
            f"CREATE STAGE {SALES}.LAKE URL = 's3://bucket/'",
            "files of external stages",
        ),
    ],
)
def test_what_cannot_be_done_stops_it_before_anything_changes(
    inputs: dict[str, str], holds: str, why: str, house: OwnAccount
) -> None:
    put(house, GOOD)
    house.run(holds)
    before = house.look()
    shown = load(house, **inputs)
    assert why in " ".join(shown)
    assert (house.sent(), house.changes(before)) == ([], [])


@pytest.mark.parametrize(
    ("grants", "lacks"),
    [
        ("", "PACKER lacks CREATE FILE FORMAT on the schema of"),
        (FORMAT, "PACKER lacks INSERT on"),
        (f"{FORMAT}; GRANT INSERT ON TABLE {TABLE} TO ROLE PACKER; {NO_SELECT}", "lacks SELECT on"),
    ],
)
def test_a_role_that_may_not_load_is_told_what_it_lacks_before_anything_is_made(
    grants: str, lacks: str, house: OwnAccount
) -> None:
    put(house, GOOD)
    house.run(grants)
    before = house.look()
    shown = load(house, loader_role="PACKER")
    assert lacks in " ".join(shown)
    assert "which ACCOUNTADMIN, who owns the" in " ".join(shown)
    assert (house.sent(), house.changes(before), ids(house)) == ([], [], [9])


@pytest.mark.parametrize("through", ["ROLE PACKER", f"DATABASE ROLE {WRITERS}", "ROLE PACKERS"])
def test_rights_count_however_the_role_got_them(through: str, house: OwnAccount) -> None:
    put(house, GOOD)
    house.run(
        f"CREATE DATABASE ROLE {WRITERS}; GRANT DATABASE ROLE {WRITERS} TO ROLE PACKER;"
        "CREATE ROLE PACKERS; GRANT ROLE PACKERS TO ROLE PACKER;"
        f"GRANT INSERT ON TABLE {TABLE} TO {through};"
        f"GRANT USAGE, CREATE FILE FORMAT ON SCHEMA {SALES} TO {through}"
    )
    assert load(house, loader_role="PACKER")[-1] == COMPLETED
    assert ids(house) == [1, 2, 9]


def test_rows_that_a_policy_hides_are_not_taken_for_missing(house: OwnAccount) -> None:
    put(house, GOOD)
    house.run(
        f"{FORMAT}; GRANT INSERT ON TABLE {TABLE} TO ROLE PACKER;"
        f"CREATE ROW ACCESS POLICY {SALES}.FEW AS (V NUMBER) RETURNS BOOLEAN ->"
        " IS_ROLE_IN_SESSION('ACCOUNTADMIN') OR V = 2;"
        f'ALTER TABLE {TABLE} ADD ROW ACCESS POLICY {SALES}.FEW ON ("id")'
    )
    shown = load(house, loader_role="PACKER")
    assert f"This load brought 2 rows; PACKER sees 1 in {TABLE} now, 0 before." in shown[-2]
    told = " ".join(load(house, loader_role="PACKER", reload="everything"))
    assert f"{TABLE} held an unknown number of rows when this run began." in told


def test_aborted_at_any_pause_it_leaves_nothing_and_the_files_can_be_loaded_later(
    house: OwnAccount,
) -> None:
    put(house, GOOD)
    for shown, remains in house.aborted_at_each_pause(
        "load-files-from-stage", **ASKED, new_columns="add"
    ):
        assert remains == [], shown
    assert ids(house) == [9]  # the table remembers what was taken back, and it was said
    assert load(house, reload="everything")[-1] == COMPLETED
    assert ids(house) == [1, 2, 9]


def test_a_column_that_was_added_is_told_once(house: OwnAccount) -> None:
    put(house, GOOD)
    assert load(house, new_columns="add")[-1] == COMPLETED
    assert house.reply is not None
    told = [row.split() for row in render_text(house.reply.view).splitlines() if "+ created" in row]
    assert [row[2] for row in told] == ["file", "column"]
