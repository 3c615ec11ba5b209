"""AI functions: answered by a handler that somebody registered on the account, else refused.

Room: embedded. This account has no model. `Account.answer_ai` registers a handler; it gets the
function's name and arguments as the query may see them, masked values masked, and its answer is
given the type that Snowflake's function has.

See https://docs.snowflake.com/en/user-guide/snowflake-cortex/aisql
See https://docs.snowflake.com/en/user-guide/snowflake-cortex/aisql-privileges-and-access
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

from sqlglot import exp

from skills_nb.embedded.authorizer import access
from skills_nb.embedded.catalog.privileges import USE_AI_FUNCTIONS
from skills_nb.embedded.errors.ai import failed_handler, no_ai_handler, wrong_ai_answer
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.types import names
from skills_nb.embedded.types.data_types import (
    BOOLEAN,
    INTEGER,
    OBJECT,
    REAL,
    SEMI_STRUCTURED,
    TEXT,
    SfType,
)
from skills_nb.embedded.types.inference import data_type
from skills_nb.embedded.types.values import AiCall

_TYPES: dict[str, SfType] = {
    "AI_AGG": TEXT,
    "AI_CLASSIFY": OBJECT,
    "AI_COMPLETE": TEXT,
    "AI_COUNT_TOKENS": INTEGER,
    "AI_EXTRACT": OBJECT,
    "AI_FILTER": BOOLEAN,
    "AI_REDACT": TEXT,
    "AI_SENTIMENT": OBJECT,
    "AI_SIMILARITY": REAL,
    "AI_SUMMARIZE_AGG": TEXT,
    "AI_TRANSLATE": TEXT,
    "MODEL": OBJECT,
    "SNOWFLAKE.CORTEX.CLASSIFY_TEXT": OBJECT,
    "SNOWFLAKE.CORTEX.COMPLETE": TEXT,
    "SNOWFLAKE.CORTEX.COUNT_TOKENS": INTEGER,
    "SNOWFLAKE.CORTEX.EXTRACT_ANSWER": OBJECT,
    "SNOWFLAKE.CORTEX.SENTIMENT": REAL,
    "SNOWFLAKE.CORTEX.SUMMARIZE": TEXT,
    "SNOWFLAKE.CORTEX.TRANSLATE": TEXT,
}
"""What each function returns."""
MODEL = "MODEL"
"""How a handler knows the call of a registered model: its name, version, method and arguments."""
_AGGREGATES = ("AI_AGG", "AI_SUMMARIZE_AGG")
"""These need no privilege on the account."""
FUNCTIONS = tuple(name for name in _TYPES if name != MODEL)


def asked(session: Context, node: exp.Expr, roles: frozenset[str]) -> exp.Expr | None:
    """Return what stands for an AI function, its arguments still to be governed; None for others.

    Raises:
        SqlError: no handler is registered (0A000), or the roles may not use AI functions (3001).
    """
    found = _called(node)
    if found is None:
        return None
    call = answered(session, *found)
    if found[0] not in _AGGREGATES and not access.may_globally(session, USE_AI_FUNCTIONS, roles):
        raise access.refused_by_account(session)
    return call


def answered(session: Context, name: str, arguments: list[exp.Expr]) -> exp.Expr:
    """Return the call of the handler for a function and its arguments.

    Raises:
        SqlError: no handler is registered (0A000).
    """
    if session.account.ai_handler is None:
        raise no_ai_handler(name if name != MODEL else "MODEL(…)!method")
    positional = [a for a in arguments if not isinstance(a, exp.Kwarg)]
    if name in _AGGREGATES:
        positional[:1] = [_own("list", positional[:1])]
    named: list[exp.Expr] = []
    for argument in arguments:
        if isinstance(argument, exp.Kwarg):
            named += [exp.Literal.string(str(argument.this.name).lower()), argument.expression]
    packed = _own("json_object", [_text("p"), _own("json_array", positional), _text("n")])
    packed.append("expressions", _own("json_object", named))
    plain = exp.Cast(this=packed, to=exp.DataType.build("text", dialect="duckdb"))
    return _typed(_own(_registered(session, name), [plain]), _TYPES[name])


def _called(node: exp.Expr) -> tuple[str, list[exp.Expr]] | None:
    """Return the name and arguments of an AI function."""
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Anonymous):
        path = [names.stored(i) for i in node.this.find_all(exp.Identifier)]
        name = ".".join([*path, str(node.expression.name).upper()])
        return (name, node.expression.expressions) if name in FUNCTIONS else None
    if isinstance(node, exp.Anonymous):
        name = str(node.name).upper()
        return (name, node.expressions) if name in FUNCTIONS else None
    if isinstance(node, _PARSED):
        given = [node.this, node.args.get("categories"), node.args.get("expression")]
        given = [*given, *node.expressions, node.args.get("config")]
        return node.sql_name(), [a for a in given if isinstance(a, exp.Expr)]
    return None


_PARSED = (exp.AIAgg, exp.AIClassify, exp.AISimilarity, exp.AISummarizeAgg)


def prompt(node: exp.Expr) -> exp.Expr | None:
    """Return what stands for PROMPT(template, …); None for anything else.

    See https://docs.snowflake.com/en/sql-reference/functions/prompt
    """
    if not (isinstance(node, exp.Anonymous) and str(node.name).upper() == "PROMPT"):
        return None
    template, *rest = node.expressions
    pairs = [_text("template"), template, _text("args"), _own("json_array", rest)]
    return _typed(_own("json_object", pairs), OBJECT)


def _own(name: str, arguments: list[exp.Expr]) -> exp.Anonymous:
    made = exp.Anonymous(this=name, expressions=arguments)
    made.set(names.GOVERNED, True)
    return made


def _text(value: str) -> exp.Expr:
    return exp.Literal.string(value)


def _typed(value: exp.Expr, kind: SfType) -> exp.Expr:
    if kind.kind in SEMI_STRUCTURED:
        return exp.cast(value, exp.DataType.build("json", dialect="duckdb"))
    made = exp.Cast(this=value, to=data_type(kind).copy())
    made.type = data_type(kind)
    return made


def _registered(session: Context, function: str) -> str:
    """Make the function known to DuckDB; it asks whatever handler is registered at the time."""
    account = session.account
    name = f"__ai_{function.replace('.', '_').lower()}"
    if name in account.python_functions:
        return name
    kind = _TYPES[function]

    def run(packed: str) -> Any:
        handler = account.ai_handler
        if handler is None:
            raise no_ai_handler(function)
        given = json.loads(packed)
        try:
            answer = handler(AiCall(function, tuple(given["p"]), given["n"]))
        except Exception as error:
            raise failed_handler(function, error) from error
        return _answer(function, kind, answer)

    run.__dict__["__signature__"] = Signature([Parameter("packed", Parameter.POSITIONAL_ONLY)])
    physical = "VARCHAR" if kind.kind in SEMI_STRUCTURED else kind.physical
    account.store.connection.define(name, run, ["VARCHAR"], physical, side_effects=True)
    account.python_functions.add(name)
    return name


def _answer(function: str, kind: SfType, answer: Any) -> Any:
    """Check a handler's answer against the function's type."""
    if answer is None:
        return None
    fits: Mapping[str, tuple[type, ...]] = {
        "TEXT": (str,),
        "BOOLEAN": (bool,),
        "REAL": (int, float),
        "FIXED": (int,),
        "OBJECT": (dict,),
    }
    wanted = fits[kind.kind]
    if not isinstance(answer, wanted) or (isinstance(answer, bool) and bool not in wanted):
        raise wrong_ai_answer(function, kind.sql, answer)
    return json.dumps(answer, ensure_ascii=False) if kind.kind == "OBJECT" else answer
