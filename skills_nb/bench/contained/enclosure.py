"""An enclosure for a command, seen from outside.

Room: work (bench). `unshare` of util-linux makes the namespaces; `inside` does the rest. Where the
kernel or an administrator forbids that, `require_enclosures` says so.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO

from skills_nb.errors import SkillsError

_NAMESPACES = ("--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--uts")
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
"""Programs and libraries of the machine; of /etc nothing else."""
_MOST_BYTES = 1 << 20
"""How much of what a command prints is kept."""
_MOST_REPORT = 16 << 20
_KEPT = frozenset(
    {
        *("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"),
        *("COMSPEC", "PATHEXT", "SYSTEMROOT", "WINDIR", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
        *("TEMP", "TMP"),
    }
)
_KEPT_STARTS = ("NODE_EXTRA_CA", "NPM_CONFIG_", "SSL_CERT", "XDG_")
_PROXIES = frozenset({"http_proxy", "https_proxy", "no_proxy", "all_proxy"})


class CannotContainError(SkillsError):
    """This machine has no enclosure, and nobody said to run without one."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What a command may see."""

    shown: Mapping[str, Path]
    """Folders and files by their names inside; none of them can be changed there."""
    folder: str
    """Where it starts, as it is called inside."""
    timeout_s: float
    """Seconds, for the command and all that it starts."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables beside PATH, HOME, TMPDIR and LANG; nothing of this process's own."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A command that ended in an enclosure."""

    exit_status: int
    """0 for success; negative for a signal."""
    output: str
    """The end of what it printed, errors included."""
    report: bytes
    """What it wrote to its descriptor 3, which nothing that it starts inherits."""


def clean_environment(*starts: str) -> dict[str, str]:
    """Return what any program needs of this process's environment: no key, no token.

    Args:
        starts: beginnings of names that this program may have as well.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT
        or name.upper().startswith(_KEPT_STARTS)
        or name.lower() in _PROXIES
        or name.startswith(starts)
    }


def run_enclosed(words: Sequence[str], enclosure: Enclosure, *, is_enclosed: bool) -> Enclosed:
    """Run a command in an enclosure; what it started is dead when this returns.

    Args:
        words: the command by its argument vector, with the names of files inside.
        enclosure: what it may see.
        is_enclosed: False runs it in this machine as it is, with the files at their own places.

    Raises:
        CannotContainError: this machine has no enclosure, or no shell at all.
        TimeoutError: it took too long.
    """
    _require_shell()
    if is_enclosed:
        require_enclosures()
        return _run_enclosed(words, enclosure)
    given = {**clean_environment(), **enclosure.environment}
    with tempfile.TemporaryFile() as report, tempfile.TemporaryFile() as output:
        script = 'exec 3>&"$1"; shift; exec "$@"'
        plain = [_outside(word, enclosure) for word in words]
        begun = ["bash", "-c", script, "bash", str(report.fileno()), *plain]
        place = Path(_outside(enclosure.folder, enclosure))
        return _ended(begun, enclosure, (report, output), given, place)


def _outside(word: str, enclosure: Enclosure) -> str:
    """Return a word, or the value of an option, with the file's place on this machine."""
    option, sign, value = word.rpartition("=") if word.startswith("--") else ("", "", word)
    for inside, place in enclosure.shown.items():
        if value == inside or value.startswith(inside + "/"):
            return f"{option}{sign}{place}{value[len(inside) :]}"
    return word


def _run_enclosed(words: Sequence[str], enclosure: Enclosure) -> Enclosed:
    root = tempfile.mkdtemp(prefix="skills-nb-root-")
    try:
        with tempfile.TemporaryFile() as report, tempfile.TemporaryFile() as output:
            asked = {
                "root": root,
                "shown": [*_system(words[0]), *((k, str(v)) for k, v in enclosure.shown.items())],
                "folder": enclosure.folder,
                "report": report.fileno(),
                "words": list(words),
                "environment": _inside_environment(words[0], enclosure),
            }
            script = str(Path(__file__).with_name("inside.py"))
            unshare = str(shutil.which("unshare"))
            begun = [unshare, *_NAMESPACES, "--fork", "--kill-child"]
            begun += [sys.executable, "-I", "-S", "-B", script, json.dumps(asked)]
            return _ended(begun, enclosure, (report, output), clean_environment(), Path("/"))
    finally:
        os.rmdir(root)


def _inside_environment(program: str, enclosure: Enclosure) -> dict[str, str]:
    places = dict.fromkeys((str(Path(program).parent), "/usr/local/bin", "/usr/bin", "/bin"))
    plain = {"PATH": ":".join(places), "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108 - its own
    return {**plain, **enclosure.environment}


def _system(program: str) -> Iterator[tuple[str, str]]:
    """Yield what every program needs, and where this one is installed."""
    for place in _SYSTEM:
        if os.path.lexists(place):
            yield place, place
    home = Path(os.path.realpath(program)).parent.parent
    if not str(home).startswith("/usr") and len(home.parts) > 2:
        yield str(home), str(home)


def _ended(
    words: Sequence[str],
    enclosure: Enclosure,
    files: tuple[IO[bytes], IO[bytes]],
    environment: Mapping[str, str],
    folder: Path,
) -> Enclosed:
    report, output = files
    process = subprocess.Popen(
        words,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=environment,
        pass_fds=(report.fileno(),),
        start_new_session=True,
    )
    try:
        status = process.wait(enclosure.timeout_s)
    except subprocess.TimeoutExpired as problem:
        raise TimeoutError(f"it took longer than {enclosure.timeout_s:g} s") from problem
    finally:
        _end(process)
    return Enclosed(status, _tail(output), _whole(report))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the group; in an enclosure everything dies with its first process."""
    # Where nothing of it is left there is nothing to kill.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _tail(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _MOST_BYTES))
    return file.read().decode(errors="replace")


def _whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(_MOST_REPORT)


# ---- whether there is one


@cache
def trouble_with_enclosures() -> str:
    """Return why this machine has no enclosure, found by trying one; empty where it has."""
    if not sys.platform.startswith("linux"):
        return "only Linux has what an enclosure is made of"
    if shutil.which("unshare") is None:
        return "there is no program 'unshare' (of util-linux)"
    tried = _run_enclosed(["/bin/sh", "-c", "printf yes >&3"], Enclosure({}, "/", 30.0))
    if tried.report == b"yes":
        return ""
    return f"namespaces cannot be made here: {tried.output.strip().rpartition(chr(10))[2][:200]}"


def _require_shell() -> None:
    """Refuse where no command of an answer can run, contained or not."""
    if sys.platform == "win32":
        raise CannotContainError(
            "an answer's commands need a POSIX shell, which Windows does not have",
            hint="run this in the Windows Subsystem for Linux",
        )


def require_enclosures() -> None:
    """Refuse to go on where strangers' code cannot be contained.

    Raises:
        CannotContainError: this machine has no enclosure.
    """
    _require_shell()
    trouble = trouble_with_enclosures()
    if trouble:
        raise CannotContainError(
            f"an answer's code cannot be contained on this machine: {trouble}",
            hint="use a machine that lets users make namespaces, or say --uncontained",
        )
