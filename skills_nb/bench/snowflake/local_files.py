"""The files of PUT and GET in an answer: a scratch folder, as if it were the whole machine.

Room: work (bench). `file:///tmp/x` is `tmp/x` in the scratch folder, whatever stands at that place
on this machine; nothing leads out of it. A statement whose file cannot be told is refused.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from skills_nb.errors import SqlError
from skills_nb.sql.tokens import TokenKind, literal, scan, unescape

_URL = re.compile(r"file://(?P<path>.*)", re.IGNORECASE | re.DOTALL)
_OF_THE_MACHINE = re.compile(
    r"/(?:etc|proc|sys|root|home|var|dev|usr|boot|run)(?:/|\Z)|~|.*(?:\A|/)\.[^/.]"
)
"""Places that no answer has put anything in; hidden files among them."""


@dataclass(slots=True)
class LocalFiles:
    """What an answer may take for its machine's files."""

    root: Path
    """The scratch folder."""
    tried: list[str] = field(default_factory=list)
    """What the answer reached for that is not its own, a sentence each."""

    def contained(self, statement: str, line: int = 1) -> str:
        """Return a statement whose files are in the scratch folder; others stay as they are.

        Args:
            statement: one statement.
            line: where it stands in the answer.

        Raises:
            SqlError: it moves files, and which ones cannot be told.
        """
        verb, words = _moving(statement)
        if not verb:
            return statement
        chosen = [word for word in words if _URL.match(_plain(word.text))]
        if len(chosen) != 1:
            raise SqlError(
                f"{verb} of an answer names one file as file://…, in its own text", errno=253002
            )
        word = chosen[0]
        path = _path_of(_plain(word.text))
        if _OF_THE_MACHINE.match(path) or ".." in path.split("/"):
            self.tried.append(f"line {line}: {verb} reaches for {path}")
        if "%" in path or "\\" in path:
            raise SqlError(f"{verb} of an answer cannot reach {path}", errno=253002)
        # Whatever leads upwards ends at the scratch folder, as it would at the root.
        place = self.root / os.path.normpath("/" + path.lstrip("/")).lstrip("/")
        if verb == "GET":
            place.mkdir(parents=True, exist_ok=True)
        ending = "/" if path.endswith("/") else ""
        url = literal(f"file://{place}{ending}")
        return statement[: word.start] + url + statement[word.end :]

    def told(self, message: str) -> str:
        """Return what the account says, in the answer's own words for its files."""
        return message.replace(str(self.root), "")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int


def _moving(statement: str) -> tuple[str, list[_Word]]:
    """Return PUT or GET where a statement is one, and its words, each as far as it reaches."""
    tokens = [t for t in scan(statement) if t.kind is not TokenKind.COMMENT]
    first = next((t for t in tokens if t.kind is TokenKind.WORD), None)
    verb = first.word if first is not None else ""
    if verb not in ("PUT", "GET"):
        return "", []
    words: list[_Word] = []
    for token in tokens:
        if token.kind in (TokenKind.SPACE, TokenKind.END):
            continue
        is_going_on = words and words[-1].end == token.start
        if is_going_on and token.kind is not TokenKind.STRING:
            last = words.pop()
            words.append(_Word(statement[last.start : token.end], last.start, token.end))
        else:
            words.append(_Word(token.text, token.start, token.end))
    return verb, words


def _path_of(url: str) -> str:
    """Return the path of a URL as whoever moves the files will read it."""
    found = _URL.fullmatch(url)
    assert found is not None, "it was chosen for this"
    return unquote(found["path"])


def _plain(word: str) -> str:
    return unescape(word[1:-1]) if word.startswith("'") and word.endswith("'") else word


@contextmanager
def scratch() -> Iterator[LocalFiles]:
    """Yield the files of one run of an answer; nothing of them is left."""
    with tempfile.TemporaryDirectory(prefix="skills-nb-scratch-") as folder:
        root = Path(os.path.realpath(folder))
        (root / "tmp").mkdir()
        yield LocalFiles(root)
