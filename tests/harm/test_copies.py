"""A copy of a schema goes with the thread that made it only if nobody has worked in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills_nb.commands.home import connections
from tests.harm.fingerprint import ROW, Fact, difference
from tests.harm.judge import verdict
from tests.harm.workplace import Workplace

_TWIN = 'SHOP."twin"'
_CLONE = f"CREATE SCHEMA {_TWIN} CLONE SHOP.OPS"


def _cloned(home: Path, *steps: str, setup: str = "") -> Workplace:
    work = Workplace(home, setup)
    work.start([_CLONE, *steps])
    work.finish()
    return work


def _why(work: Workplace) -> str:
    """Return why the copy stays; it has to, and nothing else may have suffered."""
    assert verdict(work) == []
    return next(words for words in work.said().named if words.startswith(_TWIN))


def test_an_untouched_copy_is_dropped_and_nothing_is_left(tmp_path):
    work = _cloned(tmp_path)
    work.clean()
    assert difference(work.begun, work.look()) == []
    assert verdict(work) == []


def test_a_row_that_came_and_went_keeps_the_copy_and_is_told(tmp_path):
    work = _cloned(tmp_path)
    work.others(f"INSERT INTO {_TWIN}.ITEMS VALUES (9, 'x', 1)")
    work.others(f"DELETE FROM {_TWIN}.ITEMS WHERE ID = 9")
    work.clean()
    assert "tables or views in it have changed since, most recently twin.ITEMS" in _why(work)
    assert f"drop it yourself: DROP SCHEMA {_TWIN}" in _why(work)


def test_what_the_thread_did_in_it_is_no_hindrance_and_what_others_did_in_between_is(tmp_path):
    mine = f"INSERT INTO {_TWIN}.ITEMS VALUES (7, 'salt', 2)"
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    alone = _cloned(tmp_path / "1", mine)
    alone.clean()
    assert difference(alone.begun, alone.look()) == []
    beside = Workplace(tmp_path / "2")
    beside.start([_CLONE, mine])
    beside.approve_until(lambda reply: reply.pause is not None and reply.pause.at == "1")
    beside.others(f"UPDATE {_TWIN}.ONLY_OURS SET ID = 8; UPDATE {_TWIN}.ONLY_OURS SET ID = 7")
    beside.finish()
    beside.clean()
    assert "have changed since" in _why(beside)


@pytest.mark.slow
def test_a_renamed_copy_goes_under_its_first_name_unless_somebody_worked_under_the_second(tmp_path):
    renamed = f'ALTER SCHEMA {_TWIN} RENAME TO SHOP."the copy"'
    theirs = "INSERT INTO SHOP.\"the copy\".ITEMS VALUES (9, 'x', 1)"
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    alone = _cloned(tmp_path / "1", renamed)
    alone.clean()
    assert difference(alone.begun, alone.look()) == []
    beside = _cloned(tmp_path / "2", renamed)
    beside.others(theirs)
    beside.clean()
    stays = Fact(f"TABLE: {_TWIN}.ITEMS", f"{ROW}ID=9, NAME=x, PRICE=1.00")
    assert beside.look()[stays] == 1
    assert "have changed since" in " ".join(beside.said().named)


@pytest.mark.slow
def test_another_process_may_clean_up_what_was_looked_at_in_time(tmp_path):
    work = _cloned(tmp_path)
    work.app = work._app()
    work.store.abandoned.add(work.thread)
    work.invoke("status")
    work.clean()
    assert difference(work.begun, work.look()) == []


@pytest.mark.slow
def test_a_process_that_died_behind_the_clone_leaves_it_unproven(tmp_path):
    work = Workplace(tmp_path)
    work.start([_CLONE])
    assert work.dying(lambda event: event.type == "statement_completed", work.finish)
    work.clean()
    assert "how it was left is not known" in _why(work)


@pytest.mark.slow
def test_files_that_nobody_can_compare_keep_the_copy(tmp_path):
    stage = f"CREATE STAGE {_TWIN}.MINE"
    work = _cloned(tmp_path, stage)
    work.others(f"COPY INTO @{_TWIN}.MINE/theirs FROM {_TWIN}.ITEMS")
    work.clean()
    assert verdict(work) == []
    assert f"{_TWIN}.MINE" in {name.partition(": ")[2] for name, _ in work.look()}


_LENT = """
CREATE ROLE COPIER; GRANT ROLE COPIER TO USER ADMIN; GRANT ROLE COPIER TO ROLE ACCOUNTADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE COPIER; GRANT USAGE ON DATABASE SHOP TO ROLE COPIER;
GRANT CREATE SCHEMA ON DATABASE SHOP TO ROLE COPIER; GRANT USAGE ON SCHEMA SHOP.OPS TO ROLE COPIER;
GRANT SELECT ON ALL TABLES IN SCHEMA SHOP.OPS TO ROLE COPIER;
"""


@pytest.mark.slow
def test_a_role_that_owns_little_of_it_takes_back_its_copy_or_says_why_not(
    tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(connections, "EMBEDDED_ROLE", "COPIER")
    for number, theirs in enumerate(("", f"UPDATE {_TWIN}.ONLY_OURS SET ID = 7")):
        (tmp_path / str(number)).mkdir()
        work = _cloned(tmp_path / str(number), setup=_LENT)
        assert any(name.endswith('"twin".ITEMS') for name, _ in work.look())
        if theirs:
            work.others(theirs)
        work.clean()
        assert verdict(work) == []
        assert any(name.endswith('"twin".ITEMS') for name, _ in work.look()) is bool(theirs)
