"""The JSON shape that scripts rely on.

Room: lint. Source: FORMATS, One grammar.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skills_nb.model.diagnostics import Diagnostic


def to_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """Return `{diagnostics: [{path, line, column, code, severity, message, hint}]}`."""
    return {"diagnostics": [each.to_dict() for each in diagnostics]}
