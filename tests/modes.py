"""Modes of files, where there are any: on Windows a file is as private as its folder."""

import os
import stat
from pathlib import Path


def has_mode(path: Path, mode: int) -> bool:
    """Tell whether a file has exactly this mode; where modes say nothing, none is asked for."""
    return os.name != "posix" or stat.S_IMODE(path.stat().st_mode) == mode
