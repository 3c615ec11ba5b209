"""The files that a worker may read: Python's own and those of installed packages, no others.

Room: embedded. This package is none of them, wherever it is installed. Nothing may be written but
what is in its scratch folder. The kernel holds that, where it has Landlock.

See https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import struct
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_MAKE, _ADD, _RESTRICT = 444, 445, 446
_VERSION = 1
_BENEATH = 1
_READ_FILE = 1 << 2
_LISTING = 1 << 3
_READING = _READ_FILE | _LISTING
_WRITING = _READING | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 14
"""Files and folders are read, written, removed, made, renamed where they are, and cut.

There are no links. What is moved to another folder is copied, as between file systems: a tree that
is moved below another would go deeper than a path can say, where nobody could measure or remove it.
"""
WRITES_SINCE = 3
"""The version that also holds who cuts a file."""
_RIGHTS = ((1, 13), (2, 14), (3, 15), (5, 16))
"""How many rights a version knows."""
_OTHER = ("/dev/null", "/dev/urandom", "/etc/localtime", "/usr/share/zoneinfo", "/etc/ld.so.cache")


class Readable(NamedTuple):
    """What a worker may read."""

    whole: tuple[str, ...]
    """Files, and folders with everything in them."""
    listed: tuple[str, ...]
    """Folders of which the names alone may be read: what may be opened there is in `whole`."""


def readable(sites: Iterable[str], package: str) -> Readable:
    """Return what a worker may read: Python's library, packages, and what is linked to them.

    Args:
        sites: folders of installed packages.
        package: name of the one that stays out.
    """
    sites = [os.path.realpath(site) for site in sites if os.path.isdir(site)]
    own = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]
    own += [str(sysconfig.get_config_var("DESTSHARED") or "")]
    named = {*own, *sites, *_linked(), *_OTHER}
    present = {os.path.realpath(path) for path in named if path and os.path.exists(path)}
    hidden = frozenset(place for site in sites for place in _places_of(package, site))
    found: dict[str, bool] = {}
    for path in sorted(present):
        found.update(_around(path, hidden))
    whole = tuple(path for path, is_whole in found.items() if is_whole)
    return Readable(whole, tuple(path for path, is_whole in found.items() if not is_whole))


def _places_of(package: str, site: str) -> Iterator[str]:
    """Yield where a package and what is written about it stand among installed ones."""
    for name in os.listdir(site):
        if name == package or name.startswith(f"{package}-"):
            yield os.path.join(site, name)


def _around(path: str, hidden: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """Yield what there is but the hidden, the folders that hold some of it by their names alone."""
    if path in hidden:
        return
    if not any(place.startswith(path + os.sep) for place in hidden):
        yield path, True
        return
    yield path, False
    for name in os.listdir(path):
        yield from _around(os.path.join(path, name), hidden)


def _linked() -> Iterable[str]:
    """Find the folders of the libraries that are loaded."""
    try:
        lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        path = line.partition("/")[2]
        if ".so" in path:
            yield str(Path("/" + path).parent)


def version_of(libc: ctypes.CDLL) -> int:
    """Return the version of the kernel's Landlock; less than 1 where it has none."""
    version: int = libc.syscall(_MAKE, None, ctypes.c_size_t(0), _VERSION)
    return version


def shut(libc: ctypes.CDLL, paths: Readable, scratch: str | None) -> bool:
    """Let the kernel refuse from now on, in this process, all files but these.

    Args:
        libc: the library of C.
        paths: what may be read.
        scratch: the folder that may be written to as well; None for none.

    Returns:
        Whether it does; False where the kernel has no Landlock.
    """
    version = version_of(libc)
    if version < 1:
        return False
    rights = max(count for since, count in _RIGHTS if since <= version)
    asked = struct.pack("<QQQ", (1 << rights) - 1, 3 * (version >= 4), 3 * (version >= 6))
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = libc.syscall(_MAKE, ctypes.c_char_p(asked), ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    try:
        added = all(_allow(libc, rules, path, _READING) for path in paths.whole)
        added = added and all(_allow(libc, rules, path, _LISTING) for path in paths.listed)
        if scratch is not None:
            added = added and _allow(libc, rules, scratch, _WRITING)
        return added and libc.syscall(_RESTRICT, rules, 0) == 0
    finally:
        os.close(rules)


def _allow(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> bool:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        allowed = rights if os.path.isdir(path) else _READ_FILE
        rule = struct.pack("<Qi", allowed, place)
        return bool(libc.syscall(_ADD, rules, _BENEATH, ctypes.c_char_p(rule), 0) == 0)
    finally:
        os.close(place)
