"""Generated playbooks, an account that counts effects, and a person with fixed habits."""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field

from hypothesis import strategies as st

from skills_nb.engine.decide import pause_of
from skills_nb.engine.respond import Answer
from skills_nb.errors import SqlError
from skills_nb.model.skills import ExpectedError, ProbeCheck, ProbeSpec
from skills_nb.ports import Ports
from skills_nb.runtime.conductor import Conductor
from tests.builders import CONTEXT, checkpoint, library, playbook, step, text_input
from tests.fakes import CountingIds, FakeAccount, FakeClock, FakeHuman, MemoryThreadStore

THREAD = "t"
MOST_TURNS = 120
"""A thread that needs more answers than this spins."""


class CountingAccount(FakeAccount):
    """Counts what each `once` statement did, so that doing it twice cannot hide."""

    def __init__(self, context=CONTEXT):
        super().__init__(context)
        self.effects: Counter[str] = Counter()
        """Statement to how often its effect stands; a DROP takes the CREATE's one away."""
        self.excused: set[str] = set()
        """Statements that a person sent again although they had run."""

    def execute(self, sql, *, role, tag):
        outcome = super().execute(sql, role=role, tag=tag)
        if sql.startswith("DROP ROLE IF EXISTS "):
            self.effects.pop(sql.replace("DROP ROLE IF EXISTS", "CREATE ROLE"), None)
        elif sql.startswith(("CREATE ROLE ", "INSERT")) and "IF NOT EXISTS" not in sql:
            self.effects[sql] += 1
        return outcome

    def has_run(self, record):
        """Tell the truth about an attempt, as a person would find it in the account."""
        fate = self.history.get(record.key)
        return fate is not None and fate.status == "succeeded"

    @property
    def doubled(self):
        return [s for s, n in self.effects.items() if n > 1 and s not in self.excused]


# ---- playbooks

_ERRORS = {
    "transient": lambda: SqlError("connection timed out", errno=630),
    "conflict": lambda: SqlError("the object is locked", errno=625),
    "permission": lambda: SqlError("Insufficient privileges", errno=3001),
    "object_exists": lambda: SqlError("it already exists", errno=2002),
    "unknown": lambda: SqlError("the moon is full"),
}

_ONCE = "CREATE ROLE R{n}"
_TEMPLATES = (
    "SELECT N FROM T{n}",
    _ONCE,
    "CREATE ROLE {{{{ ident('V{n}_', extra) }}}}",
    "INSERT INTO LOG VALUES ({n})",
    "CREATE ROLE IF NOT EXISTS Q{n}",
    "GRANT ROLE BASE TO ROLE Q{n}",
    "CREATE VIEW W{n} AS SELECT 1 AS N",
    "USE SECONDARY ROLES NONE",
)


@dataclass(frozen=True)
class Scene:
    """A playbook, what the account will refuse, and what a person does about it."""

    book: object
    failures: dict[str, tuple[str, ...]]
    habits: dict[str, str]
    """Step to what is answered at its checkpoint."""
    at_error: str
    at_cleanup: str
    flag: int
    is_blind: bool

    def account(self):
        account = CountingAccount()
        account.failures = {
            sql: [_ERRORS[name]() for name in names] for sql, names in self.failures.items()
        }
        account.answers["FROM T"] = [{"N": "X"}, {"N": "Y"}]
        account.answers["GET_DDL"] = [{"DDL": "create or replace view DB.S.W as select 0 as N"}]
        account.answers["CURRENT_ACCOUNT"] = [{"CURRENT_ACCOUNT()": "XY12345"}]
        account.is_blind = self.is_blind
        return account


@st.composite
def steps(draw, number):
    """A step of up to three statements, with or without checkpoint, condition and probe."""
    templates = draw(st.lists(st.sampled_from(_TEMPLATES), max_size=3))
    sql = [template.format(n=10 * number + place) for place, template in enumerate(templates)]
    severity = draw(st.sampled_from([None, "info", "review", "review", "critical"]))
    phrase = "yes" if severity == "critical" else None
    fields = {
        "checkpoint": checkpoint(severity, phrase=phrase) if severity else None,
        "when": draw(st.sampled_from([None, None, "flag = 1"])),
        "optional": draw(st.booleans()),
        "expected_errors": draw(
            st.sampled_from([(), (), (ExpectedError("moon", "wait", retryable=True),)])
        ),
    }
    if templates == [_ONCE] and draw(st.booleans()):
        fields["verify"] = f"SHOW ROLES LIKE 'R{10 * number}'"
    return step(str(number), *sql, **fields)


