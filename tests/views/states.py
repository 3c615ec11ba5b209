"""Threads to look at, built by hand: views need no engine."""

from skills_nb.model import events as ev
from skills_nb.model.diagnostics import Span
from skills_nb.model.skills import CheckpointSpec, Playbook, Step
from skills_nb.model.state import (
    AbortState,
    Pause,
    PlaybookRun,
    StatementRecord,
    StepState,
    ThreadState,
)

HERE = Span("playbooks/p/playbook.md")
CONTEXT = ev.AccountContext(
    account_name="SHOP-DEV",
    account_locator="AB12345",
    current_role="SECURITYADMIN",
    current_warehouse="WH",
    available_roles=("ANALYST", "SECURITYADMIN"),
)
PLAYBOOK = Playbook(
    name="p",
    domain="d",
    title="Tidy up",
    description="Everything in its place.",
    span=HERE,
    steps=(
        Step("1", "Look", checkpoint=CheckpointSpec("review")),
        Step("2", "Make policies", checkpoint=CheckpointSpec("critical", phrase="tidy PROD")),
        Step("3", "Attach"),
    ),
)
APPROVE = ev.Option(id="approve", description="Proceed as proposed")
TYPED = ev.Option(
    id="approve", description="Needs the phrase", requires_confirmation=True, phrase="tidy PROD"
)
MODIFY = ev.Option(id="modify", description="Change inputs")
ABORT = ev.Option(id="abort", description="Stop here")
MADE = ev.CreatedObject(type="masking_policy", name="M", fqn="PROD.G.M")
ROWS = [
    {"TABLE_NAME": "CUSTOMERS", "COLUMN_NAME": "EMAIL", "CONFIDENCE": "HIGH"},
    {"TABLE_NAME": "CUSTOMERS", "COLUMN_NAME": "PHONE", "CONFIDENCE": "HIGH"},
]


def run(**changes):
    steps = {
        "1": StepState("1", "approved", result={"found": ROWS, "found_count": 2}),
        "2": StepState("2", "done", created=(MADE,)),
    }
    given = {"playbook": "p", "mode": "live", "started_seq": 1, "context": CONTEXT, "steps": steps}
    return PlaybookRun(**{**given, **changes})


def state(**changes):
    given = {"thread_id": "tidy", "goal": "tidy up", "status": "paused", "run": run()}
    return ThreadState(**{**given, **changes})


REVIEW = Pause("checkpoint", "1", "review", "Found 2.", (APPROVE, MODIFY, ABORT), "1")
CRITICAL = Pause("checkpoint", "2", "critical", "Now it counts.", (TYPED, ABORT), "2")
INFO = Pause("checkpoint", "3", "info", "Views are there.", (APPROVE,), "3")
QUESTION = Pause(
    "input_question",
    "input:scope",
    present="Which schema?",
    options=(
        ev.Option(id="PROD.A"),
        ev.Option(id="other", description="Names differ"),
        ABORT,
    ),
)
ERROR = Pause(
    "error_escalated",
    "error:3",
    present="003001 (42501): Insufficient privileges\nGrant APPLY to SECURITYADMIN",
    options=(ev.Option(id="retry", description="Try again"), ABORT),
    step="3",
)
CLEANUP = Pause(
    "cleanup_proposed",
    "cleanup",
    present="1 statement takes back what this thread did.",
    options=(ev.Option(id="cleanup", description="Run it"), ev.Option(id="keep")),
)
ABORTED = AbortState(
    "stop",
    orphans=(
        ev.OrphanedObject(
            type="masking_policy",
            name="PROD.G.M",
            created_in_step="2",
            compensation="DROP MASKING POLICY PROD.G.M",
        ),
    ),
)
REFUSED = StatementRecord(
    key="t:9",
    seq=9,
    step="3",
    ordinal=1,
    attempt=1,
    sql="ALTER TABLE T MODIFY COLUMN C SET MASKING POLICY M",
    kind="once",
    role=None,
    status="failed",
)
PLANNED = (
    ev.StepPlanned(
        step="1", action="Look; then pauses for a review checkpoint", would_execute=["SELECT 1"]
    ),
    ev.StepPlanned(
        step="2",
        action="Make policies",
        would_execute=["CREATE MASKING POLICY M", "CREATE MASKING POLICY N;"],
        would_create=[MADE],
    ),
    ev.StepPlanned(step="3", action="Attach; WOULD FAIL: 003001 (42501): Insufficient privileges"),
)
SUMMARY = ev.DryRunSummary(
    would_create={
        "masking_policies": 1,
        "objects": [{"type": "masking_policy", "name": "M", "fqn": "PROD.G.M"}],
    },
    would_modify={
        "columns": 1,
        "objects": [
            {
                "type": "column",
                "name": "EMAIL",
                "fqn": "PROD.A.CUSTOMERS.EMAIL",
                "changes": {"masking_policy": [None, "PROD.G.M"]},
            }
        ],
    },
    estimated_duration="1 s",
)
DRY = Pause(
    "dry_run_summary",
    "dry_run",
    present="Nothing has been changed.",
    options=(ev.Option(id="execute", description="Do it"), ABORT),
)
