"""A double of Windows, for the package and its tests, in this process and in those that it begins.

The standard library and the packages of others have a Windows edition, so they keep this system.
What `skills_nb`, the tests and programs given by `-c` import is what Windows has: no `fcntl`,
`resource`, `pwd` or `grp`; no fork, no POSIX signals, no Unix sockets, no modes that close a file;
text that is written without further ado becomes Windows-1252 with two characters a line's end; a
file that is open is neither deleted nor replaced; and signal 0 is Ctrl-C. `msvcrt` locks ranges of
an open file, and really: below it are this system's locks of open files.

Not shown by it: paths with drives and backslashes, the ways of a console, DuckDB's and SQLite's
own files. See https://docs.python.org/3/library/msvcrt.html#msvcrt.locking
"""

import builtins
import ctypes
import ctypes.wintypes
import errno
import fcntl
import os
import pathlib
import select
import signal
import socket
import stat
import struct
import subprocess
import sys
import types

# Packages that look which system this is when they are loaded, before there is an `msvcrt`.
import asyncio  # isort: skip  # noqa: F401
import concurrent.futures.process  # isort: skip  # noqa: F401
import multiprocessing.synchronize  # isort: skip  # noqa: F401
import shutil  # isort: skip  # noqa: F401
import tempfile  # isort: skip  # noqa: F401

_TAKEN_AWAY = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "tty", "posix")
_SEES_WINDOWS = ("skills_nb", "tests", "__main__")
_REAL_IMPORT = builtins.__import__
_OPEN = open


def _is_ours(name):
    return (name or "").partition(".")[0] in _SEES_WINDOWS


def _asker(depth=2):
    return sys._getframe(depth).f_globals.get("__name__")


class Seen(types.ModuleType):
    """A module as Windows has it: some names are missing, some mean something else."""

    def __init__(self, real, missing=(), **others):
        super().__init__(real.__name__)
        object.__setattr__(self, "_of", (real, frozenset(missing), others))

    def __getattribute__(self, name):
        if name in ("__class__", "_of"):
            return object.__getattribute__(self, name)
        real, missing, others = object.__getattribute__(self, "_of")
        if name == "__dict__":
            # What patches a name looks here for what it is to put back.
            kept = {key: value for key, value in vars(real).items() if key not in missing}
            return kept | others
        if name in missing:
            raise AttributeError(f"module '{real.__name__}' has no attribute '{name}' on Windows")
        return others[name] if name in others else getattr(real, name)

    def __setattr__(self, name, value):
        real, _, others = self._of
        if name in others:
            others[name] = value
        else:
            setattr(real, name, value)

    def __delattr__(self, name):
        delattr(self._of[0], name)


# ---- files


def _place_of(path):
    return (
        os.path.realpath(os.path.dirname(os.fspath(path)) or ".")
        + os.sep
        + os.path.basename(os.fspath(path))
    )


def _refuse_if_open(path):
    """Windows lets nobody delete or replace a file that is open without its leave."""
    if isinstance(path, int) or os.path.isdir(path) or os.path.islink(path):
        return
    place = _place_of(path)
    for number in os.listdir("/proc/self/fd"):
        try:
            is_it = os.readlink(f"/proc/self/fd/{number}") == place
        except OSError:
            continue
        if is_it:
            raise PermissionError(errno.EACCES, "The process cannot access the file", str(path))


def _without_open_files(name):
    real = getattr(os, name)

    def asked(source, *others, **options):
        _refuse_if_open(source)
        if name in ("rename", "replace"):
            if name == "rename" and os.path.lexists(others[0]):
                raise FileExistsError(errno.EEXIST, "Cannot create a file", str(others[0]))
            if os.path.lexists(others[0]):
                _refuse_if_open(others[0])
        return real(source, *others, **options)

    return asked


_BINARY, _NOINHERIT = 0x40000000, 0x20000000
_TEXT = set()
"""Open numbers of files that the C runtime would translate."""


def _opened(path, flags, mode=0o777, *, dir_fd=None):
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    descriptor = os.open(path, flags & ~(_BINARY | _NOINHERIT), mode)
    _TEXT.discard(descriptor)
    if not flags & _BINARY:
        _TEXT.add(descriptor)
    return descriptor


def _written(descriptor, content):
    _refuse_locked(descriptor, os.lseek(descriptor, 0, os.SEEK_CUR), len(content))
    if descriptor in _TEXT and stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.write(descriptor, bytes(content).replace(b"\n", b"\r\n"))
        return len(content)
    return os.write(descriptor, content)


def _got(descriptor, size):
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        _refuse_locked(descriptor, os.lseek(descriptor, 0, os.SEEK_CUR), size)
    return os.read(descriptor, size)


def _range(kind, offset, size):
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, offset, size, 0)


