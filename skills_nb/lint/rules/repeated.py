"""Knowledge that stands in a primitive and in a playbook, word for word.

Room: lint. Sentences and statements are compared by their words, without case and spacing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skills_nb.lint.subject import Subject
from skills_nb.model.diagnostics import Span
from skills_nb.model.documents import Document

MIN_WORDS = 8
_SENTENCE = re.compile(r"[^.!?;\n|]+")
_WORD = re.compile(r"\w+")
_LEADING = re.compile(r"^[\s>*#\d.)-]+")
_SHOWN = 60


def repeated_knowledge(subject: Subject) -> Iterator[tuple[Span, str, Document]]:
    """Yield place in a playbook, the words, and the primitive's file that has them too."""
    known: dict[str, Document] = {}
    for document in _files(subject, "primitives"):
        for key, _, _ in _pieces(document):
            known.setdefault(key, document)
    for document in _files(subject, "playbooks"):
        for key, line, text in _pieces(document):
            if key in known:
                shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
                yield document.span((line, 1)), shown, known[key]


def _files(subject: Subject, folder: str) -> Iterator[Document]:
    for _, document in subject.of_kind(folder):
        yield from subject.files_of(document)


def _pieces(document: Document) -> Iterator[tuple[str, int, str]]:
    """Yield key, line and text of every sentence and every statement that is long enough."""
    for prose in document.prose:
        for line, text in prose.lines():
            for sentence in _SENTENCE.findall(text):
                yield from _piece(_LEADING.sub("", sentence).strip(), line)
    for fence in document.fences:
        if fence.language == "sql" and "{{" not in fence.text and "{%" not in fence.text:
            line = fence.code_line
            for statement in fence.text.split(";"):
                begin = (
                    line
                    + len(statement[: len(statement) - len(statement.lstrip())].split("\n"))
                    - 1
                )
                yield from _piece(" ".join(statement.split()), begin)
                line += statement.count("\n")


def _piece(text: str, line: int) -> Iterator[tuple[str, int, str]]:
    words = _WORD.findall(text.lower())
    if len(words) >= MIN_WORDS:
        yield " ".join(words), line, text
