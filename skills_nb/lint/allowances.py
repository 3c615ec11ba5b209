"""Findings that an author stands by, with the reason in the text.

Room: lint. An allowance holds for the section that it stands in, above the first heading for the
whole file. Without a reason it allows nothing.
Source: FORMATS; `<!-- lint: allow SK301 because it quotes the manual -->`.
"""

from __future__ import annotations

from collections.abc import Iterator

from skills_nb.model.diagnostics import Span
from skills_nb.model.documents import Allowance, Document, Documents


class Allowances:
    """All allowances of a library, and which of them were needed."""

    def __init__(self, documents: Documents) -> None:
        """Collect those that give a reason."""
        self._scopes: dict[str, list[tuple[Allowance, int, int]]] = {}
        self._used: set[tuple[str, Allowance]] = set()
        for path, document in documents.files.items():
            for allowance in document.allowances:
                if allowance.reason:
                    scope = (allowance, *_scope(document, allowance.line))
                    self._scopes.setdefault(path, []).append(scope)

    def take(self, code: str, span: Span) -> bool:
        """Return whether a finding is allowed, and remember that the allowance was needed."""
        for allowance, first, last in self._scopes.get(span.path, ()):
            if allowance.code == code and first <= span.line <= last:
                self._used.add((span.path, allowance))
                return True
        return False

    def unused(self) -> Iterator[tuple[str, Allowance]]:
        """Yield path and allowance of those that no finding needed."""
        for path, scopes in self._scopes.items():
            yield from (
                (path, allowance)
                for allowance, _, _ in scopes
                if (path, allowance) not in self._used
            )


def _scope(document: Document, line: int) -> tuple[int, int]:
    around = [section for section in document.sections if section.line <= line <= section.end]
    inner = max(around, key=lambda section: section.level, default=None)
    if inner is None or inner.level == 1:
        return 1, document.line_count
    return inner.line, inner.end
