"""The front door: a table of statement heads.

Room: sql. A head that is not in the table is not ours, and neither is what a reader gives back as
None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

from skills_nb.sql.governance import ast
from skills_nb.sql.governance.alter import read_alter
from skills_nb.sql.governance.create import read_create
from skills_nb.sql.governance.grants import read_grant, read_revoke
from skills_nb.sql.governance.reader import Reader, SqlSyntaxError
from skills_nb.sql.governance.session import (
    read_call,
    read_comment,
    read_drop,
    read_execute,
    read_set,
    read_undrop,
    read_unset,
    read_use,
)
from skills_nb.sql.governance.show import read_describe, read_show
from skills_nb.sql.tokens import leading_tokens

_HEADS: dict[str, Callable[[Reader], ast.GovernanceStatement | None]] = {
    "ALTER": read_alter,
    "CALL": read_call,
    "COMMENT": read_comment,
    "CREATE": read_create,
    "DESC": read_describe,
    "DESCRIBE": read_describe,
    "DROP": read_drop,
    "EXECUTE": read_execute,
    "GRANT": read_grant,
    "REVOKE": read_revoke,
    "SET": read_set,
    "SHOW": read_show,
    "UNDROP": read_undrop,
    "UNSET": read_unset,
    "USE": read_use,
}
_UNCHAINED = frozenset({"ALTER", "BEGIN", "CREATE", "DECLARE"})


def parse(sql: str, variables: Mapping[str, str] | None = None) -> ast.GovernanceStatement | None:
    """Read one governance or administration statement.

    Args:
        sql: One statement; a `;` behind it is allowed.
        variables: Session variables by stored name, for `IDENTIFIER($v)` and `KEY = $v`.

    Returns:
        The statement, or None where it is not of this family and goes to the general SQL parser.

    Raises:
        SqlSyntaxError: it begins as one of ours and cannot be read.
        SqlError: it names a session variable that is not set.
    """
    if leading_tokens(sql, 1)[0].word not in _HEADS and "->>" not in sql:
        return None
    return _read_once(sql) if not variables or "$" not in sql else _read(sql, variables)


@lru_cache(maxsize=4096)
def _read_once(sql: str) -> ast.GovernanceStatement | None:
    # A statement is classified, looked through for what it changes, and run: read once, it is a
    # value that nobody can change.
    return _read(sql, {})


def _read(sql: str, variables: Mapping[str, str]) -> ast.GovernanceStatement | None:
    return parse_with(Reader(sql, variables))


def parse_with(r: Reader) -> ast.GovernanceStatement | None:
    """Read one statement with a reader of one's own, which may note what it meets.

    Raises:
        SqlSyntaxError: as `parse`.
    """
    try:
        return _parse(r)
    except RecursionError as error:
        raise SqlSyntaxError(
            f"the statement is nested too deeply line {r.place(r.token)}."
        ) from error


def _parse(r: Reader) -> ast.GovernanceStatement | None:
    head = r.token.word
    if head not in _UNCHAINED and (chain := _read_chain(r)) is not None:
        return chain
    read = _HEADS.get(head)
    statement = read(r) if read is not None else None
    if statement is not None:
        r.finish()
    return statement


def _read_chain(r: Reader) -> ast.Chain | None:
    """Cut the text at every `->>`; None where there is none."""
    if "->>" not in r.sql:
        return None
    cuts = [i for i, token in enumerate(r.tokens) if token.text == "->>"]
    if not cuts:
        return None
    bounds = [-1, *cuts, len(r.tokens) - 1]
    steps = tuple(r.between(a + 1, b).rstrip("; \n") for a, b in pairwise(bounds))
    if not all(steps):
        r.fail(r.tokens[bounds[steps.index("") + 1]])
    return ast.Chain(steps)
