"""Drives a toy library through the real conductor on fakes."""

from skills_nb.engine.respond import Answer
from skills_nb.ports import Ports
from skills_nb.runtime.conductor import Conductor
from tests.builders import CONTEXT, library
from tests.fakes import CountingIds, FakeAccount, FakeClock, FakeHuman, MemoryThreadStore


def no_router(intent, lib):
    raise AssertionError(f"nothing should be routed, but '{intent}' was")


class Drive:
    """One playbook, one account, one store; every process is a new conductor."""

    def __init__(
        self,
        *playbooks,
        account=None,
        present=False,
        router=no_router,
        primitives=(),
        resolver=None,
        rehearsal=None,
        goal=None,
        **inputs,
    ):
        self.library = library(*playbooks, primitives={p.name: p for p in primitives})
        self.resolver, self.rehearsal = resolver, rehearsal
        self.account = account or FakeAccount(CONTEXT)
        self.store, self.clock, self.ids = MemoryThreadStore(), FakeClock(), CountingIds()
        self.human, self.router = FakeHuman(present=present), router
        self.goal, self.inputs = goal or playbooks[0].ref, inputs
        self.id = "t"

    @property
    def conductor(self):
        return Conductor(
            self.library,
            Ports(
                session=self.account,
                store=self.store,
                clock=self.clock,
                ids=self.ids,
                human=self.human,
                router=self.router,
                rehearsal=self.rehearsal,
                resolver=self.resolver,
            ),
        )

    def run(self):
        conductor = self.conductor
        conductor.start(self.goal, self.inputs, thread_id=self.id)
        return conductor.advance(self.id)

    def propose(self, plan, **how):
        conductor = self.conductor
        conductor.propose(plan, thread_id=self.id, **how)
        return conductor.advance(self.id)

    def respond(self, choice, **fields):
        conductor = self.conductor
        conductor.answer(self.id, Answer(choice, **fields))
        return conductor.advance(self.id)

    def resume(self):
        return self.conductor.advance(self.id)

    @property
    def state(self):
        return self.conductor.load(self.id)

    @property
    def pause(self):
        return self.conductor.pause(self.state)

    @property
    def types(self):
        return [event.type for event in self.store.load(self.id)]

    def events(self, type_):
        return [event for event in self.store.load(self.id) if event.type == type_]

    @property
    def ran(self):
        return [sql for sql, _ in self.account.ran]
