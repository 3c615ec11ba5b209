"""The folder of an account, which nobody but its owner may enter.

Room: embedded. DuckDB makes its files as the process's mask says, and its log anew after every
checkpoint: what keeps others from the rows is the folder that holds them.
"""

from __future__ import annotations

import stat
from pathlib import Path

from skills_nb.errors import SkillsError
from skills_nb.system import plain_files


def closed(folder: Path) -> Path:
    """Make a folder, or take one that is there, and close it and its files to other people.

    Raises:
        SkillsError: others may enter the folder, and that cannot or must not be changed.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not _is_open(folder):
        return folder
    # A shared folder (sticky, such as the temporary one) and the home folder serve others, too.
    is_shared = bool(folder.stat().st_mode & stat.S_ISVTX) or folder.resolve() == Path.home()
    if not is_shared:
        _close(folder, 0o700)
    if _is_open(folder):
        raise SkillsError(
            f"an account kept in '{folder}' could be read by other people of this machine",
            hint="Keep it in a folder of its own, which only you may enter.",
        )
    return folder


def close_files(folder: Path, names: tuple[str, ...]) -> None:
    """Close those of the files that are there to other people."""
    for name in names:
        if (folder / name).exists() and _is_open(folder / name):
            _close(folder / name, 0o600)


def _is_open(place: Path) -> bool:
    return plain_files.is_open_to_others(place)


def _close(place: Path, mode: int) -> None:
    try:
        place.chmod(mode)
    except OSError:
        return  # Somebody else's: whoever asks looks at the mode again.
