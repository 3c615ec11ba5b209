"""A toy library of three domains, where what one makes another one needs."""

from dataclasses import replace

from skills_nb.model.library import IndexEntry
from skills_nb.model.routers import ContextMapping, Domain, DomainOutput
from skills_nb.model.routes import Route
from skills_nb.model.skills import Production
from skills_nb.ports import CatalogDifference, RehearsedOutcome
from skills_nb.runtime.conductor import Conductor
from tests.builders import checkpoint, library, playbook, step, text_input
from tests.engine.driving import Drive
from tests.fakes import FakeAccount

LOAD = replace(
    playbook(
        step("1", "CREATE TABLE {{ target_table }} (A INT)", checkpoint=checkpoint()),
        step("2", "INSERT INTO {{ target_table }} VALUES (1)", checkpoint=checkpoint()),
        name="load",
        inputs=(text_input("target_table", type="table", infer_from=("intent",)),),
        produces=(Production("made", "step_1.created_objects.table"),),
    ),
    domain="loading",
)
MASK = replace(
    playbook(
        step("1", "SELECT N FROM C", binds={"found": "row_count"}, checkpoint=checkpoint()),
        step(
            "2",
            "CREATE MASKING POLICY P AS (V STRING) RETURNS STRING -> V",
            "ALTER TABLE {{ target_scope }} MODIFY COLUMN A SET MASKING POLICY P",
            checkpoint=checkpoint(),
            compensation=("ALTER TABLE {{ target_scope }} MODIFY COLUMN A UNSET MASKING POLICY",),
        ),
        name="mask",
        inputs=(
            text_input("target_scope", type="scope", infer_from=("intent",)),
            text_input("admin_role", type="role", infer_from=("session.role",)),
        ),
        produces=(Production("policies", "step_2.created_objects.masking_policy"),),
    ),
    domain="guarding",
)
AUDIT = replace(
    playbook(
        step("1", "CREATE VIEW AUDITED AS SELECT 1 AS N", checkpoint=checkpoint()),
        name="audit",
        inputs=(text_input("target_scope", type="scope", infer_from=("intent",)),),
    ),
    domain="guarding",
)
SHOW = replace(
    playbook(
        step("1", "CREATE VIEW SHOWN AS SELECT * FROM {{ source }}", checkpoint=checkpoint()),
        name="show",
        inputs=(text_input("source", type="table", infer_from=("intent",)),),
    ),
    domain="showing",
)
DOMAINS = {
    "loading": Domain(
        "loading",
        "routers/loading",
        produces=("tables",),
        outputs=(DomainOutput("made", "tables"),),
    ),
    "guarding": Domain(
        "guarding",
        "routers/guarding",
        requires=("tables",),
        produces=("policies",),
        context_mapping=(ContextMapping("made", "target_scope"),),
    ),
    "showing": Domain("showing", "routers/showing", requires=("tables",), uses=("policies",)),
}
TARGETS = {book.name: book for book in (LOAD, MASK, AUDIT, SHOW)}


def toy_library(*books):
    made = library(*(books or TARGETS.values()))
    index = {p.ref: IndexEntry("playbooks", p.name, p.domain) for p in made.playbooks.values()}
    return replace(made, meta=replace(made.meta, domains=DOMAINS), index=index)


def toy_router(intent, lib):
    """Find the toy playbooks by their names, in the order in which they are said."""
    said = sorted((intent.find(name), name) for name in TARGETS if name in intent.split())
    books = [TARGETS[name] for _, name in said]
    if not books:
        return Route("clarify", (), (), 0.0)
    domains, targets = tuple(b.domain for b in books), tuple(b.ref for b in books)
    modes = ("playbook",) * len(books)
    mode = "chain" if len(books) > 1 else "playbook"
    return Route(mode, domains, targets, 0.9, modes, why=("as said",))


class ChainDrive(Drive):
    """Drives a goal in words through the toy library."""

    def __init__(self, goal, *books, **inputs):
        super().__init__(LOAD, router=toy_router, **inputs)
        self.library, self.goal = toy_library(*books), goal
        self.account.answers["FROM C"] = [{"N": 1}]

    def approve_to(self, at):
        """Approve whatever waits until the thread waits at a certain place."""
        while self.pause is not None and self.pause.at != at:
            self.respond("approve")
        return self.pause

    @property
    def chain(self):
        """Domain, target and status of each phase."""
        return [
            (phase.domain, phase.route and phase.route.target, phase.status)
            for phase in self.state.chain.phases
        ]


class Shadow(FakeAccount):
    """A shadow account: what the real one is asked, it answers of itself."""

    def __init__(self, context, real):
        super().__init__(context)
        self.real, self.missing = real, ()
        self.answers = {**real.answers, "INFORMATION_SCHEMA": []}

    def execute(self, sql, *, role, tag):
        done = super().execute(sql, role=role, tag=tag)
        return RehearsedOutcome(done.query_id, done.row_count, done.duration_s)

    def has_rows_of(self, name):
        return True

    def difference(self):
        made = [{"type": "object", "name": name, "fqn": name} for name in sorted(self.objects)]
        return CatalogDifference(created=tuple(made))

    def access(self):
        return ()

    def lineage(self):
        return {}

    def survey(self, scope):
        return {f"object {name}": {"owner": "R"} for name in sorted(self.real.objects)}


class Shadows:
    """Makes shadows and keeps them, so that a test sees what ran there."""

    def __init__(self):
        self.made, self.failures = [], {}

    def shadow(self, session, scope):
        self.made.append(Shadow(session.context(), session))
        self.made[-1].failures = self.failures
        return self.made[-1]


class DryDrive(ChainDrive):
    """Drives a dry run of a goal in words."""

    def __init__(self, goal, **inputs):
        super().__init__(goal, **inputs)
        self.shadows = Shadows()

    @property
    def conductor(self):
        ports = replace(super().conductor._ports, rehearsal=self.shadows)
        return Conductor(self.library, ports)

    def run(self):
        conductor = self.conductor
        conductor.start(self.goal, self.inputs, dry_run=True, thread_id=self.id)
        return conductor.advance(self.id)
