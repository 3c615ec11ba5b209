"""Data that have types already: a DataFrame, a Parquet file.

Room: commands (loads). pandas and pyarrow are asked for only here, and only when they are needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skills_nb.commands.loads.tabled import Tabled
from skills_nb.errors import UsageError

_HINT = 'pip install "snowflake-snowpark-python[pandas]"'


def is_frame(value: Any) -> bool:
    """Tell whether a value of the notebook's is a DataFrame, or becomes one."""
    return _is_pandas(value) or callable(getattr(value, "to_pandas", None))


def _is_pandas(value: Any) -> bool:
    return type(value).__module__.split(".")[0] == "pandas" or hasattr(value, "iloc")


def read_frame(frame: Any, name: str) -> Tabled:
    """Read a DataFrame: of pandas, or of what becomes one by `to_pandas`.

    Raises:
        UsageError: it has no columns.
    """
    if not _is_pandas(frame):
        frame = frame.to_pandas()
    if not hasattr(frame, "columns"):
        frame = frame.to_frame()  # a Series
    if not len(frame.columns):
        raise UsageError(f"'{name}' has no columns", hint="nothing was created")
    columns = [_values(frame.iloc[:, place]) for place in range(len(frame.columns))]
    notes: tuple[str, ...] = ()
    if type(frame.index).__name__ != "RangeIndex":
        notes = (f"The index of '{name}' is not loaded; {name}.reset_index() makes it a column.",)
    return Tabled(
        source=name,
        names=tuple(_called(column) for column in frame.columns),
        rows=tuple(zip(*columns, strict=True)),
        numbers=tuple(range(1, len(frame) + 1)),
        is_text=False,
        notes=notes,
    )


def _called(column: Any) -> str:
    if isinstance(column, tuple):  # of several levels
        return "_".join(str(part) for part in column if str(part))
    return str(column)


def _values(series: Any) -> list[Any]:
    missing = series.isna().tolist()
    return [None if gone else value for value, gone in zip(series.tolist(), missing, strict=True)]


def read_parquet(path: Path, source: str) -> Tabled:
    """Read a Parquet file.

    Raises:
        UsageError: it is none, or the package that reads it is not installed.
    """
    try:
        import pyarrow  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ModuleNotFoundError as problem:
        raise UsageError(f"'{problem.name}' is not installed", hint=_HINT) from problem
    try:
        table = parquet.read_table(path)
    except (pyarrow.ArrowException, OSError, ValueError) as problem:
        said = str(problem).splitlines()[0]
        raise UsageError(f"{source} cannot be read as Parquet: {said}") from problem
    columns = [table.column(place).to_pylist() for place in range(table.num_columns)]
    names = tuple(table.column_names)
    rows = tuple(zip(*columns, strict=True))
    return Tabled(source, names, rows, tuple(range(1, table.num_rows + 1)), False)
