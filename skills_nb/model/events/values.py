"""What events carry: where a thread works, objects, options, what was foreseen.

Room: ground.
"""

from __future__ import annotations

import shlex
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from skills_nb.model.events.envelope import Frozen
from skills_nb.visible import visible_typed

Severity = Literal["info", "review", "critical"]


class AccountContext(Frozen):
    """Where and as whom a session works. Spec: Account context in events, Expected context."""

    account_locator: str = ""
    """As `CURRENT_ACCOUNT()` answers; empty where it could not be read."""
    account_name: str = ""
    """`ORGANIZATION-ACCOUNT`, as far as it could be read."""
    region: str = ""
    """As `CURRENT_REGION()` answers, such as `AWS_US_WEST_2`; empty where it could not be read."""
    current_role: str = ""
    """Stored name of the primary role."""
    current_warehouse: str | None = None
    """Stored name; None where none is in use."""
    current_database: str | None = None
    """Stored name; None where none is in use."""
    current_schema: str | None = None
    """Stored name, without the database; None where none is in use."""
    current_user: str = ""
    """Stored name of the user."""
    available_roles: tuple[str, ...] = ()
    """Roles that the user may assume, sorted."""
    edition: str | None = None
    """None where it could not be told."""
    is_production: bool | None = None
    """Whether people depend on it, where a person's pattern says; None where there is none."""

    def is_same_account(self, other: AccountContext) -> bool:
        """Return whether both are in one account: its name is the same in any case."""
        return self.account_locator.casefold() == other.account_locator.casefold()


class Option(Frozen):
    """One thing that a person may choose at a pause."""

    id: str
    """The word to answer with: `approve`, or one that a step declares."""
    description: str = ""
    """What choosing it does, for people."""
    requires_confirmation: bool = False
    """True where the choice needs the phrase typed."""
    phrase: Annotated[str, AfterValidator(visible_typed)] | None = None
    """What must be typed, where confirmation is required; as it is shown, so it is compared."""
    sets: dict[str, Any] = Field(default_factory=dict)
    """Inputs that choosing it changes."""

    @property
    def confirmation(self) -> tuple[str, ...]:
        """Return the words of a command that confirm this choice; none where it needs none."""
        if not (self.requires_confirmation and self.phrase):
            return ()
        is_plain = not set(self.phrase) & set('"$`\\!')
        return ("--phrase", f'"{self.phrase}"' if is_plain else shlex.quote(self.phrase))

    def is_confirmed_by(self, typed: str | None) -> bool:
        """Return whether somebody typed the phrase, and there is one."""
        return bool(self.phrase) and visible_typed(typed or "") == self.phrase


class CreatedObject(Frozen):
    """An object that a step made."""

    type: str
    """Snake case: `table`, `masking_policy`."""
    name: str
    """The object's own, without database and schema."""
    fqn: str = ""
    """Its full name as SQL; empty in threads that had only a name."""


RowsAre = Literal["exact", "at_most", "unknown"]
"""How a number of rows is known: counted, a bound, or not at all."""


class ModifiedObject(Frozen):
    """An object whose rows a step changes, or changed."""

    type: str
    """Snake case: `table`, mostly."""
    fqn: str
    """Its full name as SQL."""
    rows: int | None = None
    """Rows inserted, updated and deleted together; None where that is not known."""
    rows_are: RowsAre = "unknown"
    """How `rows` is known."""
    of: int | None = None
    """Rows that it held before, where that is known."""
    how: dict[str, int] = Field(default_factory=dict)
    """What happens to how many of them, where the account tells it apart: `inserted`, `updated`,
    `deleted`; `lost` with their table, `exchanged` for another's, `cut` by a column."""
    restore_point: dict[str, Any] | None = None
    """Where the rows as they were are kept; None where they are not."""


class Untouched(Frozen):
    """Something that a cleanup leaves as it is."""

    fqn: str
    """The object's full name as SQL."""
    why: str
    """A clause that says why, for people: `another session changed its rows`."""


class OrphanedObject(Frozen):
    """Something an aborted thread leaves behind, and the SQL that takes it back."""

    type: str
    """Snake case: `table`, `masking_policy`; `statement` where no object is known."""
    name: str
    """Its full name as SQL; of what has none the statement, shortened."""
    created_in_step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    compensation: str
    """The statements that take it back."""


class ForeseenStatement(Frozen):
    """A statement that an approval lets through."""

    sql: str
    """As it would be sent."""
    role: str | None = None
    """Role it runs as; the session's where None."""
    reads: bool = False
    """Whether it only reads: what is read may differ, what is changed may not."""


class Foreseen(Frozen):
    """A step that an approval lets through, as it was shown; what differs then is asked again."""

    step: str
    """Step id, as the playbook has it: `3`, `3b`."""
    title: str = ""
    """The step's heading, without its number."""
    statements: list[ForeseenStatement] = Field(default_factory=list)
    """In their order; none for a step that is known to be skipped."""
    is_open: bool = False
    """Whether what it sends rests on what a step before it finds."""
    digest: str = ""
    """Of the step as it is written: an edited library is noticed."""


class Redoing(Frozen):
    """What follows from a change of inputs, or of the account: kept as it was said."""

    changed: list[str] = Field(default_factory=list)
    """Inputs that have another value now."""
    steps: list[str] = Field(default_factory=list)
    """Steps that are done again, in the order of the playbook."""
    shown: list[str] = Field(default_factory=list)
    """Other steps whose checkpoint is shown again, because it tells of what changed."""
    dropped: list[str] = Field(default_factory=list)
    """Steps that were done and are no longer part of the plan."""
    inputs: list[str] = Field(default_factory=list)
    """Inputs that are worked out, or asked for, again."""
    probes: bool = False
    """Whether the probes run again."""
    said: str = ""
    """All of it in words, for a person."""
    numbers: bool = False
    """Whether nothing but numbers differs from what was shown."""
