"""Small clauses of a SELECT: SAMPLE, ORDER BY ALL, FROM DUAL, and numbers of generated rows.

Room: embedded. Pure.
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.parser.desugar.column_titles import TEXT
from skills_nb.embedded.types import names

_SOURCES = (exp.Table, exp.TableFromRows, exp.Lateral, exp.Values, exp.Subquery)
_METHODS = {"ROW": "BERNOULLI", "BLOCK": "SYSTEM"}
_NUMBERS = (exp.Seq1, exp.Seq2, exp.Seq4, exp.Seq8)
GENERATED = "__SEQ"
"""The column in which GENERATOR numbers its rows."""
SEEDED = "RANDOM!SEEDED"
"""The function of a seed and a row's number that RANDOM(seed) is; nobody can type its name."""


def name_method(node: exp.TableSample) -> None:
    """Call ROW and BLOCK by their other names.

    Raises:
        SqlError: a number of rows is wanted of SYSTEM or BLOCK (0A000).

    See https://docs.snowflake.com/en/sql-reference/constructs/sample
    """
    method = node.args.get("method")
    if method is not None and method.name.upper() in _METHODS:
        node.set("method", exp.var(_METHODS[method.name.upper()]))
    size = node.args.get("size")
    if size is not None and method is not None and method.name.upper() in ("SYSTEM", "BLOCK"):
        raise errors.unsupported("SAMPLE SYSTEM of a number of rows")


def without_parentheses(node: exp.Subquery) -> exp.Expr:
    """Read one source in parentheses, such as (TABLE(f())) or (people) p, as that source.

    DuckDB takes parentheses of a FROM clause around joins and queries alone.
    """
    source = node.this
    is_source = isinstance(node.parent, (exp.From, exp.Join, exp.Subquery))
    if not is_source or not isinstance(source, _SOURCES) or source.args.get("joins"):
        return node
    alias = node.args.get("alias")
    if any(given for part, given in node.args.items() if part not in ("this", "alias")):
        return node
    if isinstance(source, exp.Subquery) and not source.args.get("alias"):
        return node
    if alias is not None:
        source.set("alias", alias)
    return source.pop()


def _is_over_generator(query: exp.Select) -> bool:
    first = query.args.get("from_")
    source = first.this if first is not None else None
    while isinstance(source, exp.Subquery) and not source.args.get("alias"):
        source = source.this
    if not isinstance(source, exp.TableFromRows) or query.args.get("joins"):
        return False
    return isinstance(source.this, exp.Generator)


def number_generated_rows(query: exp.Select) -> None:
    """Read SEQ4() and its like over one GENERATOR as the number of the generated row.

    See https://docs.snowflake.com/en/sql-reference/functions/seq1
    """
    if not _is_over_generator(query):
        return
    for node in list(query.find_all(*_NUMBERS)):
        if node.find_ancestor(exp.Select) is query and node.this is None:
            number: exp.Expr = names.column(GENERATED)
            if node.parent is query and (written := node.meta.get(TEXT)):
                number = exp.alias_(number, str(written).upper(), quoted=True)
            node.replace(number)


def seed_generated_rows(query: exp.Select) -> None:
    """Read RANDOM(seed) over one GENERATOR as a number that the seed and the row decide.

    See https://docs.snowflake.com/en/sql-reference/functions/random
    """
    if not _is_over_generator(query):
        return
    for node in list(query.find_all(exp.Rand)):
        if node.this is not None and node.find_ancestor(exp.Select) is query:
            decided: exp.Expr = exp.Anonymous(
                this=SEEDED, expressions=[node.this.copy(), names.column(GENERATED)]
            )
            if node.parent is query and (written := node.meta.get(TEXT)):
                decided = exp.alias_(decided, str(written).upper(), quoted=True)
            node.replace(decided)


def order_by_all(query: exp.Select) -> None:
    """Order by each column of the result in turn.

    Raises:
        SqlError: the query selects `*` (0A000).

    See https://docs.snowflake.com/en/sql-reference/constructs/order-by
    """
    order = query.args.get("order")
    if order is None or len(order.expressions) != 1:
        return
    (key,) = order.expressions
    column = key.this
    if not isinstance(column, exp.Column) or names.stored(column.this) != "ALL":
        return
    if column.this.args.get("quoted") or column.args.get("table") is not None:
        return
    if query.is_star:
        raise errors.unsupported("ORDER BY ALL with *")
    places = range(1, len(query.expressions) + 1)
    listed = [key.copy() for _ in places]
    for one, place in zip(listed, places, strict=True):
        one.set("this", exp.Literal.number(place))
    order.set("expressions", listed)


def without_dual(query: exp.Select) -> None:
    """Read no table where DUAL stands, which has one row and no columns of use.

    See https://docs.snowflake.com/en/sql-reference/sql/select
    """
    first = query.args.get("from_")
    source = first.this if first is not None else None
    if not isinstance(source, exp.Table) or query.args.get("joins") or source.args.get("db"):
        return
    if names.stored(source.this) == "DUAL" and not source.this.args.get("quoted"):
        query.set("from_", None)


def check_set_operation(node: exp.SetOperation) -> None:
    """Refuse ALL and BY NAME where only UNION takes them.

    See https://docs.snowflake.com/en/sql-reference/operators-query

    Raises:
        SqlError: INTERSECT, EXCEPT or MINUS is followed by such a word (1003).
    """
    if isinstance(node, exp.Union):
        return
    if node.args.get("distinct") is False:
        raise errors.syntax("syntax error: unexpected 'ALL'.")
    if node.args.get("by_name"):
        raise errors.syntax("syntax error: unexpected 'BY'.")


def keep_rows(join: exp.Join) -> None:
    """Let a LEFT JOIN of what is LATERAL keep its rows where it says no condition.

    See https://docs.snowflake.com/en/sql-reference/constructs/join-lateral
    """
    is_open = join.args.get("on") is None and not join.args.get("using")
    is_lateral = isinstance(join.this, (exp.Lateral, exp.TableFromRows))
    if join.side == "LEFT" and is_open and is_lateral and join.method != "NATURAL":
        join.set("on", exp.true())
