"""Files: the folders behind stages.

Room: embedded. The only module here that touches the file system. A folder is named by numbers, not
by what users write; links are not followed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from skills_nb.embedded import errors
from skills_nb.embedded.session.transfer_doors import TransferDoors

FOLDER = "stages"
_CHUNK = 1 << 20
_LONGEST_NAME, _LONGEST_PATH = 255, 4000
_UNFIT = (errno.ENAMETOOLONG, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.EINVAL)
"""What a system says of a name that it cannot give a file."""


@dataclass(frozen=True, slots=True)
class StagedFile:
    """One file in a stage."""

    name: str
    """Path within the stage, with slashes."""
    place: Path
    """Where it is on disk."""
    size: int
    """In bytes, as it is stored."""
    modified: datetime
    """When it was put there, UTC."""

    @property
    def digest(self) -> str:
        """Return the MD5 of the content."""
        return _digest(self.place, self.size, self.place.stat().st_mtime_ns)


@lru_cache(maxsize=4096)
def _digest(place: Path, size: int, modified_ns: int) -> str:
    made = hashlib.md5(usedforsecurity=False)
    with place.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            made.update(chunk)
    return made.hexdigest()


class StageFiles:
    """The folders of an account's stages."""

    def __init__(self, folder: Path | None) -> None:
        """Keep files below the folder, or in a temporary one that goes with the account."""
        self._root = folder / FOLDER if folder is not None else None
        self._forget: weakref.finalize[..., StageFiles] | None = None
        self.doors = TransferDoors()
        """What lets clients in that move files over HTTP."""

    def root(self) -> Path:
        """Return the folder that holds all stages."""
        if self._root is None:
            made = tempfile.mkdtemp(prefix="skills-stages-")
            self._forget = weakref.finalize(self, shutil.rmtree, made, True)
            self._root = Path(made)
        return self._root.resolve()

    def folder(self, key: str) -> Path:
        """Return a stage's folder, made where it is missing."""
        made = self.root() / key
        made.mkdir(parents=True, exist_ok=True)
        return made

    def forget(self, key: str) -> None:
        """Delete a stage's folder."""
        shutil.rmtree(self.root() / key, ignore_errors=True)

    def close(self) -> None:
        """Delete the files of an account that is kept in memory."""
        if self._forget is not None:
            self._forget()


def within(folder: Path, path: str) -> Path:
    """Return the place of a path in a folder.

    Raises:
        SqlError: it would be elsewhere, by a link or by its name, or is too long (1008).
    """
    try:
        place = (folder / path).resolve()
        is_fit = all(len(os.fsencode(part)) <= _LONGEST_NAME for part in place.parts)
    except (OSError, ValueError, RuntimeError) as error:
        raise errors.invalid_value(path, "path") from error
    if not (is_fit and place.is_relative_to(folder) and len(str(place)) <= _LONGEST_PATH):
        raise errors.invalid_value(path, "path")
    return place


def write(folder: Path, path: str, content: bytes) -> Path:
    """Write a file into a folder; return its place.

    Raises:
        SqlError: it would be elsewhere, or its name cannot be one here: too long, that of a folder,
            or with a file in the place of a folder (1008).
    """
    place = within(folder, path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    except OSError as error:
        if error.errno not in _UNFIT:
            raise
        raise errors.invalid_value(path, "path") from error
    return place


def found(folder: Path, prefix: str = "") -> list[StagedFile]:
    """List files whose names begin with the prefix."""
    listed = (f for f in _walk(folder, folder) if f.name.startswith(prefix))
    return sorted(listed, key=lambda f: f.name)


def _walk(folder: Path, root: Path) -> Iterator[StagedFile]:
    for place in folder.iterdir():
        if place.is_symlink():
            continue
        if place.is_dir():
            yield from _walk(place, root)
        elif place.is_file():
            told = place.stat()
            modified = datetime.fromtimestamp(int(told.st_mtime), UTC)
            yield StagedFile(place.relative_to(root).as_posix(), place, told.st_size, modified)
