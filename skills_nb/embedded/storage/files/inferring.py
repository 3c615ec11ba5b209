"""Inferring: INFER_SCHEMA.

Room: embedded.

See https://docs.snowflake.com/en/sql-reference/functions/infer_schema
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlglot import exp

from skills_nb.embedded import errors
from skills_nb.embedded.errors import files as wrong
from skills_nb.embedded.parser import stage_locations
from skills_nb.embedded.session.context import Context
from skills_nb.embedded.storage.files import formats
from skills_nb.embedded.storage.files.files import StagedFile
from skills_nb.embedded.storage.files.formats import Format
from skills_nb.embedded.storage.files.opening import opened
from skills_nb.embedded.storage.files.rows import header_of, parquet_table, rows_of
from skills_nb.embedded.types import names
from skills_nb.embedded.types.result_columns import columns_of
from skills_nb.embedded.types.scope import Env
from skills_nb.embedded.types.system_rows import Table
from skills_nb.sql.identifiers import quote

_COLUMNS = "COLUMN_NAME TYPE NULLABLE:b EXPRESSION FILENAMES ORDER_ID:n"
_KNOWN = frozenset({"LOCATION", "FILE_FORMAT", "FILES", "IGNORE_CASE"})
_MOST_FILES = 1000
Types = dict[str, str]


def infer_schema(session: Context, arguments: dict[str, exp.Expr], env: Env) -> Table:
    """Return the columns that staged files seem to have.

    Raises:
        SqlError: an argument is not supported (0A000) or no constant (1014), or there is no file
            (100181).
    """
    for name in arguments:
        if name not in _KNOWN:
            raise errors.unsupported(f"INFER_SCHEMA {name}")
    written = _constant(arguments, "LOCATION")
    stage = opened(session, stage_locations.read(written), "READ", env)
    path = names.typed_path(_constant(arguments, "FILE_FORMAT"))
    form = formats.named(session, path, env.roles, session.qualify(path, env))
    ignores_case = bool(getattr(arguments.get("IGNORE_CASE"), "this", False))
    wanted = _files(arguments)
    listed = stage.named(wanted) if wanted is not None else stage.files()
    if not listed:
        raise wrong.file_missing(written)
    rows = _rows(listed, form, ignores_case=ignores_case)
    return columns_of(_COLUMNS), rows


def _constant(arguments: dict[str, exp.Expr], name: str) -> str:
    node = arguments.get(name)
    if not (isinstance(node, exp.Literal) and node.is_string):
        raise errors.invalid_argument(f"INFER_SCHEMA needs the constant argument {name}")
    return str(node.name)


def _files(arguments: dict[str, exp.Expr]) -> tuple[str, ...] | None:
    """Return the names that FILES lists; None where it is not given."""
    node = arguments.get("FILES")
    if node is None:
        return None
    listed = node.expressions if isinstance(node, exp.Tuple) else [node.unnest()]
    if not all(isinstance(one, exp.Literal) and one.is_string for one in listed):
        raise errors.invalid_argument("INFER_SCHEMA needs constant file names in FILES")
    if len(listed) > _MOST_FILES:
        raise errors.invalid_argument(f"FILES takes at most {_MOST_FILES} file names")
    return tuple(str(one.name) for one in listed)


def _rows(
    listed: list[StagedFile], form: Format, *, ignores_case: bool
) -> tuple[tuple[Any, ...], ...]:
    types: Types = {}
    places: dict[str, list[str]] = {}
    for file in listed:
        for name, kind in _types_of(file, form).items():
            shown = name.upper() if ignores_case else name
            types[shown] = _wider(types.get(shown, kind), kind)
            places.setdefault(shown, []).append(file.name)
    out = []
    for order, (name, kind) in enumerate(types.items()):
        source = f"${order + 1}" if form.type == "CSV" else f"$1:{quote(name)}"
        out.append((name, kind, True, f"{source}::{kind}", ", ".join(places[name]), order))
    return tuple(out)


def _types_of(file: StagedFile, form: Format) -> Types:
    body = file.place.read_bytes()
    if form.type == "PARQUET":
        schema = parquet_table(body, file.name).schema
        return {field.name: _arrow(field.type) for field in schema}
    parsed = rows_of(body, file.name, form)
    found: Types = {}
    if form.type == "CSV":
        header = header_of(parsed) if form.parse_header else ()
        documents = [{_name(header, i): v for i, v in enumerate(row.values)} for row in parsed]
        found = dict.fromkeys(header, "")
    else:
        documents = [
            row.values[0] for row in parsed if row.values and isinstance(row.values[0], dict)
        ]
    for document in documents:
        for name, value in document.items():
            kind = _guess(value)
            found[name] = _wider(found.get(name, kind), kind)
    return {name: kind or "TEXT" for name, kind in found.items()}


def _name(header: tuple[str, ...], index: int) -> str:
    return header[index] if index < len(header) else f"c{index + 1}"


def _arrow(kind: Any) -> str:
    from pyarrow import types  # type: ignore[import-untyped]

    if types.is_integer(kind):
        return "NUMBER(38, 0)"
    if types.is_decimal(kind):
        return f"NUMBER({kind.precision}, {kind.scale})"
    for test, name in (
        (types.is_floating, "REAL"),
        (types.is_boolean, "BOOLEAN"),
        (types.is_date, "DATE"),
        (types.is_time, "TIME"),
        (types.is_binary, "BINARY"),
        (types.is_nested, "VARIANT"),
    ):
        if test(kind):
            return name
    if types.is_timestamp(kind):
        return "TIMESTAMP_NTZ" if kind.tz is None else "TIMESTAMP_LTZ"
    return "TEXT"


def _guess(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "BOOLEAN"
        case int() | Decimal():
            return _number(Decimal(value))
        case dict() | list():
            return "VARIANT"
        case _:
            return _guess_text(str(value))


def _number(value: Decimal) -> str:
    _, digits, exponent = value.as_tuple()
    scale = max(-int(exponent), 0)
    return f"NUMBER({max(len(digits), scale)}, {scale})"


def _guess_text(text: str) -> str:
    if text.lower() in ("true", "false"):
        return "BOOLEAN"
    try:
        number = Decimal(text)
        return _number(number) if number.is_finite() else "TEXT"
    except ArithmeticError:
        pass
    for kind, read in (("DATE", date.fromisoformat), ("TIMESTAMP_NTZ", datetime.fromisoformat)):
        try:
            read(text)
        except ValueError:
            continue
        return kind
    return "TEXT"


def _wider(one: str, other: str) -> str:
    if not one or not other:
        return one or other
    if one == other:
        return one
    if one.startswith("NUMBER") and other.startswith("NUMBER"):
        sizes = [tuple(int(n) for n in kind[7:-1].split(",")) for kind in (one, other)]
        scale = max(s for _, s in sizes)
        whole = max(p - s for p, s in sizes)
        return f"NUMBER({whole + scale}, {scale})"
    return "VARIANT" if "VARIANT" in (one, other) else "TEXT"
