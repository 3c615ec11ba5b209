"""Histories of tasks and alerts tell what ran without the secrets in it."""

from skills_nb.embedded.engine.session import AccountSession
from tests.embedded.conftest import rows


def test_a_task_s_history_holds_no_password(admin: AccountSession) -> None:
    admin.execute("create user eve")
    body = "alter user eve set password = 'hunter2hunter2' comment = 'x'"
    admin.execute(f"create task k warehouse = compute_wh as {body}")
    admin.execute("execute task k")
    told = "select query_text, state from table(information_schema.task_history())"
    shown = "alter user eve set password = '«redacted»' comment = 'x'"
    assert rows(admin, told) == [(shown, "SUCCEEDED")]


def test_an_alert_s_history_holds_no_password(admin: AccountSession) -> None:
    admin.execute("create user eve")
    admin.execute(
        "create alert a warehouse = compute_wh schedule = '1 minute' if (exists (select 1)) "
        "then alter user eve set password = 'hunter2hunter2'"
    )
    admin.execute("execute alert a")
    told = "select action, state from table(information_schema.alert_history())"
    shown = "alter user eve set password = '«redacted»'"
    assert rows(admin, told) == [(shown, "TRIGGERED")]
