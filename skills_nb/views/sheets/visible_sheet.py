"""A sheet as it may be shown: whatever would not be seen on the screen is a mark.

Room: laws (views). Both renderers begin here, so no view can forget it: every text of every block
passes, a new block's as well. A text stands on one line unless this page says otherwise, so that a
line break in a name does not begin a line of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from skills_nb.views.sheets import blocks as b
from skills_nb.visible import visible, visible_lines, visible_page

_T = TypeVar("_T")
_Shows = Callable[[str], str]

_OTHERWISE: dict[tuple[type, str], _Shows] = {
    (b.Notice, "text"): visible_lines,
    (b.Paragraph, "text"): visible_lines,
    (b.Bullets, "items"): visible_lines,
    (b.StepLine, "status"): visible_lines,
    (b.StepLine, "detail"): visible_lines,
    (b.Choice, "description"): visible_lines,
    (b.Code, "text"): visible_lines,
    (b.LogLine, "code"): visible_lines,
    (b.Verbatim, "text"): visible_page,
    (b.Picture, "svg"): visible_page,
    (b.Picture, "text"): visible_lines,
}
"""Texts that have lines; all of them are set in or framed, but for those laid out by others."""


def make_visible(sheet: b.Sheet) -> b.Sheet:
    """Return the sheet with every text in it visible."""
    return _block(sheet)


def _block(block: _T) -> _T:
    changed = {}
    kind: type = type(block)
    for name, shows in _texts_of(kind):
        value = getattr(block, name)
        seen = _value(value, shows)
        if seen is not value:
            changed[name] = seen
    return replace(block, **changed) if changed else block  # type: ignore[type-var]


@cache
def _texts_of(kind: type) -> tuple[tuple[str, _Shows], ...]:
    """Return the fields of a block, each with how its texts are shown."""
    return tuple((f.name, _OTHERWISE.get((kind, f.name), visible)) for f in fields(kind))


def _value(value: Any, shows: _Shows) -> Any:
    if isinstance(value, str):
        seen = shows(value)
        return value if seen == value else seen
    if isinstance(value, tuple):
        parts = [_value(part, shows) for part in value]
        is_same = all(new is old for new, old in zip(parts, value, strict=True))
        return value if is_same else tuple(parts)
    return _block(value) if is_dataclass(value) else value
