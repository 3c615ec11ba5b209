"""When a task runs, as people say it."""

from __future__ import annotations

import pytest

from skills_nb.engine.inputs.typed_inputs import coerce
from skills_nb.engine.inputs.wording.said_schedules import (
    read_schedule,
    recurs_on_days,
    schedules_said,
)
from skills_nb.errors import UsageError
from skills_nb.model.skills import InputSpec


@pytest.mark.parametrize(
    ("words", "schedule"),
    [
        ("every weekday at 7", "USING CRON 0 7 * * 1-5 UTC"),
        ("first of the month", "USING CRON 0 2 1 * * UTC"),
        ("on the 15th of every month at 4", "USING CRON 0 4 15 * * UTC"),
        ("the last day of the month at noon", "USING CRON 0 12 L * * UTC"),
        ("every sunday and wednesday at 6.30", "USING CRON 30 6 * * 0,3 UTC"),
        ("every Monday", "USING CRON 0 2 * * 1 UTC"),
        ("weekends at 11 pm", "USING CRON 0 23 * * 0,6 UTC"),
        ("nightly", "USING CRON 0 2 * * * UTC"),
        ("every 2 hours", "120 MINUTE"),
        ("hourly", "USING CRON 0 * * * * UTC"),
    ],
)
def test_days_and_hours_are_read(words, schedule):
    assert list(schedules_said(words)) == [schedule]


@pytest.mark.parametrize("words", ["every other Monday", "every 3 days", "daily at 25", "soon"])
def test_what_is_no_schedule_of_ours_is_not_read(words):
    assert list(schedules_said(words)) == []
    with pytest.raises(UsageError, match="say when it runs"):
        coerce(InputSpec("schedule", type="string"), words)


def test_a_schedule_may_be_answered_as_a_task_has_it():
    assert read_schedule("USING CRON 5 4 * * * Europe/Zurich") is not None
    assert read_schedule("30 MINUTES") == "30 MINUTES"


def test_days_that_come_again_are_told_from_one_day():
    assert recurs_on_days("on Mondays")
    assert not recurs_on_days("on Monday")
