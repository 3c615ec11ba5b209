"""Which lines of a Markdown text a page may hide: those inside of HTML that folds or hides them.

Room: reading. A fence is a fence there, too: its code would run, and nobody who reads the page
would have seen it. A comment that begins in a list or a quotation ends with it for Markdown, and
goes on for a browser.
Source: CommonMark 0.31, HTML blocks and Raw HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_MARKUP = re.compile(
    r"(?<!\\)<!--|-->|<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*)"
    r"(?P<rest>(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?/?)>"
)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]{0,2000}?(?<!`)\1(?!`)")
_HIDING_TEXT = (
    "audio canvas datalist del details dialog font head iframe math noembed noframes noscript "
    "object s script select strike style svg template textarea title video xmp"
)
_HIDING = frozenset(_HIDING_TEXT.split())
"""Elements whose content a page folds, hides, strikes out or draws in another way."""
_ATTRIBUTE = re.compile(r"(?<![\w-])(?:hidden|style|class|inert|aria-hidden)(?![\w-])", re.I)
_VOID_TEXT = "area base br col embed hr img input link meta param source track wbr"
_VOID = frozenset(_VOID_TEXT.split())
_COMMENT = "<!--"


def hiding_html(lines: list[str], fences: Iterable[tuple[int, int]]) -> Mapping[int, str]:
    """Return, by the number of its line, the HTML around a fence that may hide it.

    Args:
        lines: the text.
        fences: first and last line of every fence, 0-based, in order.
    """
    places = list(fences)
    if not places or not any("<" in line for line in lines):
        return {}
    found: dict[int, str] = {}
    opened: list[tuple[str, bool]] = []
    begin = 0
    for first, last in places:
        opened = _read("\n".join(lines[begin:first]), opened)
        around = next((name for name, hides in reversed(opened) if hides), None)
        if around is not None:
            found[first] = around if around == _COMMENT else f"<{around}>"
        begin = last
    return found


def _read(text: str, opened: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return what is open behind a text: elements from the outermost, and whether they hide."""
    still = list(opened)
    for tag in _MARKUP.finditer(_CODE_SPAN.sub("", text)):
        is_comment = bool(still) and still[-1][0] == _COMMENT
        if is_comment or tag[0] == "-->":
            if is_comment and tag[0] == "-->":
                still.pop()
        elif tag[0] == _COMMENT:
            still.append((_COMMENT, True))
        else:
            _take(tag, still)
    return still


def _take(tag: re.Match[str], still: list[tuple[str, bool]]) -> None:
    name = tag["name"].lower()
    if tag["end"]:
        names = [each for each, _ in still]
        if name in names:
            del still[len(names) - 1 - names[::-1].index(name) :]
    elif name not in _VOID:
        still.append((name, name in _HIDING or bool(_ATTRIBUTE.search(tag["rest"]))))
