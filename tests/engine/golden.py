"""What the golden threads tell: playbooks, accounts that misbehave, and what people answer.

Run as a program, this writes the threads anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from skills_nb.commands.exports.thread_exchange import to_yaml
from skills_nb.errors import SqlError
from skills_nb.model.routes import Route
from skills_nb.model.skills import ExpectedError, ForEach, OptionSpec, ProbeCheck, ProbeSpec
from skills_nb.model.state import ThreadState
from tests.builders import CONTEXT, checkpoint, offered, playbook, primitive, step, text_input
from tests.engine.chaining import ChainDrive
from tests.engine.driving import Drive
from tests.engine.generating import Crash

FOLDER = Path(__file__).parent / "threads"
OTHER_ACCOUNT = CONTEXT.model_copy(update={"account_locator": "PROD999", "account_name": "PROD"})

_ACCOUNT_PROBE = ProbeSpec(
    "account_verification",
    "SELECT CURRENT_ACCOUNT(), CURRENT_ROLE()",
    True,
    (
        ProbeCheck("account != expected_account", "block", "Wrong account: {account}."),
        ProbeCheck("role != 'ACCOUNTADMIN'", "warn", "The role is {role}."),
    ),
)

READERS = playbook(
    step(
        "1",
        "SELECT NAME FROM TEAMS",
        binds={"teams": "column.NAME", "team_count": "row_count"},
        checkpoint=checkpoint(
            present="{team_count} teams found.",
            options=(OptionSpec("only-big", "Big teams only", "team_count > 1", {"size": "big"}),),
        ),
    ),
    step(
        "2",
        "CREATE ROLE {{ ident(prefix, '_', team) }}",
        for_each=ForEach("team", "teams"),
        binds={"made": "created_objects.role"},
        role="{admin_role}",
        checkpoint=checkpoint(present="Made {made}."),
        expected_errors=(
            ExpectedError("Insufficient privileges", "Grant CREATE ROLE to {admin_role}"),
        ),
    ),
    step("3", "CREATE ROLE AUDITOR", when="audited = true"),
    step(
        "4",
        "GRANT ROLE {{ ident(prefix, '_', teams[0]) }} TO ROLE {{ admin_role }}",
        role="{admin_role}",
        checkpoint=checkpoint(
            "critical", "Granted to {admin_role}.", phrase="grant to {admin_role}"
        ),
    ),
    name="set-up-readers",
    probes=(_ACCOUNT_PROBE,),
    inputs=(
        text_input("admin_role", type="role", infer_from=("session.role",)),
        text_input("prefix", default="READER", has_default=True),
        text_input("size", default="all", has_default=True),
        text_input("audited", type="boolean", phase="step_3"),
        text_input("target_account", type="account_locator", required=False),
    ),
)
VIEWS = playbook(
    step("1", "CREATE ROLE VIEWER", checkpoint=checkpoint(present="One role is enough.")),
    name="set-up-viewer",
)


AUDITING = replace(
    primitive("auditing"),
    plans=(
        offered(
            "auditor look",
            "CREATE ROLE {{ role }}",
            "GRANT ROLE {{ role }} TO USER {{ user }}",
            "SHOW GRANTS TO ROLE {{ role }}",
            inputs=(
                text_input("role", type="role", default="AUDITOR", has_default=True),
                text_input("user", type="identifier"),
            ),
        ),
    ),
)


@dataclass(frozen=True)
class Turn:
    """An answer, after something happened to the account."""

    choice: str
    fields: dict[str, object]
    before: Callable[[Drive], object] = lambda drive: None


def turn(choice, at, before=lambda drive: None, **fields):
    return Turn(choice, {"at": at, **fields}, before)


@dataclass(frozen=True)
class Scenario:
    """One golden thread."""

    turns: tuple[Turn, ...]
    before: Callable[[Drive], object] = lambda drive: None
    router: Callable[..., object] | None = None

    def play(self) -> Drive:
        routed = {"router": self.router} if self.router else {}
        drive = Drive(READERS, VIEWS, primitives=(AUDITING,), **routed)
        drive.account.answers["FROM TEAMS"] = [{"NAME": "OPS"}, {"NAME": "WEB"}]
        drive.account.answers["CURRENT_ACCOUNT"] = [
            {"CURRENT_ACCOUNT()": "XY12345", "CURRENT_ROLE()": "SECURITYADMIN"}
        ]
        self.before(drive)
        drive.run()
        for one in self.turns:
            one.before(drive)
            drive.respond(one.choice, **one.fields)
        return drive


@dataclass(frozen=True)
class ChainScenario(Scenario):
    """A golden thread of several phases."""

    goal: str = "load then mask"

    def play(self) -> Drive:
        drive = ChainDrive(self.goal, target_table="DB.S.T")
        drive.run()
        for one in self.turns:
            one.before(drive)
            drive.respond(one.choice, **one.fields)
        return drive


def fails(piece, *errors):
    return lambda drive: drive.account.failures.update({piece: list(errors)})


def works_on(context):
    return lambda drive: setattr(drive.account, "where", context)


def dies_after(piece):
    """Let the process die when a statement has run and nothing is said of it yet."""

    def arrange(drive):
        send = drive.account.execute

        def execute(sql, **how):
            outcome = send(sql, **how)
            if piece in sql:
                drive.account.execute = send
                raise Crash
            return outcome

        drive.account.execute = execute

    return arrange


def dead_process(drive):
    """Answer in a process that dies, and leave the thread abandoned."""
    dies_after("READER_WEB")(drive)
    try:
        drive.respond("approve", at="1")
    except Crash:
        drive.store.abandoned.add(drive.id)
    drive.resume()


def to_viewer(intent, library):
    return Route("playbook", ("data-security",), ("playbooks/set-up-viewer",), 0.9, ("playbook",))


def to_auditing(intent, library):
    return Route("guided", ("data-security",), ("primitives/auditing",), 0.9, ("guided",))


FINDINGS = turn("approve", "1")
ROLES = turn("approve", "2")
UNAUDITED = turn("false", "input:audited")
GRANT = turn("approve", "4", phrase="grant to SECURITYADMIN")

SCENARIOS = {
    "chain_that_grows_and_changes_its_way": ChainScenario(
        (
            turn("approve", "1"),
            turn("approve", "2"),
            turn("different-approach", "1#2", comment="also show"),
            turn("approve", "1#3"),
            turn("different-approach", "2#2", comment="audit"),
            turn("approve", "1#4"),
            turn("approve", "1#5"),
        )
    ),
    "happy_path": Scenario((FINDINGS, ROLES, turn("true", "input:audited"), GRANT)),
    "modify_twice_then_approve": Scenario(
        (
            turn("only-big", "1"),
            turn("approve", "1#2"),
            turn("modify", "2", values={"prefix": "R"}),
            turn("cleanup", "cleanup"),
            turn("approve", "before:2"),
            turn("modify", "2#2", values={"prefix": "RD"}),
            turn("keep", "cleanup#2"),
            turn("approve", "before:2#2"),
            turn("approve", "2#3"),
            UNAUDITED,
            GRANT,
        )
    ),
    "approve_remaining_with_a_critical_later": Scenario(
        (turn("approve_remaining", "1", comment="go on"), UNAUDITED, GRANT)
    ),
    "transient_error_recovered": Scenario(
        (FINDINGS, ROLES, UNAUDITED, GRANT),
        fails("READER_WEB", *[SqlError("statement timed out", errno=630)] * 2),
    ),
    "permission_error_resumed_after_the_grant": Scenario(
        (FINDINGS, turn("retry", "error:2", comment="granted"), ROLES, UNAUDITED, GRANT),
        fails(
            "READER_OPS",
            SqlError("SQL access control error:\nInsufficient privileges", errno=3001),
        ),
    ),
    "abort_with_a_partial_cleanup": Scenario(
        (
            FINDINGS,
            turn("abort", "2", comment="wrong teams"),
            turn("review", "cleanup"),
            turn("cleanup", "cleanup#2", fails("EXISTS READER_WEB", SqlError("in use"))),
        )
    ),
    "conditional_step_skipped": Scenario((FINDINGS, ROLES, UNAUDITED, GRANT)),
    "different_approach": Scenario(
        (
            FINDINGS,
            turn("different-approach", "2", comment="one role for everybody"),
            turn("approve", "1#2"),
        ),
        router=to_viewer,
    ),
    "guided_plan_refused_changed_and_done": Scenario(
        (
            FINDINGS,
            turn("different-approach", "2", comment="one auditor who looks at all of it"),
            turn("other", "input:user", values={"user": "JO"}),
            turn("modify", "plan", values={"step_2": "GRANT OWNERSHIP ON ROLE AUDITOR TO ROLE R"}),
            turn("break_down", "plan#2", comment="only an auditor who looks"),
            turn("other", "input:user", values={"user": "JO"}),
            turn("modify", "plan#3", values={"role": "INSPECTOR"}),
            turn("approve", "plan#4"),
            turn("approve", "1#2"),
            turn("approve", "2#2"),
            turn("approve", "3"),
        ),
        router=to_auditing,
    ),
    "resumed_on_the_wrong_account": Scenario(
        (
            turn("approve", "1", works_on(OTHER_ACCOUNT)),
            turn("retry", "error:2", works_on(CONTEXT)),
            ROLES,
            UNAUDITED,
            GRANT,
        )
    ),
    "taken_over_from_a_dead_process": Scenario(
        (turn("approve", "2", dead_process), UNAUDITED, GRANT)
    ),
}


def told(drive: Drive) -> str:
    state: ThreadState = drive.state
    return to_yaml(state.thread_id, state.status, drive.store.load(drive.id))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, scenario in SCENARIOS.items():
        (FOLDER / f"{name}.yaml").write_text(told(scenario.play()), encoding="utf-8")
