"""Directory to text: which files belong to a library, and their bytes as text.

Room: reading. What cannot be read is a diagnostic and an empty text; nothing is raised.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from skills_nb.model.diagnostics import Diagnostic, Span
from skills_nb.model.library import FOLDERS, ROOT_FILES

MAX_BYTES = 1 << 20
"""Larger files are not read: 500 lines of Markdown are far below it."""
MAX_DEPTH = 6
_SKIPPED = ("__pycache__", "node_modules")
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file of the library as text, with what is wrong with its bytes."""

    path: str
    """Relative to the root, behind the overlay's prefix."""
    text: str
    """Decoded as UTF-8, with newlines and without a byte order mark."""
    digest: bytes
    """Of the bytes as they are in the file."""
    problems: tuple[Diagnostic, ...] = ()
    """Bytes that are no UTF-8, and the like; empty for a sound file."""

    @property
    def is_text(self) -> bool:
        """Return whether it is read at all."""
        return self.path.endswith((".md", ".yaml"))


def read_tree(root: Path, prefix: str = "") -> tuple[RawFile, ...]:
    """Return every file of the library under `root`, sorted by path."""
    base = os.path.realpath(root)
    found = [(name, os.path.join(base, name)) for name in ROOT_FILES]
    entries = [pair for pair in found if os.path.lexists(pair[1])]
    for folder in FOLDERS:
        entries.extend(_walk(base, folder, (base,)))
    return tuple(_read(base, prefix, relative, full) for relative, full in sorted(entries))


def digest_of(files: Iterable[RawFile]) -> str:
    """Return one sha256 over paths and contents; line ends and byte order marks do not count."""
    total = hashlib.sha256()
    for file in sorted(files, key=lambda each: each.path):
        total.update(f"{file.path}\0".encode("utf-8", "surrogateescape"))
        total.update(file.digest)
    return total.hexdigest()


def _walk(base: str, relative: str, above: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield relative and full path of the files below a folder; a link back up is yielded too."""
    full = os.path.join(base, relative)
    real = os.path.realpath(full)
    if real in above or not _inside(base, real) or len(above) > MAX_DEPTH:
        yield relative, full
        return
    try:
        entries = sorted(os.scandir(full), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError:
        yield relative, full
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in _SKIPPED:
            continue
        below = f"{relative}/{entry.name}"
        if os.path.isdir(entry.path) and not entry.name.endswith(".md"):
            yield from _walk(base, below, (*above, real))
        else:
            yield below, entry.path


def _inside(base: str, real: str) -> bool:
    return real == base or real.startswith(base.rstrip(os.sep) + os.sep)


def _read(base: str, prefix: str, relative: str, full: str) -> RawFile:
    path = prefix + relative
    refusal = _refusal(base, path, full)
    if refusal is not None:
        return RawFile(path, "", hashlib.sha256(refusal.message.encode()).digest(), (refusal,))
    try:
        with open(full, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        problem = _unreadable(path, error)
        return RawFile(path, "", b"\0" * 32, (problem,))
    return _decode(path, data)


def _unreadable(path: str, error: OSError) -> Diagnostic:
    return Diagnostic(
        "SK001",
        Span(path),
        f"the file cannot be read: {error.strerror}",
        "Make it readable for your user.",
    )


def _refusal(base: str, path: str, full: str) -> Diagnostic | None:
    real = os.path.realpath(full)
    try:
        info = os.stat(full)
    except OSError as error:
        if os.path.islink(full):
            return _bad_link(path, f"the link leads nowhere ({error.strerror})")
        return _unreadable(path, error)
    if not _inside(base, real):
        return _bad_link(path, "the link leads out of the library")
    if stat.S_ISDIR(info.st_mode):
        return _bad_folder(path, full)
    if not stat.S_ISREG(info.st_mode):
        return Diagnostic("SK001", Span(path), "not a regular file", "Put a text file here.")
    if info.st_size > MAX_BYTES:
        return _too_large(path, info.st_size)
    return None


def _bad_folder(path: str, full: str) -> Diagnostic:
    if os.path.islink(full):
        return _bad_link(path, "the link leads back to a folder that contains it")
    if not os.access(full, os.R_OK | os.X_OK):
        hint = "Make it readable for your user."
        return Diagnostic("SK001", Span(path), "the folder cannot be read", hint)
    return Diagnostic(
        "SK001",
        Span(path),
        "not read: a folder where a file belongs, or nested too deeply",
        "Keep skills at {type}/{name}/.",
    )


def _bad_link(path: str, message: str) -> Diagnostic:
    return Diagnostic("SK004", Span(path), message, "Replace the link with the file itself.")


def _too_large(path: str, size: int) -> Diagnostic:
    return Diagnostic(
        "SK003",
        Span(path),
        f"the file has {size} bytes; files over {MAX_BYTES} bytes are not read",
        "Split it into examples/ and steps/ beside it.",
    )


def _decode(path: str, data: bytes) -> RawFile:
    if len(data) > MAX_BYTES:
        problem = _too_large(path, len(data))
        return RawFile(path, "", hashlib.sha256(data).digest(), (problem,))
    plain = data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    digest = hashlib.sha256(plain).digest()
    try:
        return RawFile(path, plain.decode("utf-8"), digest)
    except UnicodeDecodeError as error:
        if data.startswith(_WIDE_MARKS):
            problem = _not_utf8(path, 1, 1, "the file is UTF-16")
            return RawFile(path, "", digest, (problem,))
        before = plain[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        byte = f"0x{plain[error.start]:02x}"
        problem = _not_utf8(path, line, column, f"byte '{byte}' is not valid UTF-8")
        return RawFile(path, plain.decode("utf-8", "replace"), digest, (problem,))


def _not_utf8(path: str, line: int, column: int, message: str) -> Diagnostic:
    return Diagnostic("SK002", Span(path, line, column), message, "Save the file as UTF-8.")
