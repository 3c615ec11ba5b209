"""Whoever tries to reach the machine through stages, or to keep the account busy with names.

See https://docs.snowflake.com/en/release-notes/bcr-bundles/2023_06/bcr-1244
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.wire.wire import EmbeddedWire
from skills_nb.errors import SqlError
from tests.embedded.conftest import rows


@pytest.fixture
def stage(admin: AccountSession, tmp_path: Path) -> AccountSession:
    (tmp_path / "secret.csv").write_text("1\n")
    admin.execute("create stage st")
    return admin


def _refusal(session: AccountSession, sql: str) -> tuple[int | None, str]:
    with pytest.raises(SqlError) as refused:
        session.execute(sql)
    return refused.value.errno, str(refused.value)


# ---- files of the machine

PUT = "put file://{here}/secret.csv @shop.sales.st"
INSIDE = [
    "begin {put}; end",
    "begin execute immediate '{put}'; end",
    "execute immediate $$begin {put}; end$$",
    "with p as procedure () returns int language sql as $$begin {put}; end$$ call p()",
]


@pytest.mark.parametrize("sql", INSIDE)
def test_no_script_moves_files_of_this_machine(
    stage: AccountSession, tmp_path: Path, sql: str
) -> None:
    put, get = PUT.format(here=tmp_path), f"get @shop.sales.st file://{tmp_path}"
    errno, said = _refusal(stage, sql.replace("{put}", put))
    assert (errno, "Unsupported statement type 'PUT_FILES'" in said) == (2, True)
    assert "Unsupported statement type 'GET_FILES'" in _refusal(stage, sql.replace("{put}", get))[1]
    assert rows(stage, "list @st") == []
    assert rows(stage, put)[0][6] == "UPLOADED"
    assert rows(stage, get)[0][2] == "DOWNLOADED"


def test_no_procedure_moves_files_of_this_machine(stage: AccountSession, tmp_path: Path) -> None:
    put = PUT.format(here=tmp_path)
    stage.execute(f"create procedure p() returns int language sql as $$begin {put}; end$$")
    assert "PUT_FILES" in _refusal(stage, "call p()")[1]
    assert rows(stage, "list @st") == []


@pytest.mark.parametrize("body", ["{put}", "execute immediate '{put}'"])
def test_no_task_moves_files_of_this_machine(
    stage: AccountSession, tmp_path: Path, body: str
) -> None:
    put = PUT.format(here=tmp_path)
    stage.execute(f"create task k warehouse = compute_wh as {body.format(put=put)}")
    stage.execute("execute task k")
    history = "select state, error_message from table(information_schema.task_history())"
    ((state, said),) = rows(stage, history)
    assert (state, "PUT_FILES" in str(said)) == ("FAILED", True)
    assert rows(stage, "list @st") == []


def test_no_alert_moves_files_of_this_machine(stage: AccountSession, tmp_path: Path) -> None:
    stage.execute(
        "create alert a warehouse = compute_wh schedule = '1 minute' if (exists (select 1)) "
        f"then {PUT.format(here=tmp_path)}"
    )
    stage.execute("execute alert a")
    assert rows(stage, "list @st") == []


def test_no_staged_script_moves_files_of_this_machine(
    stage: AccountSession, tmp_path: Path
) -> None:
    (tmp_path / "go.sql").write_text(PUT.format(here=tmp_path) + ";\n")
    stage.execute(f"put file://{tmp_path}/go.sql @st auto_compress = false")
    assert "PUT_FILES" in _refusal(stage, "execute immediate from @st/go.sql")[1]
    assert [row[0] for row in rows(stage, "list @st")] == ["st/go.sql"]


def test_a_script_behind_a_connector_is_told_that_it_moves_nothing(stage: AccountSession) -> None:
    wire = EmbeddedWire(stage.account)  # type: ignore[arg-type]
    login = {"data": {"LOGIN_NAME": "ADMIN"}}
    token = wire.handle("POST", "/session/v1/login-request", {}, login)["data"]["token"]
    headers = {"Authorization": f'Snowflake Token="{token}"'}

    def asked(sql: str) -> tuple[bool, str | None]:
        body = {"sqlText": sql}
        answer = wire.handle("POST", "/queries/v1/query-request", headers, body)
        return answer["success"], answer["data"].get("command")

    assert asked("begin put file:///x @shop.sales.st; end") == (False, None)
    assert asked("put file:///x @shop.sales.st") == (True, "UPLOAD")


# ---- names


def test_a_path_that_the_machine_cannot_have_is_refused(
    stage: AccountSession, tmp_path: Path
) -> None:
    long, deep = "a" * 300, "a/" * 3000
    for path in (f"{long}/x", f"{deep}x", "a\\\\0b"):
        assert _refusal(stage, f"copy into '@st/{path}' from people")[0] == 1008
        assert _refusal(stage, f"put file://{tmp_path}/secret.csv '@st/{path}'")[0] == 1008
    stage.execute("copy into @st/one from people single = true")
    stage.execute("copy into @st/two/x from people single = true")
    assert _refusal(stage, "copy into @st/one/x from people")[0] == 1008
    assert (
        _refusal(stage, "copy into @st/two from people single = true overwrite = true")[0] == 1008
    )
    assert _refusal(stage, f"put file://{tmp_path}/secret.csv @st/one")[0] == 1008
    assert [row[0] for row in rows(stage, "list @st")] == ["st/one", "st/two/x"]


def test_a_file_that_cannot_be_read_or_written_here_is_named(
    stage: AccountSession, tmp_path: Path
) -> None:
    stage.execute("copy into @st/one from people single = true")
    (tmp_path / "one").mkdir()
    errno, said = _refusal(stage, f"get @st file://{tmp_path}")
    assert (errno, f"{tmp_path}/one" in said) == (253002, True)
    os.rmdir(tmp_path / "one")
    assert rows(stage, f"get @st file://{tmp_path}")[0][2] == "DOWNLOADED"


@pytest.mark.parametrize(
    "sql",
    [
        "list @st pattern = '{}'",
        "remove @st pattern = '{}'",
        "get @st file:///tmp pattern = '{}'",
        "copy into one from @st pattern = '{}'",
    ],
)
def test_no_pattern_takes_longer_than_its_text(
    stage: AccountSession, tmp_path: Path, sql: str
) -> None:
    stage.execute("create table one (a int)")
    (tmp_path / f"{'a' * 40}.csv").write_text("1\n")
    stage.execute(f"put file://{tmp_path}/{'a' * 40}.csv @st auto_compress = false")
    began = time.process_time()
    stage.execute(sql.format("(a+)+\\\\.x"))
    assert time.process_time() - began < 5
    assert _refusal(stage, sql.format("(a+"))[0] == 1014
    assert rows(stage, "list @st pattern = '(a+)+[.]csv'")[0][1] == 2


def test_no_classifier_takes_longer_than_its_values(stage: AccountSession) -> None:
    for sql in (
        "create table codes (a string, b string)",
        f"insert into codes select '{'a' * 40}', 'AB1' from table(generator(rowcount => 9))",
        "create snowflake.data_privacy.custom_classifier c()",
        "call c!add_regex('LONG', 'IDENTIFIER', '(a+)+b')",
        "call c!add_regex('CODE', 'IDENTIFIER', '[a-z]+[0-9]')",
    ):
        stage.execute(sql)
    began = time.process_time()
    ask = "call system$classify('codes', {'custom_classifiers': ['c']})"
    ((found,),) = rows(stage, ask)
    assert time.process_time() - began < 5
    assert ('"CODE"' in found, '"LONG"' in found) == (True, False)


def test_no_file_takes_longer_than_its_bytes(
    stage: AccountSession, account: Account, tmp_path: Path
) -> None:
    stage.execute("create table two (a string, b string)")
    (tmp_path / "bad.csv").write_text('"' + "\\a" * 40 + '"x\n')
    (tmp_path / "good.csv").write_text('"a\\"b\\\\",c\n')
    stage.execute(f"put 'file://{tmp_path}/*.csv' @st auto_compress = false")
    form = "file_format = (field_optionally_enclosed_by = '\"' escape = '\\\\')"
    began = time.process_time()
    assert _refusal(stage, f"copy into two from @st/bad.csv {form}")[0] == 100016
    assert time.process_time() - began < 5
    stage.execute(f"copy into two from @st/good.csv {form}")
    assert rows(stage, "select * from two") == [('a"b\\', "c")]
