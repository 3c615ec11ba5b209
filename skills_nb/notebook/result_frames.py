"""What a query found, as a DataFrame: the value of `%skill sql` and `%%sql`.

Room: doors (notebook). pandas comes with the first value, matplotlib with the first plot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from skills_nb.errors import UsageError

if TYPE_CHECKING:
    from skills_nb.ports import QueryRows

_WHOLE = 2**63


def has_pandas() -> bool:
    """Tell whether values can be made here."""
    return find_spec("pandas") is not None


def frame_of(rows: QueryRows, is_shown: Callable[[], bool]) -> Any:
    """Return a query's rows as a DataFrame.

    Args:
        rows: what was found.
        is_shown: tells whether the cell that made it shows it already, so that it is not shown
            twice.

    Raises:
        UsageError: pandas is not installed.
    """
    if not has_pandas():
        raise UsageError("pandas is not installed", hint='pip install "skills-nb[lab]"')
    import pandas  # type: ignore[import-untyped]

    types = rows.types or ("TEXT",) * len(rows.columns)
    columns = [
        _column(pandas, types[place], [row[place] for row in rows.rows])
        for place in range(len(rows.columns))
    ]
    plain = pandas.concat(columns, axis=1) if columns else pandas.DataFrame()
    plain.columns = list(rows.columns)
    made = _kind()(plain)
    made.attrs["is_shown"] = is_shown
    return made


def _column(pandas: Any, kind: str, values: list[Any]) -> Any:
    return _READERS.get(kind, _as_it_is)(pandas, values)


def _as_it_is(pandas: Any, values: list[Any]) -> Any:
    return pandas.Series(values, dtype=object)


def _numbers(pandas: Any, values: list[Any]) -> Any:
    """Keep whole numbers whole, whatever their size; those with decimals are floats."""
    if any(isinstance(value, str) for value in values):
        return pandas.Series([None if v is None else float(v) for v in values], dtype="float64")
    present = [value for value in values if value is not None]
    if any(not -_WHOLE <= value < _WHOLE for value in present):
        return pandas.Series(values, dtype=object)
    return pandas.Series(values, dtype="int64" if len(present) == len(values) else "Int64")


def _floats(pandas: Any, values: list[Any]) -> Any:
    return pandas.Series([None if v is None else float(v) for v in values], dtype="float64")


def _flags(pandas: Any, values: list[Any]) -> Any:
    return pandas.Series(values, dtype="boolean" if None in values else "bool")


def _moments(pandas: Any, values: list[Any]) -> Any:
    try:
        return pandas.Series(
            pandas.to_datetime(pandas.Series(values, dtype=object), format="ISO8601")
        )
    except (ValueError, TypeError):  # years beyond those of 64 bits, or several offsets
        return pandas.Series(values, dtype=object)


_READERS: Mapping[str, Callable[[Any, list[Any]], Any]] = {
    "FIXED": _numbers,
    "REAL": _floats,
    "BOOLEAN": _flags,
    "DATE": _moments,
    "TIMESTAMP_NTZ": _moments,
    "TIMESTAMP_LTZ": _moments,
    "TIMESTAMP_TZ": _moments,
}
"""By the connector's name of a type; texts, times, bytes and documents stay as they are told."""


@lru_cache(maxsize=1)
def _kind() -> type[Any]:
    """Return the class of these frames: pandas' own, which is not shown twice and plots clearly."""
    import pandas

    class Rows(pandas.DataFrame):  # type: ignore[misc]
        """Rows of a query; whatever is made of them is a plain DataFrame."""

        @property
        def _constructor(self) -> Any:
            return pandas.DataFrame

        @property
        def plot(self) -> Any:
            """Plot the numbers among the columns, as pandas does.

            Raises:
                UsageError: matplotlib is not installed, or no column holds numbers.
            """
            if find_spec("matplotlib") is None:
                raise UsageError("matplotlib is not installed", hint="pip install matplotlib")
            if not len(self.select_dtypes("number").columns):
                raise UsageError("no column holds numbers to plot", hint="cast one: AMOUNT::FLOAT")
            return pandas.DataFrame(self).plot

        def _ipython_display_(self) -> None:
            if self.attrs["is_shown"]():
                return
            from IPython.display import display

            display(pandas.DataFrame(self))

    return Rows