@st.composite
def scenes(draw, most_steps=3, blind=None):
    """A whole scene. It is small on purpose: the laws are tried at each of its prefixes."""
    count = draw(st.integers(1, most_steps))
    made = [draw(steps(number)) for number in range(1, count + 1)]
    confirm = ProbeSpec(
        "p", "SELECT CURRENT_ACCOUNT()", True, (ProbeCheck("count = 1", "confirm"),)
    )
    inputs = (
        text_input("extra", default="A", has_default=True),
        text_input("flag", type="integer"),
    )
    book = playbook(*made, inputs=inputs, probes=draw(st.sampled_from([(), (confirm,)])))
    sqls = [block.text for one in made for block in one.sql if "{" not in block.text]
    errors = st.lists(st.sampled_from(sorted(_ERRORS)), min_size=1, max_size=5).map(tuple)
    return Scene(
        book=book,
        failures=draw(st.dictionaries(st.sampled_from(sqls), errors, max_size=2)) if sqls else {},
        habits={
            one.id: draw(
                st.sampled_from(["approve", "approve", "approve_remaining", "modify", "abort"])
            )
            for one in made
        },
        at_error=draw(st.sampled_from(["retry", "retry", "skip", "abort"])),
        at_cleanup=draw(st.sampled_from(["cleanup", "keep"])),
        flag=draw(st.integers(0, 1)),
        is_blind=draw(st.booleans()) if blind is None else blind,
    )


# ---- people


def answer_of(scene, state, pause, account):
    """Answer as this person always does, whoever asks and however often."""
    if state.open_statement is not None:
        return Answer("skip" if account.has_run(state.open_statement) else "retry", at=pause.at)
    match pause.kind:
        case "checkpoint":
            return _at_checkpoint(scene, state, pause)
        case "error_escalated":
            choice = scene.at_error if pause.option(scene.at_error) else "retry"
            return Answer(choice, at=pause.at)
        case "cleanup_proposed":
            return Answer(scene.at_cleanup, at=pause.at)
        case _:
            return Answer("approve", at=pause.at)


def _at_checkpoint(scene, state, pause):
    habit = scene.habits[pause.step]
    if pause.is_before:
        return Answer("approve", at=pause.at, phrase=pause.phrase)
    if habit == "modify" and state.run.inputs["extra"] == "A":
        return Answer("modify", at=pause.at, values={"extra": "B"})
    if habit == "abort" or (habit == "approve_remaining" and pause.severity != "critical"):
        return Answer(habit, at=pause.at)
    return Answer("approve", at=pause.at, phrase=pause.phrase)


# ---- running


class Crash(BaseException):
    """The process is gone: nothing of ours may catch it."""


@dataclass
class Stage:
    """A store and an account that outlive every process, and the processes on them."""

    scene: Scene
    account: CountingAccount
    store: MemoryThreadStore = field(default_factory=MemoryThreadStore)
    clock: FakeClock = field(default_factory=FakeClock)
    ids: CountingIds = field(default_factory=CountingIds)
    conductor_class: type[Conductor] = Conductor

    def __post_init__(self):
        self.library = library(self.scene.book)

    def conductor(self, session=None, store=None):
        """A new process: it knows nothing but what the store tells."""
        ports = Ports(
            session=session or self.account,
            store=store or self.store,
            clock=self.clock,
            ids=self.ids,
            human=FakeHuman(),
            router=None,
        )
        return self.conductor_class(self.library, ports)

    def start(self, **kernel):
        inputs = {"flag": self.scene.flag}
        self.conductor(**kernel).start(self.scene.book.ref, inputs, thread_id=THREAD)

    @property
    def events(self):
        return self.store.load(THREAD)

    @property
    def state(self):
        return self.conductor().load(THREAD)

    def finish(self):
        """Go on to the end, each turn in a new process."""
        for _ in range(MOST_TURNS):
            state = self.conductor().advance(THREAD)
            pause = pause_of(state, self.library)
            if pause is None:
                return state
            self.conductor().answer(THREAD, answer_of(self.scene, state, pause, self.account))
        raise AssertionError(f"no end after {MOST_TURNS} answers: {state.story}")


def end_of(state, account):
    """What has to be the same however often the thread was interrupted."""
    run = state.run
    return {
        "status": state.status,
        "failure": state.failure,
        "summary": state.summary,
        "inputs": dict(run.inputs),
        "steps": {
            name: (one.status, dict(one.result), one.created, one.reason)
            for name, one in run.steps.items()
        },
        "objects": set(account.objects),
        "effects": dict(account.effects),
    }


class FilmedStore(MemoryThreadStore):
    """Keeps a copy of the account as it stood when each event was appended."""

    def __init__(self, account):
        super().__init__()
        self.account = account
        self.film: list[CountingAccount] = []
        """Position k: the account just before event k + 1 was appended."""

    def append(self, thread_id, expected_seq, events):
        head = super().append(thread_id, expected_seq, events)
        self.film += [deepcopy(self.account)] * len(events)
        return head


def filmed(scene):
    """Run a scene to its end; return the stage, with its film, and the last state."""
    account = scene.account()
    stage = Stage(scene, account, FilmedStore(account))
    stage.start()
    return stage, stage.finish()


def resumed(stage, cut, account):
    """Put a thread's first events and an account on a new stage, as after a crash."""
    again = Stage(stage.scene, account)
    again.store.append(THREAD, 0, stage.events[:cut])
    again.store.abandoned.add(THREAD)
    again.ids.events = cut
    return again


def stem(pause_name):
    return re.sub(r"#\d+$", "", pause_name)
