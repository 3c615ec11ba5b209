"""Natives: Snowflake functions that no DuckDB expression can say, in Python.

Room: embedded. Pure. DuckDB knows one function, `__native(name, …)`, whose answer is a text: JSON
for semi-structured results, else what a cast around the call reads. No user can call it, since the
dialect refuses functions that it does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from skills_nb.embedded.errors.python_refusals import RefusalError, carried
from skills_nb.embedded.translator.python_functions import (
    arrays,
    documents,
    formats,
    moment_functions,
    objects,
    patterns,
    sketches,
    structured,
    texts,
)
from skills_nb.embedded.translator.python_functions.calls import Call, Named, key_of

__all__ = ["CALL", "CALLS", "REGISTRY", "RefusalError", "answer", "carried"]

CALL = "__native"
"""What DuckDB calls the one function."""

CALLS: Mapping[Named, Call] = {
    **arrays.CALLS,
    **documents.CALLS,
    **objects.CALLS,
    **patterns.CALLS,
    **texts.CALLS,
}
"""Functions of SQL that Python computes."""

REGISTRY: Mapping[str, Callable[..., Any]] = {
    **{key_of(named): call.run for named, call in CALLS.items()},
    **arrays.FUNCTIONS,
    **documents.FUNCTIONS,
    **formats.FUNCTIONS,
    **moment_functions.FUNCTIONS,
    **objects.FUNCTIONS,
    **patterns.FUNCTIONS,
    **sketches.FUNCTIONS,
    **structured.FUNCTIONS,
    **texts.FUNCTIONS,
}


def answer(name: str, *values: Any) -> str | None:
    """Compute one value.

    Raises:
        RefusalError: the function does not take these values; the text carries Snowflake's number.
    """
    read = (moment_functions.seen(v) if isinstance(v, dict) else v for v in values)
    made = REGISTRY[name](*read)
    return None if made is None else str(made)
