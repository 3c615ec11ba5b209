"""A small company's account, a thread that works on it by commands, and people beside it.

Nothing in it is the demo's. What others do is fenced by two fingerprints each, so that a judge can
tell afterwards whose doing a difference is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from skills_nb.commands import App
from skills_nb.commands.home import embedded_accounts
from skills_nb.commands.reply import Reply
from skills_nb.commands.wiring import shipped_library
from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.tools.sharing import SharedAccountWire
from skills_nb.errors import SkillsError
from skills_nb.model.library import Library
from skills_nb.reading import open_library
from skills_nb.sql.statements import split
from skills_nb.views import render_text
from tests.fakes import MemoryThreadStore
from tests.harm.fingerprint import Fingerprint, fingerprint

THREAD = "job"
COMPANY = """
CREATE ROLE CLERK; CREATE ROLE KEEPER; CREATE ROLE "night shift";
GRANT ROLE KEEPER TO ROLE SYSADMIN;
CREATE USER EVE DEFAULT_ROLE = KEEPER; GRANT ROLE KEEPER TO USER EVE;
GRANT ROLE ACCOUNTADMIN TO USER EVE;
CREATE USER "bob b" COMMENT = 'drives';
CREATE WAREHOUSE LITTLE WAREHOUSE_SIZE = XSMALL AUTO_SUSPEND = 60;
CREATE DATABASE SHOP; CREATE SCHEMA SHOP.OPS; CREATE SCHEMA SHOP."My Sales";
CREATE TABLE SHOP.OPS.ITEMS (ID INT, NAME STRING, PRICE NUMBER(10, 2)) COMMENT = 'what we sell';
INSERT INTO SHOP.OPS.ITEMS VALUES (1, 'tea', 3.50), (2, 'milk', 1.20), (3, 'tea', 4.00);
CREATE TABLE SHOP."My Sales"."orders" ("id" INT, "who" STRING, "Amount €" NUMBER(10, 2));
INSERT INTO SHOP."My Sales"."orders" VALUES
  (1, 'ann', 10), (2, 'bob', 20), (2, 'bob', 20), (3, NULL, 30), (4, 'dee', 40);
CREATE TABLE SHOP."My Sales"."empty" ("id" INT, "who" STRING, "Amount €" NUMBER(10, 2));
CREATE VIEW SHOP.OPS.CHEAP AS SELECT ID, NAME FROM SHOP.OPS.ITEMS WHERE PRICE < 4;
CREATE STREAM SHOP.OPS.ITEM_CHANGES ON TABLE SHOP.OPS.ITEMS;
INSERT INTO SHOP.OPS.ITEMS VALUES (4, 'salt', 0.90);
CREATE MASKING POLICY SHOP.OPS.HIDE AS (V STRING) RETURNS STRING -> '***';
CREATE ROW ACCESS POLICY SHOP.OPS.SOME_ROWS AS (V STRING) RETURNS BOOLEAN -> TRUE;
CREATE TAG SHOP.OPS.TIER ALLOWED_VALUES 'gold', 'iron';
GRANT USAGE ON DATABASE SHOP TO ROLE KEEPER; GRANT USAGE ON SCHEMA SHOP.OPS TO ROLE KEEPER;
GRANT USAGE ON SCHEMA SHOP."My Sales" TO ROLE KEEPER;
GRANT SELECT, INSERT ON TABLE SHOP.OPS.ITEMS TO ROLE KEEPER;
GRANT SELECT, INSERT ON TABLE SHOP."My Sales"."orders" TO ROLE KEEPER;
GRANT SELECT ON TABLE SHOP."My Sales"."orders" TO ROLE "night shift";
CREATE TABLE SHOP.OPS.ONLY_OURS (ID INT); INSERT INTO SHOP.OPS.ONLY_OURS VALUES (7);
"""


class Died(BaseException):
    """The process is gone, in the midst of a thread."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a thread told about its cleanup."""

    text: str
    """The card at the end, as a terminal shows it."""
    status: str
    """Of the cleanup: `cleaned`, `partial`, `kept`, `nothing_to_clean`; empty where none ended."""
    named: tuple[str, ...]
    """What was named as failed, left alone or not restorable, with the reasons."""
    proposed: tuple[str, ...]
    """Every statement that a person was shown before approving a cleanup."""
    done: tuple[tuple[str, str], ...]
    """Status and text of every compensation that was sent, oldest first."""

    @property
    def claims_everything(self) -> bool:
        """Tell whether a reader would think that nothing is left."""
        return "Everything it did was taken back" in self.text or self.status == "cleaned"


