"""Sandboxes of a real account, shown on an account reached through the real connector."""

from dataclasses import replace

import pytest

from skills_nb.bench.snowflake.account_sandboxes import AccountSandboxes
from skills_nb.bench.snowflake.embedded_sandboxes import EmbeddedSandboxes
from skills_nb.bench.snowflake.snowflake_measurement import measure_script
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.errors import SkillsError
from skills_nb.runtime import mounted_connection
from skills_nb.runtime.snowpark import SnowparkSession


@pytest.fixture
def account():
    with Account.open(None) as made:
        yield made


@pytest.fixture
def noted():
    return []


@pytest.fixture
def boxes(account, noted):
    def opens():
        connection = mounted_connection.connect(
            EmbeddedWire(account), user="ADMIN", role="ACCOUNTADMIN", warehouse="COMPUTE_WH"
        )
        return SnowparkSession(mounted_connection.session(connection))

    return AccountSandboxes(opens, lambda kind, what: noted.append((kind, what)))


def test_gold_measures_as_on_the_embedded_account_and_leaves_nothing(
    mask_emails, boxes, noted, account
):
    task = replace(mask_emails.body, bulk=None)
    before = account.session("ADMIN", "ACCOUNTADMIN").execute("SHOW DATABASES").rows
    here = measure_script(task, task.gold, boxes)
    there = measure_script(task, task.gold, EmbeddedSandboxes())
    assert [part.state for _, part in here.parts()] == [part.state for _, part in there.parts()]
    assert here.no_tweaks.score == 1
    after = account.session("ADMIN", "ACCOUNTADMIN").execute("SHOW DATABASES").rows
    assert [row[1] for row in after] == [row[1] for row in before]
    # The state before, the answer, and its replay: each had the names for itself.
    assert noted == 3 * [
        ("intended", "DATABASE SHOP"),
        ("intended", "ROLE ANALYST"),
        ("dropped", "DATABASE SHOP"),
        ("dropped", "ROLE ANALYST"),
    ]


def test_a_name_that_is_taken_stays_untouched(mask_emails, boxes, account, noted):
    account.session("ADMIN", "ACCOUNTADMIN").execute("CREATE DATABASE SHOP")
    with pytest.raises(SkillsError, match="holds DATABASE SHOP already"):
        measure_script(mask_emails.body, mask_emails.body.gold, boxes)
    assert noted == []
    assert account.session("ADMIN", "ACCOUNTADMIN").execute("SHOW DATABASES LIKE 'SHOP'").rows


def test_a_task_that_owns_nothing_does_not_run_there(mask_emails, boxes):
    with pytest.raises(SkillsError, match="does not say what it owns"):
        measure_script(replace(mask_emails.body, owns={}), mask_emails.body.gold, boxes)
