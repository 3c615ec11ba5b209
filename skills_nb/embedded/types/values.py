"""Values that sessions hand out: columns, results, and who the account is.

Room: embedded. Frozen, no behaviour beyond reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skills_nb.embedded.types.data_types import SfType


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a result, as the connector's `cursor.description` will show it."""

    name: str
    """The name, in the case that Snowflake would print."""
    type: SfType
    """Kind, precision, scale and length."""
    nullable: bool = True
    """False where the column cannot hold NULL."""


@dataclass(frozen=True, slots=True)
class Result:
    """What one statement gave back."""

    columns: tuple[Column, ...]
    """In select order."""
    rows: Sequence[tuple[Any, ...]]
    """Python values: int, Decimal, float, str, bool, date, time, datetime, None."""
    statement_type: str
    """Snowflake's query type: SELECT, INSERT, CREATE_TABLE, …"""
    row_count: int
    """Rows returned by a query, or touched by a change."""
    query_id: str = ""
    """The statement's id in the query history."""
    transfer: Mapping[str, Any] | None = None
    """What the client is to do with files, for PUT and GET."""
    given_back: Mapping[int, tuple[Any, SfType]] = field(default_factory=dict)
    """What a procedure left in its OUT arguments, by the argument's place in the call."""


@dataclass(frozen=True, slots=True)
class AccountInfo:
    """Who this account says it is."""

    locator: str = "EMBEDDED"
    """What CURRENT_ACCOUNT() answers."""
    name: str = "EMBEDDED"
    """What CURRENT_ACCOUNT_NAME() answers."""
    organization: str = "SKILLS_NB"
    """What CURRENT_ORGANIZATION_NAME() answers."""
    region: str = "EMBEDDED_LOCAL"
    """What CURRENT_REGION() answers."""
    edition: str = "ENTERPRISE"
    """Governance features need Enterprise."""
    version: str = "9.30.0"
    """What CURRENT_VERSION() answers."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A handler's answer before the session dresses it as a `Result`."""

    columns: tuple[Column, ...]
    """What the client is told of the rows."""
    rows: Sequence[tuple[Any, ...]]
    """One value for each column; Python's types, or texts where only a text is exact."""
    statement_type: str
    """As QUERY_HISTORY names it: `SELECT`, `CREATE_TABLE_AS_SELECT`, …."""
    row_count: int
    """Rows answered or changed."""
    touched: tuple[Any, ...] = field(default=())
    """Objects read or written, for the access history."""
    transfer: Mapping[str, Any] | None = None
    """What the client is to do with files, for PUT and GET."""
    given_back: Mapping[int, tuple[Any, SfType]] = field(default_factory=dict)
    """What a procedure left in its OUT arguments, by the argument's place in the call."""


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A result that RESULT_SCAN can read again."""

    user_id: int
    """Number of the user who may read it again."""
    role: str | None
    """The role that it was made with, which has to be active; None for PUBLIC."""
    columns: tuple[Column, ...]
    """As the client was told."""
    rows: Sequence[tuple[Any, ...]]
    """As the client was told."""


@dataclass(frozen=True, slots=True)
class AiCall:
    """One call of an AI function, for the handler that somebody registered."""

    function: str
    """`AI_COMPLETE`, `SNOWFLAKE.CORTEX.SUMMARIZE`, …."""
    arguments: tuple[Any, ...]
    """Positional arguments as JSON values; of an aggregate the first is the list of values."""
    named: Mapping[str, Any] = field(default_factory=dict)
    """Arguments written as `name => value`, by lower-case name."""


AiHandler = Callable[[AiCall], Any]
"""Answers a call: text, a boolean, a number or a mapping, as the function returns."""
