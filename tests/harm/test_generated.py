"""Plans, other people's work and cleanups in any order, as Hypothesis has it.

`SKILLS_NB_HARM_EXAMPLES` says how many stories are told; a few where it is not set.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from skills_nb.errors import SkillsError
from tests.harm.judge import verdict
from tests.harm.workplace import Workplace

_EXAMPLES = int(os.environ.get("SKILLS_NB_HARM_EXAMPLES", "12"))
_SETUP = """
CREATE TABLE SHOP.OPS."B b" (ID INT, NAME STRING, PRICE NUMBER(10, 2));
INSERT INTO SHOP.OPS."B b" VALUES (1, 'x', 1), (2, 'y', 2);
CREATE MASKING POLICY SHOP.OPS.P1 AS (V STRING) RETURNS STRING -> '?'
"""
TABLES = ("SHOP.OPS.ITEMS", 'SHOP.OPS."B b"', 'SHOP."My Sales"."c"', "SHOP.OPS.D")
_ROLES = ("CLERK", '"night shift"')
_COLUMNS = "(ID INT, NAME STRING, PRICE NUMBER(10, 2))"


def _rows(table: str) -> st.SearchStrategy[str]:
    number = st.integers(1, 6)
    return st.one_of(
        number.map(lambda n: f"INSERT INTO {table} (ID, NAME) VALUES ({n}, 'n{n}')"),
        number.map(lambda n: f"DELETE FROM {table} WHERE ID = {n}"),
        number.map(lambda n: f"UPDATE {table} SET NAME = 'u{n}' WHERE ID <> {n}"),
        st.just(f"TRUNCATE TABLE {table}"),
        st.just(f"INSERT OVERWRITE INTO {table} SELECT * FROM {table} WHERE ID = 1"),
    )


def _shape(table: str, other: str) -> st.SearchStrategy[str]:
    return st.sampled_from(
        (
            f"CREATE TABLE {table} {_COLUMNS}",
            f"CREATE TABLE IF NOT EXISTS {table} {_COLUMNS}",
            f"CREATE OR REPLACE TABLE {table} {_COLUMNS}",
            f"CREATE TABLE {table} AS SELECT * FROM {other}",
            f"CREATE TABLE {table} CLONE {other}",
            f"DROP TABLE {table}",
            f"DROP TABLE IF EXISTS {table}",
            f"UNDROP TABLE {table}",
            f"ALTER TABLE {table} SWAP WITH {other}",
            f"ALTER TABLE {table} RENAME TO {other}",
            f"ALTER TABLE {table} ADD COLUMN MORE INT",
            f"ALTER TABLE {table} DROP COLUMN MORE",
        )
    )


def _around(table: str) -> st.SearchStrategy[str]:
    role = st.sampled_from(_ROLES)
    return st.one_of(
        role.map(lambda r: f"GRANT SELECT ON TABLE {table} TO ROLE {r}"),
        role.map(lambda r: f"REVOKE SELECT ON TABLE {table} FROM ROLE {r}"),
        st.sampled_from(("one", "two")).map(lambda w: f"COMMENT ON TABLE {table} IS '{w}'"),
        st.sampled_from(("gold", "iron")).map(
            lambda w: f"ALTER TABLE {table} SET TAG SHOP.OPS.TIER = '{w}'"
        ),
        st.sampled_from(
            (
                f"ALTER TABLE {table} UNSET TAG SHOP.OPS.TIER",
                f"ALTER TABLE {table} MODIFY COLUMN NAME SET MASKING POLICY SHOP.OPS.HIDE",
                f"ALTER TABLE {table} MODIFY COLUMN NAME UNSET MASKING POLICY",
                f"CREATE VIEW SHOP.OPS.V AS SELECT ID FROM {table}",
                f"CREATE OR REPLACE VIEW SHOP.OPS.V AS SELECT NAME FROM {table}",
                "DROP VIEW SHOP.OPS.V",
                f"CREATE STREAM SHOP.OPS.S ON TABLE {table}",
                "DROP MASKING POLICY SHOP.OPS.P1",
                "ALTER MASKING POLICY SHOP.OPS.P1 SET BODY -> 'new'",
                "CREATE SCHEMA SHOP.NEXT",
                "CREATE TABLE SHOP.NEXT.T (A INT)",
            )
        ),
    )


STATEMENTS = st.tuples(st.sampled_from(TABLES), st.sampled_from(TABLES)).flatmap(
    lambda two: st.one_of(_rows(two[0]), _shape(*two), _around(two[0]))
)
PLANS = st.lists(st.lists(STATEMENTS, min_size=1, max_size=2), min_size=1, max_size=3)


class Story(RuleBasedStateMachine):
    """One thread, and somebody else."""

    @initialize(plan=PLANS)
    def propose(self, plan):
        """A person proposes a plan; one that the product refuses is a story, too."""
        self.work = Workplace(Path(tempfile.mkdtemp(prefix="harm-")), _SETUP)
        self.was_cleaned = False
        self.work.propose([";\n".join(statements) for statements in plan])

    def _option(self, choice: str) -> bool:
        pause = self.work.reply.pause
        return pause is not None and pause.option(choice) is not None

    @precondition(lambda self: self._option("approve"))
    @rule()
    def approve(self):
        """The person goes on."""
        self._answer("approve")

    @precondition(lambda self: self._option("retry"))
    @rule(choice=st.sampled_from(("retry", "skip")))
    def try_again(self, choice):
        """The person insists, or leaves a step out, after an error."""
        if self._option(choice):
            self._answer(choice)

    def _answer(self, choice: str) -> None:
        try:
            self.work.answer(choice)
        except SkillsError as refusal:
            self.work.answered.append(str(refusal))

    @precondition(lambda self: not self.was_cleaned)
    @rule(script=STATEMENTS)
    def others(self, script):
        """Somebody else works."""
        self.work.others(script)

    @precondition(lambda self: not self.was_cleaned)
    @rule(meanwhile=st.one_of(st.just(""), STATEMENTS))
    def clean(self, meanwhile):
        """The person takes it all back; somebody may work while they are asked."""
        self.was_cleaned = True
        self.work.clean(meanwhile)
        self._judge()

    @rule()
    def look(self):
        """Somebody asks where it stands."""
        self.work.said()

    def teardown(self):
        """Whatever was begun is taken back in the end."""
        if not hasattr(self, "work"):
            return
        try:
            if not self.was_cleaned:
                self.work.clean()
                self._judge()
        finally:
            self.work.close()

    def _judge(self) -> None:
        faults = verdict(self.work)
        told = [event.sql for event in self.work.events("statement_started")]
        assert faults == [], "\n".join([*faults, "sent:", *told])


TestStory = pytest.mark.slow(Story.TestCase) if _EXAMPLES > 40 else Story.TestCase
TestStory.pytestmark = [pytest.mark.slow]
TestStory.settings = settings(
    max_examples=_EXAMPLES,
    stateful_step_count=7,
    deadline=None,
    # A story takes a second: it is made shorter only for those who hunt.
    phases=tuple(Phase) if "SKILLS_NB_HARM_EXAMPLES" in os.environ else (Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
