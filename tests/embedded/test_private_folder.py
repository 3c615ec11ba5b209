"""An account on disk can be read by nobody but who keeps it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.errors import SkillsError

from .conftest import rows


def _mode(place: Path) -> int:
    return stat.S_IMODE(place.stat().st_mode)


@pytest.mark.posix("modes that close a folder")
def test_an_account_in_a_folder_that_others_could_enter_closes_it(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o755)
    for _ in range(2):
        with Account.open(folder):
            pass
        assert _mode(folder) == 0o700
        assert {_mode(place) for place in folder.iterdir() if place.is_file()} == {0o600}


@pytest.mark.posix("modes that close a folder")
def test_an_account_is_not_kept_in_a_folder_that_serves_others_too(tmp_path: Path) -> None:
    folder = tmp_path / "sticky"
    folder.mkdir()
    folder.chmod(0o1777)
    with pytest.raises(SkillsError, match="could be read by other people") as refused:
        Account.open(folder)
    assert refused.value.hint == "Keep it in a folder of its own, which only you may enter."
    assert list(folder.iterdir()) == []
    assert _mode(folder) == 0o1777


def test_no_password_reaches_the_history_or_a_file_of_the_account(tmp_path: Path) -> None:
    with Account.open(tmp_path / "home") as account:
        admin = account.session("ADMIN")
        admin.execute("execute immediate $$create user eve password = 'hunter2-x'$$")
        admin.execute("set pw = 'hunter2-x'")
        told = rows(
            admin, "select query_text, error_message from snowflake.account_usage.query_history"
        )
    assert "hunter2-x" not in str(told)
    for place in (tmp_path / "home").rglob("*"):
        if place.is_file():
            assert b"hunter2-x" not in place.read_bytes()
