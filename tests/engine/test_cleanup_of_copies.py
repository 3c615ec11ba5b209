"""A copied schema goes only where all that it holds was seen, then and now, and is the same."""

from __future__ import annotations

from typing import Any

import pytest

from skills_nb.errors import SqlError
from skills_nb.model import events as ev
from tests.builders import CONTEXT, checkpoint, playbook, step
from tests.engine.driving import Drive
from tests.fakes import FakeAccount

_CLONE = "CREATE SCHEMA LAB.COPY CLONE LAB.SOURCE"
_DROP = "DROP SCHEMA IF EXISTS LAB.COPY RESTRICT"
_OBJECTS, _TASKS = "SHOW OBJECTS IN SCHEMA LAB.COPY", "SHOW TASKS IN SCHEMA LAB.COPY"
_NOTEBOOKS, _STAGES = "SHOW NOTEBOOKS IN SCHEMA LAB.COPY", "SHOW STAGES IN SCHEMA LAB.COPY"
_TASKS_AROUND = "SHOW TASKS IN DATABASE LAB"
_DDL = "SHA2(GET_DDL"
_REST = "; if nobody needs it, drop it yourself: DROP SCHEMA LAB.COPY"


class _Account(FakeAccount):
    """An account that knows what a clone is called."""

    def execute(self, sql: str, *, role: str | None, tag: str) -> Any:
        done = super().execute(sql, role=role, tag=tag)
        if "CLONE" in sql:
            self.objects.add("COPY")
        return done


def _row(name: str, **told: Any) -> dict[str, Any]:
    place = {"database_name": "LAB", "schema_name": "COPY"}
    return {"created_on": "2026-01-01", "name": name} | place | told


def _refused() -> list[SqlError]:
    return [SqlError("no right", errno=3001)] * 99


def _cloned(account: _Account) -> Drive:
    drive = Drive(playbook(step("1", _CLONE, checkpoint=checkpoint())), account=account)
    drive.run()
    return drive


def _why(drive: Drive) -> str | None:
    """Abort; return why the copy stays, or None where its drop is proposed."""
    drive.respond("abort")
    proposed = drive.events("cleanup_proposed")
    if proposed:
        assert proposed[0].compensation_actions == [_DROP]
        return None
    (told,) = drive.events("cleanup_executed")[0].left_alone
    assert told.fqn == "LAB.COPY"
    return str(told.why)


def test_a_copy_that_is_as_it_was_is_dropped() -> None:
    account = _Account(CONTEXT)
    account.answers[_TASKS] = [_row("NIGHTLY", state="suspended", last_committed_on="1")]
    drive = _cloned(account)
    account.answers[_TASKS] = [_row("NIGHTLY", state="suspended", last_committed_on="2")]
    assert _why(drive) is None
    drive.respond("cleanup")
    assert drive.ran[-1] == _DROP


@pytest.mark.parametrize(
    ("then", "now", "why"),
    [
        ([], [_row("MINE")], "another session put LAB.COPY.MINE into it"),
        ([_row("MINE")], [], "another session dropped LAB.COPY.MINE in it"),
        (
            [_row("MINE")],
            [_row("MINE") | {"created_on": "2026-01-02"}],
            "another session replaced LAB.COPY.MINE in it",
        ),
        (
            [_row("MINE", state="suspended")],
            [_row("MINE", state="started")],
            "another session changed LAB.COPY.MINE in it (state)",
        ),
        (
            [],
            [_row(f"T{number}") for number in range(10_000)],
            "it holds more than the 10,000 objects of a kind that can be compared",
        ),
    ],
)
def test_what_differs_keeps_it_and_is_named(
    then: list[dict[str, Any]], now: list[dict[str, Any]], why: str
) -> None:
    account = _Account(CONTEXT)
    account.answers[_TASKS] = then
    drive = _cloned(account)
    account.answers[_TASKS] = now
    assert _why(drive) == why + _REST


def test_files_that_others_may_have_put_into_a_stage_keep_it() -> None:
    account = _Account(CONTEXT)
    account.answers[_STAGES] = [_row("OUTSIDE", url="s3://x"), _row("FILES", url="")]
    why = "which files others put into LAB.COPY.FILES can't be told"
    assert _why(_cloned(account)) == why + _REST


@pytest.mark.parametrize("query", [_OBJECTS, _DDL, _NOTEBOOKS])
def test_what_cannot_be_seen_any_more_keeps_it(query: str) -> None:
    account = _Account(CONTEXT)
    drive = _cloned(account)
    account.failures[query] = _refused()
    assert _why(drive) == "what lies in it can't be seen" + _REST


@pytest.mark.parametrize(
    ("query", "why"),
    [
        (_OBJECTS, "what lies in it can't be seen" + _REST),
        (_DDL, "how it was left is not known" + _REST),
        # Not every account knows every kind of object.
        (_NOTEBOOKS, None),
        (_TASKS_AROUND, None),
    ],
)
def test_what_could_never_be_seen_keeps_it_if_every_account_tells_it(
    query: str, why: str | None
) -> None:
    account = _Account(CONTEXT)
    account.failures[query] = _refused()
    assert _why(_cloned(account)) == why


def test_what_elsewhere_reads_it_by_now_keeps_it() -> None:
    account = _Account(CONTEXT)
    before = _row("OLD", schema_name="REST", definition="CALL COPY.RUN()")
    account.answers[_TASKS_AROUND] = [before, _row("INSIDE", definition="SELECT 1 FROM COPY.T")]
    drive = _cloned(account)
    later = _row("NEW", schema_name="REST", definition='INSERT INTO T SELECT * FROM "COPY".T')
    account.answers[_TASKS_AROUND] = [before, later]
    assert _why(drive) == "LAB.REST.NEW reads it" + _REST


def test_a_clone_that_was_found_in_the_history_is_not_known_well_enough() -> None:
    account = _Account(CONTEXT)
    send = account.execute

    class Died(BaseException):
        pass

    def dying(sql: str, **how: Any) -> Any:
        send(sql, **how)
        account.execute = send  # type: ignore[method-assign]
        raise Died

    account.execute = dying  # type: ignore[method-assign]
    drive = Drive(playbook(step("1", _CLONE, checkpoint=checkpoint())), account=account)
    with pytest.raises(Died):
        drive.run()
    drive.resume()
    assert _why(drive) == "how it was left is not known" + _REST


def test_nothing_is_said_of_what_goes_with_the_copy() -> None:
    account = _Account(CONTEXT)
    grant = "GRANT SELECT ON ALL TABLES IN SCHEMA LAB.COPY TO ROLE R"
    drive = Drive(playbook(step("1", _CLONE, grant, checkpoint=checkpoint())), account=account)
    drive.run()
    assert _why(drive) is None
    drive.respond("cleanup")
    (executed,) = drive.events("cleanup_executed")
    assert (executed.cleaned, executed.not_restorable) == ([_DROP], [])
    told: list[ev.Untouched] = drive.events("cleanup_proposed")[0].not_restorable
    assert told == []
