"""The fixtures that users get: an account of its own for each test, soon there and soon gone."""

import os
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

PLUGIN = "skills_nb.commands.pytest_plugin"
PROJECT = Path(__file__).parent.parent.parent


def run(folder: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a user's tests in a folder of their own."""
    (folder / "test_theirs.py").write_text(textwrap.dedent(code))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    given = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [*command, "-p", PLUGIN], cwd=folder, env=given, capture_output=True, text=True
    )


@pytest.mark.slow
def test_a_session_works_and_masks(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        def test_it(snowflake_account, snowflake_session):
            snowflake_account.run('''
                CREATE DATABASE d;
                CREATE TABLE t (a STRING) AS SELECT 'secret; really';
                CREATE ROLE r;
                GRANT ROLE r TO USER ADMIN;
                GRANT USAGE ON DATABASE d TO ROLE r;
                GRANT USAGE ON SCHEMA d.public TO ROLE r;
                GRANT SELECT ON TABLE t TO ROLE r;
                CREATE MASKING POLICY m AS (v STRING) RETURNS STRING ->
                  CASE WHEN CURRENT_ROLE() = 'R' THEN '***' ELSE v END;
                ALTER TABLE t MODIFY COLUMN a SET MASKING POLICY m;
            ''')
            other = snowflake_account.connect(role="R")
            other.sql("USE SECONDARY ROLES NONE").collect()
            seen = [s.table("d.public.t").collect()[0][0] for s in (snowflake_session, other)]
            assert seen == ["secret; really", "***"]
        """,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_no_test_sees_what_another_made(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        import pytest

        @pytest.mark.parametrize("turn", range(3))
        def test_it(snowflake_session, turn):
            snowflake_session.sql("CREATE DATABASE mine").collect()
            shown = snowflake_session.sql("SHOW DATABASES").collect()
            assert [row["name"] for row in shown] == ["MINE", "SNOWFLAKE"]
        """,
        "-W",
        "error",
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_a_reset_takes_milliseconds(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        import time
        import pytest

        began = []

        @pytest.mark.parametrize("turn", range(12))
        def test_it(snowflake_account, turn):
            began.append(time.process_time())
            snowflake_account.run("CREATE DATABASE d; CREATE TABLE t (a INT) AS SELECT 1")

        def test_how_long():
            turns = sorted(after - before for before, after in zip(began[1:], began[2:]))
            print(f"MEDIAN {turns[len(turns) // 2] * 1000:.1f} ms")
            assert turns[0] < 0.1
        """,
        "-s",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "MEDIAN" in done.stdout


def test_the_plugin_loads_nothing_until_an_account_is_asked_for(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        import sys

        def test_it():
            heavy = {"duckdb", "sqlglot", "snowflake.connector", "pandas", "pydantic"}
            assert heavy & set(sys.modules) == set()
        """,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def installed(folder: Path) -> Path:
    """Write the metadata that an installation would leave, with the project's entry points."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    listed = project["entry-points"]["pytest11"]
    place = folder / "site"
    metadata = place / "stand_in-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stand-in\nVersion: 1\n")
    lines = "".join(f"{name} = {module}\n" for name, module in listed.items())
    (metadata / "entry_points.txt").write_text(f"[pytest11]\n{lines}")
    return place


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked", [(), ("-p", PLUGIN)], ids=["installed", "installed and asked for"]
)
def test_the_fixtures_are_there_once_however_they_are_asked_for(
    tmp_path: Path, asked: tuple[str, ...]
) -> None:
    (tmp_path / "test_theirs.py").write_text("def test_it(snowflake_account):\n    pass\n")
    path = os.pathsep.join([str(installed(tmp_path)), str(PROJECT)])
    given = {**os.environ, "PYTHONPATH": path}
    given.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *asked]
    done = subprocess.run(
        command, cwd=tmp_path, env=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
