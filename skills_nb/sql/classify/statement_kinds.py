"""Three kinds of statements: read-only, repeatable without harm, once.

Room: sql. Recovery repeats the first two blindly, so a doubt is settled as ONCE.
Source: Snowflake manual, the "Usage notes" of the statements named here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from skills_nb.errors import SqlError
from skills_nb.sql import governance
from skills_nb.sql.classify.kind import Kind
from skills_nb.sql.classify.read_only_queries import only_reads
from skills_nb.sql.governance import ast
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import Token, TokenKind, tokenize

_DEEPEST = 10
_LONGEST_REMEMBERED = 16_000
_QUERY_HEADS = frozenset({"SELECT", "WITH", "VALUES", ""})
_LOOKING_HEADS = frozenset({"LIST", "LS"})
_EXPLAINED = frozenset({*_QUERY_HEADS, "INSERT", "UPDATE", "DELETE", "MERGE", "CREATE"})
_EXPLAINING_FORMS = frozenset({"TABULAR", "JSON", "TEXT"})
_SETTING = (
    ast.AddColumns,
    ast.AddSearchOptimization,
    ast.AlterColumn,
    ast.ClusterBy,
    ast.DropColumns,
    ast.DropSearchOptimization,
    ast.ModifyBody,
    ast.ModifyCondition,
    ast.SetAccounts,
    ast.SetAggregationPolicy,
    ast.SetBody,
    ast.SetColumnMaskingPolicy,
    ast.SetColumnProjectionPolicy,
    ast.SetColumnTags,
    ast.SetExecuteAs,
    ast.SetFlag,
    ast.SetJoinPolicy,
    ast.SetManagedAccess,
    ast.SetProperties,
    ast.SetTagMaskingPolicies,
    ast.SetTags,
    ast.UnsetAggregationPolicy,
    ast.UnsetColumnMaskingPolicy,
    ast.UnsetColumnProjectionPolicy,
    ast.UnsetColumnTags,
    ast.UnsetJoinPolicy,
    ast.UnsetProperties,
    ast.UnsetTagMaskingPolicies,
    ast.UnsetTags,
)


_ORDER = (Kind.READ, Kind.REPEATABLE, Kind.ONCE)


def kind_of(sql: str) -> Kind:
    """Return the kind of one statement, or the most careful of several."""
    return _remembered(sql) if len(sql) <= _LONGEST_REMEMBERED else _of_text(sql, 0)


# A statement's kind is asked where it is planned, shown, rehearsed, sent and looked up again.
@lru_cache(maxsize=1024)
def _remembered(sql: str) -> Kind:
    return _of_text(sql, 0)


def _of_text(sql: str, depth: int) -> Kind:
    if depth > _DEEPEST:
        return Kind.ONCE
    return _most_careful(_of_statement(statement.text, depth) for statement in split(sql))


def _most_careful(kinds: Iterable[Kind]) -> Kind:
    return max(kinds, key=_ORDER.index, default=Kind.READ)


def _of_statement(sql: str, depth: int) -> Kind:
    try:
        statement = governance.parse(sql)
    except (SqlError, RecursionError):
        return Kind.ONCE
    if statement is not None:
        return _of_governance(statement, depth)
    return _of_general(sql)


def _of_governance(statement: ast.GovernanceStatement, depth: int) -> Kind:
    match statement:
        case ast.Show() | ast.ShowGrants() | ast.Describe():
            return Kind.READ
        case ast.Chain(steps=steps):
            return _most_careful(_of_text(step, depth + 1) for step in steps)
        case ast.Call():
            return Kind.READ if _only_classifies(statement) or _only_tells(statement) else Kind.ONCE
        case ast.ExecuteImmediate(text=str(text)):
            return _of_text(text, depth + 1)
        case ast.SetVariables(expressions=expressions):
            kinds = [_of_text(f"SELECT {text}", depth + 1) for text in expressions]
            return Kind.REPEATABLE if set(kinds) <= {Kind.READ} else Kind.ONCE
        case ast.Create():
            # What replaces is never sent twice: others may have used what the first one made.
            is_convergent = statement.or_alter or statement.if_not_exists
            return _repeatable(is_convergent and not statement.or_replace)
        case ast.Alter(actions=actions):
            return _repeatable(all(_sets(action) for action in actions))
        case ast.Drop():
            # By then the name may be somebody else's.
            return Kind.ONCE
        case _:
            return _repeatable(not isinstance(statement, _ACTS))


_ACTS = (ast.Undrop, ast.ExecuteTask, ast.ExecuteAlert, ast.ExecuteImmediate)
"""The rest that does something anew each time; what is left sets something."""


def _repeatable(yes: bool) -> Kind:
    return Kind.REPEATABLE if yes else Kind.ONCE


def _sets(action: ast.Action) -> bool:
    """Tell whether an action leaves the same behind when it is repeated."""
    if isinstance(action, ast.AddColumns):
        return action.if_not_exists
    if isinstance(action, ast.DropColumns):
        return action.if_exists
    return isinstance(action, _SETTING)


def _only_classifies(call: ast.Call) -> bool:
    """Tell `SYSTEM$CLASSIFY` that reports from one that also tags."""
    if call.name != ("SYSTEM$CLASSIFY",) or call.into is not None:
        return False
    options = tokenize(" ".join(call.arguments[1:]))
    is_plain = all(token.kind is not TokenKind.VARIABLE for token in options)
    return is_plain and not any("AUTO_TAG" in token.text.upper() for token in options)


_TELLING_TEXT = (
    "BUDGET_SCOPE LINKED_RESOURCES NOTIFICATION_EMAIL NOTIFICATION_INTEGRATIONS "
    "NOTIFICATION_INTEGRATION_NAME NOTIFICATION_MUTE_FLAG NOTIFICATION_THRESHOLD "
    "REFRESH_TIER SPENDING_LIMIT"
)
_TELLING = frozenset(f"GET_{what}" for what in _TELLING_TEXT.split())
"""Methods of a budget that tell how it is set, and take no arguments.

