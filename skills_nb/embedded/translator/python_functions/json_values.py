"""JSON values of native functions: read, written, and told apart by type.

Room: embedded. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from functools import wraps
from typing import Any


def read(text: str | None) -> Any:
    """Read a JSON text; NULL stays None."""
    return None if text is None else json.loads(text)


def written(value: Any) -> str | None:
    """Write a value as JSON; None, which stands for SQL's NULL, stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else str(value)


def key(value: Any) -> str:
    """Return what two equal values share; 1 and true do not."""
    return json.dumps(value, sort_keys=True)


def over_json(*plain: int) -> Callable[[Callable[..., Any]], Callable[..., str | None]]:
    """Make a function over values one over JSON texts; NULL anywhere but in `plain` gives NULL.

    `plain` holds the places of arguments that are no JSON.
    """

    def made(function: Callable[..., Any]) -> Callable[..., str | None]:
        @wraps(function)
        def called(*given: Any) -> str | None:
            if any(v is None for i, v in enumerate(given) if i not in plain):
                return None
            return written(function(*(v if i in plain else read(v) for i, v in enumerate(given))))

        return called

    return made