@dataclass
class Workplace:
    """One account with one thread."""

    home: Path
    setup: str = ""
    company: str = COMPANY
    """Statements that make the account."""
    thread: str = THREAD
    others_did: list[tuple[Fingerprint, Fingerprint]] = field(default_factory=list)
    """Before and after each thing that somebody else did, oldest first."""
    at_cleanup: Fingerprint | None = None
    """What stood when the cleanup began; None where there was none."""
    reply: Reply | None = None
    playbook: str = ""
    refused: list[str] = field(default_factory=list)
    """What others tried and the account refused."""
    answered: list[str] = field(default_factory=list)
    """What the product refused to clean up, in its words."""
    days_ago: int = 0
    """How long ago the company was founded; nobody has worked on it since."""

    def __post_init__(self) -> None:
        """Found the company."""
        self.account = Account.open(None)
        embedded_accounts.let_handlers_in(self.account)
        self.store = MemoryThreadStore()
        with self.long_ago():
            self.run(self.company + self.setup)
        self.begun = self.look()
        self.app = self._app()

    def _app(self) -> App:
        app = App(self.home)
        wired = app.wiring.__dict__
        wired["account"] = SharedAccountWire(self.account)
        wired["store"] = self.store
        wired["library"] = library_with(self.home, self.playbook)
        return app

    def look(self) -> Fingerprint:
        """Return what stands now; no history tells that somebody looked."""
        with self.long_ago():
            return fingerprint(self.account)

    @contextmanager
    def long_ago(self) -> Iterator[None]:
        """Let what happens within have happened when the company was founded."""
        clock, latest = self.account.clock, self.account._latest
        if self.days_ago:
            self.account.clock = lambda: clock() - timedelta(days=self.days_ago)
            # The account lets no instant come before another one; these do.
            self.account._latest = None
        yield
        self.account.clock, self.account._latest = clock, latest

    # ---- others

    def run(self, script: str, user: str = "ADMIN", role: str = "ACCOUNTADMIN") -> None:
        """Run statements in a session of their own."""
        session = self.account.session(user, role, warehouse="COMPUTE_WH")
        for statement in split(script):
            session.execute(statement.text)
        session.close()

    def others(self, script: str, role: str = "ACCOUNTADMIN") -> None:
        """Let somebody else work; what the account refuses them is their trouble."""
        before = self.look()
        session = self.account.session("EVE", role, warehouse="COMPUTE_WH")
        for statement in split(script):
            try:
                session.execute(statement.text)
            except SkillsError as error:
                self.refused.append(f"{statement.text}: {error}")
        session.close()
        self.others_did.append((before, self.look()))

    # ---- the thread

    def invoke(self, *words: str, cell: str | None = None) -> Reply:
        """Say a command about the thread."""
        named = words[0] in ("cleanup", "resume", "status")
        thread = [self.thread] if named else ["--thread", self.thread]
        self.reply = self.app.invoke([*words, *thread], cell=cell)
        return self.reply

    def propose(self, steps: Sequence[str], primitive: str = "tables") -> Reply:
        """Propose a guided plan, a statement or several a step."""
        told = [
            {"step": number, "action": f"part {number}", "primitive": primitive, "sql": sql}
            for number, sql in enumerate(steps, 1)
        ]
        return self.invoke("plan", cell=json.dumps({"goal": "change the shop", "steps": told}))

    def start(self, steps: Sequence[str], *, as_playbook: bool = False) -> Reply:
        """Propose a guided plan, or begin a playbook where no plan may do it."""
        if not as_playbook:
            return self.propose(steps)
        return self.begin(agreed_playbook_of(steps))

    def begin(self, playbook: str, *words: str) -> Reply:
        """Begin a playbook of this text."""
        self.playbook = playbook
        self.app.wiring.__dict__["library"] = library_with(self.home, playbook)
        return self.invoke("run", "playbooks/change-the-shop", *words)

    def answer(self, choice: str = "approve") -> Reply:
        """Answer the open pause, with its phrase where one is asked for."""
        assert self.reply is not None
        assert self.reply.pause is not None, "nothing waits"
        pause = self.reply.pause
        option = pause.option(choice)
        phrase = option.phrase if option is not None and option.requires_confirmation else None
        said = ["--phrase", phrase] if phrase else []
        return self.invoke("respond", choice, "--at", pause.at, *said)

    def approve_until(self, reached: Callable[[Reply], bool]) -> bool:
        """Approve pause after pause; False where the thread ended or cannot be approved on."""
        for _ in range(40):
            assert self.reply is not None
            if reached(self.reply):
                return True
            if self.reply.pause is None or not approvable(self.reply):
                return False
            self.answer()
        raise AssertionError("it did not end")

    def finish(self) -> None:
        """Approve everything to the end, or to what cannot be approved."""
        self.approve_until(lambda reply: reply.pause is None)

    def clean(self, meanwhile: str = "", role: str = "ACCOUNTADMIN") -> None:
        """Abort what is not over, accept the cleanup; others may work between the two."""
        assert self.reply is not None
        try:
            self.invoke("cleanup" if self.reply.pause is None else "abort")
        except SkillsError as refusal:
            self.answered.append(f"{refusal} {refusal.hint or ''}")
        if meanwhile:
            self.others(meanwhile, role)
        self.at_cleanup = self.look()
        for _ in range(10):
            if self.reply.pause is None or self.reply.pause.kind != "cleanup_proposed":
                return
            self.answer("cleanup")

    def dying(self, when: Callable[[Any], bool], act: Callable[[], object]) -> bool:
        """Do something in a process that dies after an event; then a new one is at work."""

        def struck(_: object) -> None:
            if when(self.store.load(self.thread)[-1]):
                raise Died

        invoke = self.app.invoke
        self.app.invoke = lambda *a, **k: invoke(*a, **{**k, "on_change": struck})  # type: ignore[method-assign]
        try:
            act()
        except Died:
            self.app = self._app()
            self.store.abandoned.add(self.thread)
            self.invoke("resume")
            return True
        self.app.invoke = invoke  # type: ignore[method-assign]
        return False

    # ---- what was said

    def events(self, kind: str) -> list[Any]:
        """Return the thread's events of a kind, oldest first."""
        return [event for event in self.store.load(self.thread) if event.type == kind]

    def said(self) -> Said:
        """Return what the thread told about its cleanup."""
        status = self.app.invoke(["status", self.thread])
        executed, ended = self.events("cleanup_executed"), self.events("thread_aborted")
        return Said(
            text=render_text(status.view),
            status=ended[-1].cleanup_status if ended else "",
            named=(*_named(executed), *self.answered),
            proposed=tuple(
                sql
                for event in self.events("cleanup_proposed")
                for sql in event.compensation_actions
            ),
            done=tuple(_compensations(self.store.load(self.thread))),
        )

    def close(self) -> None:
        """Close the account."""
        self.app.close()
        self.account.close()