def _refuse_locked(descriptor, offset, size):
    """A range that somebody else has locked is neither read nor written."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode) or not size:
        return
    asked = _range(fcntl.F_WRLCK, offset, size)
    try:
        found = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, asked)
    except OSError:
        return
    if struct.unpack("hhqqi4x", found)[0] != fcntl.F_UNLCK:
        raise PermissionError(errno.EACCES, "Permission denied")


def _status(real):
    def asked(*given, **options):
        return _plain_mode(real(*given, **options))

    return asked


def _plain_mode(found):
    """Windows knows one bit, whether a file may be written, and everybody has it."""
    values = list(found)
    is_folder = stat.S_ISDIR(found.st_mode)
    values[0] = stat.S_IFMT(found.st_mode) | (0o777 if is_folder else 0o666)
    values[4] = values[5] = 0
    names = ("st_atime_ns", "st_mtime_ns", "st_ctime_ns", "st_blksize", "st_blocks", "st_rdev")
    times = {"st_atime": found.st_atime, "st_mtime": found.st_mtime, "st_ctime": found.st_ctime}
    return os.stat_result(values, {name: getattr(found, name) for name in names} | times)


def _killed(number, signal_number):
    if signal_number in (0, 1):
        raise AssertionError("os.kill(number, 0) is Ctrl-C for the whole console on Windows")
    os.kill(number, signal.SIGKILL)


_NO_OS = [
    *("fork", "forkpty", "register_at_fork", "getuid", "geteuid", "getgid", "getegid", "setuid"),
    *("fchmod", "chown", "fchown", "lchown", "pread", "pwrite", "preadv", "pwritev", "killpg"),
    *("getpgid", "setsid", "setpgid", "getpgrp", "mkfifo", "mknod", "sysconf", "wait", "wait3"),
    *("wait4", "WNOHANG", "WIFSIGNALED", "uname", "statvfs", "fdatasync", "posix_spawn", "nice"),
    *("O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_SYNC", "O_DSYNC", "O_PATH"),
    *("openpty", "ttyname", "getxattr", "setxattr", "sched_getaffinity", "sched_setaffinity"),
    *("memfd_create", "sendfile", "chroot", "sync", "lockf", "umask_", "pidfd_open"),
]
_OS = Seen(
    os,
    _NO_OS,
    name="nt",
    open=_opened,
    read=_got,
    write=_written,
    kill=_killed,
    stat=_status(os.stat),
    lstat=_status(os.lstat),
    fstat=_status(os.fstat),
    unlink=_without_open_files("unlink"),
    remove=_without_open_files("remove"),
    rename=_without_open_files("rename"),
    replace=_without_open_files("replace"),
    O_BINARY=_BINARY,
    O_NOINHERIT=_NOINHERIT,
)

# ---- signals, sockets, processes

_KEPT = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
_NO_SIGNAL = [
    name
    for name in dir(signal)
    if (name.startswith("SIG") and name[3:4].isalpha() and name not in _KEPT)
    or name in ("setitimer", "getitimer", "ITIMER_REAL", "alarm", "pause", "sigwait")
    or name.startswith("pthread_")
]
for _name in ("Signals", "Sigmasks", "Handlers"):
    if _name in _NO_SIGNAL:
        _NO_SIGNAL.remove(_name)
_SIGNAL = Seen(signal, _NO_SIGNAL, SIGBREAK=signal.SIGUSR2, CTRL_C_EVENT=0, CTRL_BREAK_EVENT=1)
_SOCKET = Seen(socket, ("AF_UNIX", "send_fds", "recv_fds", "sethostname"))


def _selected(readers, writers, others, timeout=None):
    for one in (*readers, *writers, *others):
        number = one if isinstance(one, int) else one.fileno()
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            raise OSError(10038, "An operation was attempted on something that is not a socket")
    return select.select(readers, writers, others, timeout)


_SELECT = Seen(select, ("poll", "epoll", "kqueue"), select=_selected)


class _Popen(subprocess.Popen):
    def __init__(self, *given, pass_fds=(), preexec_fn=None, **options):
        if pass_fds:
            raise ValueError("pass_fds not supported on Windows.")
        if preexec_fn is not None:
            raise ValueError("preexec_fn is not supported on Windows platforms")
        super().__init__(*given, **options)


def _ran(words, *given, **options):
    if isinstance(words, list) and words[0] == "taskkill":
        try:
            os.killpg(int(words[-1]), signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return subprocess.CompletedProcess(words, 128)
        return subprocess.CompletedProcess(words, 0)
    return subprocess.run(words, *given, **options)


_SUBPROCESS = Seen(subprocess, Popen=_Popen, run=_ran)


class _Library:
    """What of `kernel32` is called: whether a process lives."""

    def __init__(self, name, **_options):
        assert name == "kernel32"

        def open_process(rights, inherits, number):
            return number if os.path.exists(f"/proc/{number}") else 0

        def wait(handle, milliseconds):
            with _OPEN(f"/proc/{handle}/stat", encoding="ascii") as told:
                is_dead = told.read().rpartition(") ")[2][0] in "ZX"
            return 0 if is_dead else 0x102

        self.OpenProcess = open_process
        self.WaitForSingleObject = wait
        self.CloseHandle = lambda handle: 1
        self.GetDriveTypeW = lambda root: 3


_CTYPES = Seen(ctypes, WinDLL=_Library, get_last_error=lambda: 87, windll=None)


# ---- msvcrt


def _locking(descriptor, mode, size):
    offset = os.lseek(descriptor, 0, os.SEEK_CUR)
    kind = fcntl.F_UNLCK if mode == 0 else fcntl.F_WRLCK
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _range(kind, offset, size))
    except BlockingIOError as taken:
        raise PermissionError(errno.EACCES, "Permission denied") from taken


_MSVCRT = types.ModuleType("msvcrt")
_MSVCRT.locking = _locking
_MSVCRT.LK_UNLCK, _MSVCRT.LK_LOCK, _MSVCRT.LK_NBLCK = 0, 1, 2

# ---- who sees what

_SYS = Seen(sys, platform="win32")
_SEEN = {
    "os": _OS,
    "sys": _SYS,
    "signal": _SIGNAL,
    "socket": _SOCKET,
    "select": _SELECT,
    "subprocess": _SUBPROCESS,
    "ctypes": _CTYPES,
    "msvcrt": _MSVCRT,
}


def _imported(name, globals=None, locals=None, fromlist=(), level=0):
    if level or not _is_ours((globals or {}).get("__name__")):
        return _REAL_IMPORT(name, globals, locals, fromlist, level)
    first, _, rest = name.partition(".")
    if first in _TAKEN_AWAY:
        raise ModuleNotFoundError(f"No module named '{first}'", name=first)
    if first in _SEEN and (not fromlist or not rest):
        if rest:
            _REAL_IMPORT(name, globals, locals, fromlist, level)
        return _SEEN[first]
    return _REAL_IMPORT(name, globals, locals, fromlist, level)


def _encoding(asker):
    """The package must name an encoding; the workflow runs the tests in Python's UTF-8 mode."""
    return "cp1252" if (asker or "").partition(".")[0] == "skills_nb" else "utf-8"


