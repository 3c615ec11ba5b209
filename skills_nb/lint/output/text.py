"""Diagnostics for people: place, message, the lines around it, the repair.

Room: lint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skills_nb.model.diagnostics import Diagnostic, Severity
from skills_nb.model.documents import Documents
from skills_nb.visible import visible

_AROUND = 1
_WIDTH = 96


def to_text(diagnostics: Sequence[Diagnostic], documents: Documents | None = None) -> str:
    """Return the report; with documents each finding shows the lines around its place."""
    if not diagnostics:
        return "No diagnostics.\n"
    blocks = []
    texts: dict[str, list[str]] = {}
    for diagnostic in diagnostics:
        lines = [_headline(diagnostic)]
        if documents is not None:
            path = diagnostic.span.path
            if path not in texts:
                texts[path] = _lines_of(documents, path)
            lines += _frame(diagnostic, texts[path])
        if diagnostic.hint:
            lines.append(f"  hint: {diagnostic.hint}")
        blocks.append("\n".join(map(visible, lines)))
    separator = "\n\n" if documents is not None else "\n"
    return separator.join(blocks) + f"\n\n{_count(diagnostics)}\n"


def _headline(diagnostic: Diagnostic) -> str:
    warning = "warning: " if diagnostic.severity is Severity.WARNING else ""
    return f"{diagnostic.span}: {diagnostic.code} {warning}{diagnostic.message}"


def _lines_of(documents: Documents, path: str) -> list[str]:
    document = documents.files.get(path)
    return document.text.removesuffix("\n").split("\n") if document and document.text else []


def _frame(diagnostic: Diagnostic, lines: list[str]) -> Iterator[str]:
    """Yield the lines around a place, numbered, with a mark under the column."""
    span = diagnostic.span
    if not 1 <= span.line <= len(lines):
        return
    last = min(span.line + _AROUND, len(lines))
    gutter = len(str(last))
    for number in range(max(1, span.line - _AROUND), last + 1):
        text = lines[number - 1].replace("\t", " ")
        shift = max(0, span.column - _WIDTH) if number == span.line else 0
        mark = ">" if number == span.line else " "
        yield f"{mark} {number:>{gutter}} | {text[shift : shift + _WIDTH]}".rstrip()
        if number == span.line:
            # What is not seen takes the room of its mark.
            before = visible(text[shift : span.column - 1])
            yield f"  {'':>{gutter}} | {' ' * len(before)}{_missing(text, span.column)}^"


def _missing(text: str, column: int) -> str:
    """Return the blanks up to a column that lies behind the end of its line."""
    return " " * max(0, column - 1 - len(text))


def _count(diagnostics: Sequence[Diagnostic]) -> str:
    errors = sum(each.severity is Severity.ERROR for each in diagnostics)
    warnings = len(diagnostics) - errors
    files = len({each.span.path for each in diagnostics})
    return f"{_many(errors, 'error')}, {_many(warnings, 'warning')} in {_many(files, 'file')}."


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