def approvable(reply: Reply) -> bool:
    """Tell whether a pause has a proposal that can be approved."""
    pause = reply.pause
    return pause is not None and pause.option("approve") is not None


def _named(executed: Sequence[Any]) -> list[str]:
    found: list[str] = []
    for event in executed:
        told = event.model_dump(mode="json")
        for key in ("failed", "left_alone", "not_restorable"):
            entries = told.get(key, [])
            found += [_words(each) for each in entries]
    return found


def _words(entry: str | Mapping[str, str]) -> str:
    return entry if isinstance(entry, str) else " ".join(map(str, entry.values()))


def _compensations(events: Sequence[Any]) -> list[tuple[str, str]]:
    started = {
        event.effect_key: event.sql
        for event in events
        if event.type == "statement_started" and event.kind == "compensation"
    }
    ends = ("statement_completed", "statement_failed", "statement_lost")
    return [
        (event.type.removeprefix("statement_"), started[event.effect_key])
        for event in events
        if event.type in ends and event.effect_key in started
    ]


# ---- what a guided plan may not do is a playbook's


CRITICAL = """checkpoint:
  severity: critical
  present: "It is done."
  phrase: "change the shop"
"""


def playbook_of(steps: Sequence[str], said: str = CRITICAL) -> str:
    """Return a playbook of these steps; `said` is the YAML of each, by default a checkpoint."""
    told = [_STEP.format(number=n, sql=s, said=said.rstrip()) for n, s in enumerate(steps, 1)]
    return "\n\n".join([_FRONT, *told]) + "\n"


def agreed_playbook_of(steps: Sequence[str]) -> str:
    """Return a playbook of these steps behind one that only asks whether to do it."""
    told = [_STEP.format(number=n, sql=s, said=CRITICAL.rstrip()) for n, s in enumerate(steps, 2)]
    return "\n\n".join([_FRONT, _ASKING, *told]) + "\n"


_FRONT = """---
type: playbook
name: change-the-shop
domain: data-transformation
depends_on: [tables]
inputs: []
probes:
  - {id: standing, query: "SELECT CURRENT_ACCOUNT(), CURRENT_ROLE()"}
---

# Change the shop

## Objective

The shop is different.

## Steps
"""
_ASKING = f"""### Step 1: Agree

Say what is to come.

```yaml
{CRITICAL.rstrip()}
```"""
_STEP = """### Step {number}: Part {number}

Change it.

Reference: `primitives/tables`

```yaml
{said}
```

```sql
{sql}
```"""


@lru_cache(maxsize=64)
def _opened(overlay: Path | None, _: str) -> Library:
    return open_library(shipped_library(), overlay)


def library_with(home: Path, playbook: str) -> Library:
    """Return the shipped library, with a playbook laid over it where there is one."""
    if not playbook:
        return _opened(None, "")
    place = home / "own" / "playbooks" / "change-the-shop"
    place.mkdir(parents=True, exist_ok=True)
    (place / "playbook.md").write_text(playbook)
    index = (
        'version: "1.0"\nentry: router.md\nplaybooks:\n  change-the-shop:\n'
        "    domain: data-transformation\n    depends_on: [primitives/tables]\n"
    )
    (home / "own" / "skill-index.yaml").write_text(index)
    return _opened(home / "own", playbook)