See https://docs.snowflake.com/en/sql-reference/classes/budget
"""


def _only_tells(call: ast.Call) -> bool:
    """Tell whether a method only says how its budget is set; nobody writes methods of their own."""
    is_method = call.method is not None and call.method.upper() in _TELLING
    return is_method and not call.arguments and call.into is None


def _of_general(sql: str) -> Kind:
    """Classify what the governance parser leaves to others."""
    tokens = tokenize(sql)
    if any(token.kind is TokenKind.BROKEN for token in tokens):
        return Kind.ONCE
    head = tokens[0].word
    if head in _LOOKING_HEADS or (head == "EXPLAIN" and _only_explains(tokens)):
        return Kind.READ
    if head in _QUERY_HEADS:
        return Kind.READ if only_reads(sql) else Kind.ONCE
    if head == "CREATE":
        return _repeatable(_is_guarded(tokens))
    return Kind.ONCE


def _only_explains(tokens: tuple[Token, ...]) -> bool:
    """Tell EXPLAIN of what the account plans without doing it; ANALYZE and CALL would do it."""
    words = [token.word for token in tokens[1:12]]
    if words[:1] == ["USING"] and words[1] in _EXPLAINING_FORMS:
        words = words[2:]
    is_symbol = words[:1] == [""] and all(token.text != "(" for token in tokens[1:4])
    has_procedure = words[:1] == ["WITH"] and words[2:4] == ["AS", "PROCEDURE"]
    return words[0] in _EXPLAINED and not is_symbol and not has_procedure


def _is_guarded(tokens: tuple[Token, ...]) -> bool:
    """Tell whether a CREATE says OR ALTER or IF NOT EXISTS before its name."""
    words = [token.word for token in tokens[:12]]
    if words[1:3] == ["OR", "ALTER"]:
        return True
    kinds = [words.index(kind) for kind in ("TABLE", "VIEW") if kind in words]
    return bool(kinds) and words[min(kinds) + 1 :][:3] == ["IF", "NOT", "EXISTS"]