def _text_options(asker, mode, encoding, newline, writes):
    if "b" in mode:
        return encoding, newline
    return encoding or _encoding(asker), "\r\n" if newline is None and writes else newline


def _open_as_windows(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *more):
    asker = _asker()
    if _is_ours(asker):
        writes = bool(set(mode) & set("wax+"))
        encoding, newline = _text_options(asker, mode, encoding, newline, writes)
    return _OPEN(file, mode, buffering, encoding, errors, newline, *more)


def _change_paths():
    path = pathlib.Path
    real = {
        name: getattr(path, name)
        for name in ("stat", "lstat", "unlink", "rename", "replace", "open", "write_text")
    }
    real |= {name: getattr(path, name) for name in ("read_text", "read_bytes")}

    def changed(name, instead):
        def asked(self, *given, **options):
            if not _is_ours(_asker()):
                return real[name](self, *given, **options)
            return instead(self, *given, **options)

        asked.__name__ = name
        setattr(path, name, asked)

    def opened(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        writes = bool(set(mode) & set("wax+"))
        encoding, newline = _text_options(_asker(3), mode, encoding, newline, writes)
        return real["open"](self, mode, buffering, encoding, errors, newline)

    def text_written(self, data, encoding=None, errors=None, newline=None):
        encoding, newline = _text_options(_asker(3), "w", encoding, newline, True)
        with open(self, "w", encoding=encoding, errors=errors, newline=newline) as file:
            return file.write(data)

    def text_read(self, encoding=None, errors=None):
        _refuse_to_read(self)
        return real["read_text"](self, encoding or _encoding(_asker(3)), errors)

    def bytes_read(self):
        _refuse_to_read(self)
        return real["read_bytes"](self)

    changed("stat", lambda self, **options: _plain_mode(real["stat"](self, **options)))
    changed("lstat", lambda self: _plain_mode(real["lstat"](self)))
    changed("unlink", lambda self, missing_ok=False: _unlinked(self, missing_ok))
    changed("rename", lambda self, target: (_OS.rename(self, target), path(target))[1])
    changed("replace", lambda self, target: (_OS.replace(self, target), path(target))[1])
    changed("open", opened)
    changed("write_text", text_written)
    changed("read_text", text_read)
    changed("read_bytes", bytes_read)


def _unlinked(path, missing_ok):
    try:
        _OS.unlink(path)
    except FileNotFoundError:
        if not missing_ok:
            raise


def _refuse_to_read(path):
    if os.path.isfile(path):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            _refuse_locked(descriptor, 0, max(1, os.fstat(descriptor).st_size))
        finally:
            os.close(descriptor)


def put_up():
    """Make this process see Windows."""
    builtins.__import__ = _imported
    builtins.open = _open_as_windows
    _change_paths()
