"""`doctor --grants`: a role with exactly what it prints runs the playbook to its end."""

import pytest

from skills_nb import connect
from skills_nb.commands import App
from skills_nb.errors import UsageError
from tests.runtime.playbook_cases import CASES, SHOP

pytestmark = pytest.mark.slow

_PAUSES = 40
PLAYED = (
    "audit",
    "copied",
    "given-access",
    "merged",
    "secure",
    "pipeline",
    "semantic",
    "validation",
    "tuned",
)


@pytest.fixture
def app(tmp_path):
    opened = App(tmp_path / "home")
    yield opened
    opened.close()


def administer(app, statements):
    app.invoke(["sql", "SELECT 1"])
    session = connect(app.wiring.account_folder, role="ACCOUNTADMIN", warehouse="COMPUTE_WH")
    for sql in statements:
        session.sql(sql).collect()
    session.close()


def told(app, playbook, inputs):
    """What the command says of a playbook."""
    words = [word for name, value in inputs.items() for word in ("--input", f"{name}={value}")]
    return app.invoke(["doctor", "--grants", playbook, *words])


def run_as(app, user, role, playbook, inputs):
    """Run the playbook as a role of a user, every proposal taken."""
    session = connect(app.wiring.account_folder, user=user, role=role, warehouse="COMPUTE_WH")
    session.sql("USE SECONDARY ROLES NONE").collect()
    beside = App(app.wiring.home, variables={"mine": session})
    beside.invoke(["connect", "--session", "mine"])
    words = [word for name, value in inputs.items() for word in ("--input", f"{name}={value}")]
    reply = beside.invoke(["run", f"playbooks/{playbook}", *words])
    for _ in range(_PAUSES):
        pause = reply.pause
        if pause is None:
            break
        choice = next((c for c in ("approve", "skip") if pause.option(c) is not None), None)
        if choice is None:
            break
        phrase = ["--phrase", pause.phrase] if pause.phrase else []
        reply = beside.invoke(["respond", choice, "--at", pause.at, *phrase])
    ended = (reply.document["status"], reply.pause.present if reply.pause else "")
    beside.close()
    return ended


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PLAYED)
def test_a_role_with_what_is_printed_runs_the_playbook_to_its_end(app, name):
    case = CASES[name]
    administer(app, case.setup)
    reply = told(app, case.playbook, case.inputs)
    document = reply.document
    assert (document["not_covered"], document["stopped"], reply.status) == ([], None, 0)
    administer(
        app,
        [
            "CREATE ROLE SKILLS_RUNNER",
            *document["grants"],
            "CREATE USER RUNNER",
            *(
                f"GRANT ROLE {r} TO USER RUNNER"
                for r in ("SKILLS_RUNNER", *document["held_by_user"])
            ),
        ],
    )
    assert run_as(app, "RUNNER", "SKILLS_RUNNER", case.playbook, case.inputs) == ("completed", "")


def test_what_no_grant_can_give_is_said(app):
    case = CASES["recovered"]
    administer(app, case.setup)
    reply = told(app, case.playbook, case.inputs)
    # Nobody can grant anything on a table that is dropped: its owner alone brings it back.
    assert reply.status == 4
    assert reply.document["not_covered"][0]["sql"] == f"UNDROP TABLE {SHOP}.LOST"


def test_where_it_still_stops_with_the_grants_is_said(app):
    case = CASES["sharing"]
    reader = {"consumer_kind": "reader-account", "reader_admin": "a", "reader_password": "Aa1!bbbb"}
    reply = told(app, case.playbook, case.inputs | reader)
    # Whatever is granted, this account has no reader accounts.
    assert reply.status == 4
    assert "SHOW MANAGED ACCOUNTS" in reply.document["stopped"]


def test_what_a_probe_asks_for_is_among_the_grants(app):
    case = CASES["sharing"]
    reply = told(app, case.playbook, case.inputs)
    assert (reply.status, reply.document["stopped"]) == (0, None)
    granted = "GRANT MANAGE SHARE TARGET ON ACCOUNT TO ROLE SKILLS_RUNNER"
    assert granted in reply.document["grants"]


def test_an_open_question_is_named(app):
    with pytest.raises(UsageError, match="depends on 'target_scope'") as refused:
        told(app, "secure-sensitive-data", {})
    assert "--input target_scope=VALUE" in refused.value.hint


def test_the_account_stays_as_it_is(app):
    before = app.invoke(["sql", "SHOW ROLES"]).document
    told(app, "audit-data-access", CASES["audit"].inputs)
    assert app.invoke(["sql", "SHOW ROLES"]).document == before
    assert app.invoke(["threads"]).document == []


def test_a_role_that_is_there_already_is_no_measure(app):
    with pytest.raises(UsageError, match="there is a role 'ANALYST' already"):
        app.invoke(["doctor", "--grants", "investigate-cost-spike", "--role", "ANALYST"])


@pytest.mark.parametrize("words", [["--role", "R"], ["--input", "a=b"]])
def test_what_goes_with_grants_alone_is_refused_without(app, words):
    with pytest.raises(UsageError, match="goes with --grants"):
        app.invoke(["doctor", *words])
