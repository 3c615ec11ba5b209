"""The parser's front door: the text of one statement becomes one value, which is read from then on.

Room: embedded. Pure. Statements are written in five languages: Scripting, statements about files,
administration, EXPLAIN, and SQL as the general parser knows it. What a session knows of names
(its variables, how it reads quoted ones) is given; the session itself is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser import file_statements, parsing, reading, table_templates
from skills_nb.embedded.session.bound_values import Bindings
from skills_nb.sql import governance
from skills_nb.sql.governance import ast
from skills_nb.sql.identifiers import in_capitals, with_public
from skills_nb.sql.statements import split
from skills_nb.sql.tokens import tokenize

_EXPLAIN = re.compile(r"\s*EXPLAIN\s+(?:USING\s+(?P<form>\w+)\s+)?(?P<statement>.*)", re.I | re.S)
FORMS = ("TABULAR", "JSON", "TEXT")
"""The forms of a plan; the first is taken where none is named."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of Snowflake Scripting."""

    text: str
    """The block as it was written."""


@dataclass(frozen=True, slots=True)
class AnonymousProcedure:
    """`WITH name AS PROCEDURE … CALL name(…)`."""

    text: str
    """The statement as it was written."""


@dataclass(frozen=True, slots=True)
class Explain:
    """EXPLAIN of a query."""

    form: str
    """One of `FORMS`: how the plan is answered."""
    query: exp.Query
    """What is explained; shared, not to be changed."""


@dataclass(frozen=True, slots=True)
class FileWork:
    """A statement about files."""

    statement: file_statements.FileStatement
    """What is done, with which location and options."""


@dataclass(frozen=True, slots=True)
class Administration:
    """A statement of governance or administration."""

    statement: ast.GovernanceStatement
    """As `sql.governance` reads it, its names unqualified as written."""


@dataclass(frozen=True, slots=True)
class FromTemplate:
    """CREATE TABLE … USING TEMPLATE, whose columns a query tells."""

    template: table_templates.Template
    """The text around the columns, and the query."""


@dataclass(frozen=True, slots=True)
class General:
    """What the general parser reads: queries, changes of rows, tables, views, transactions."""

    tree: exp.Expr
    """The statement; shared, not to be changed."""
    clauses: tuple[ast.TableAction, ...]
    """The policy and tag clauses of a CREATE TABLE or CREATE VIEW, which the tree is without."""


What = Block | AnonymousProcedure | Explain | FileWork | Administration | FromTemplate | General


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, parsed."""

    what: What
    """Its family, with what was read of it."""
    sent: str
    """The text as it was sent."""
    bindings: Bindings
    """Values that are still to be put in the place of `?`."""

    @property
    def verb(self) -> str:
        """Say what the statement does as refusals do: `SELECT`, `INSERT`, `CREATE STAGE`."""
        match self.what:
            case General(tree=tree):
                return _verb_of(tree)
            case Administration(statement=asked):
                return _verb_of_administration(asked)
            case FileWork(statement=work):
                return _FILE_VERBS[type(work)]
            case FromTemplate():
                return "CREATE TABLE"
            case Explain():
                return "EXPLAIN"
            case _:
                return "CALL"

    @property
    def is_call(self) -> bool:
        """Tell whether a procedure is called."""
        return isinstance(self.what, Administration) and isinstance(self.what.statement, ast.Call)

    @property
    def ends_transaction(self) -> bool:
        """Tell COMMIT and ROLLBACK from other statements."""
        ends = (exp.Commit, exp.Rollback)
        return isinstance(self.what, General) and isinstance(self.what.tree, ends)


def parse(
    sent: str,
    bindings: Bindings,
    variables: Mapping[str, str],
    *,
    quoted_in_capitals: bool = False,
) -> Statement:
    """Parse the only statement of a text.

    Args:
        sent: the text.
        bindings: the values for `?`, by place.
        variables: session variables as text, for names that they stand for.
        quoted_in_capitals: whether quoted names are read in capitals.

    Raises:
        SqlError: there is none or more than one, it cannot be read, or nothing here knows how.
    """
    text = with_public(single(sent))
    if quoted_in_capitals:
        text = in_capitals(text)
    if file_statements.binds_name(text):
        text, bindings = file_statements.filled(text, bindings), {}
    return Statement(_read(text, bindings, variables), sent, bindings)


_FILE_VERBS: dict[type[Any], str] = {
    file_statements.Put: "PUT",
    file_statements.Get: "GET",
    file_statements.ListFiles: "LIST",
    file_statements.RemoveFiles: "REMOVE",
    file_statements.Load: "COPY",
    file_statements.Unload: "COPY",
}


def _verb_of(tree: exp.Expr) -> str:
    if isinstance(tree, (exp.Query, exp.Values)):
        return "SELECT"
    if isinstance(tree, exp.Create):
        return f"CREATE {tree.args.get('kind', '')}".strip().upper()
    return "TRUNCATE" if isinstance(tree, exp.TruncateTable) else type(tree).__name__.upper()


def _verb_of_administration(statement: ast.GovernanceStatement) -> str:
    if isinstance(statement, ast.CreateClone):
        return f"CREATE {statement.object_kind}"
    if isinstance(statement, ast.Create):
        return f"CREATE {statement.kind}"
    # The class's name begins with the verb: `ShowGrants`, `AlterTable`.
    return re.split(r"(?<=[a-z])(?=[A-Z])", type(statement).__name__)[0].upper()


def single(sql: str) -> str:
    """Return the text's only statement.

    Raises:
        SqlError: it has none (900), or more than one (8).
    """
    found = split(sql)
    if not found:
        raise errors.empty_statement()
    if len(found) > 1:
        raise errors.statement_count(len(found), 1)
    return found[0].text


def _read(text: str, bindings: Bindings, variables: Mapping[str, str]) -> What:
    if reading.is_block(text):
        return Block(text)
    if reading.is_anonymous_procedure(text):
        return AnonymousProcedure(text)
    if (explained := _EXPLAIN.match(text)) is not None:
        return _explain(explained["form"], explained["statement"])
    filled = file_statements.filled(text, bindings)
    if "->>" not in text or all(token.text != "->>" for token in tokenize(text)):
        about_files = file_statements.read(filled, variables)
        if about_files is not None:
            return FileWork(about_files)
    statement = governance.parse(filled, variables)
    if statement is not None:
        return Administration(statement)
    template = table_templates.read(text)
    if template is not None:
        return FromTemplate(template)
    bare, clauses = governance.table_clauses(text, variables)
    return General(parsing.shared_statement(bare), clauses)


def _explain(form: str | None, text: str) -> Explain:
    if form is not None and form.upper() not in FORMS:
        raise errors.syntax(f"syntax error line 1 at position 14 unexpected '{form}'.")
    tree = parsing.shared_statement(text)
    if not isinstance(tree, exp.Query):
        raise errors.unsupported(f"EXPLAIN of {type(tree).__name__.upper()}")
    return Explain(form.upper() if form is not None else FORMS[0], tree)
