"""The system calls that a worker may make; all others are refused by the kernel.

Room: embedded. Nothing here opens a socket, starts a process, sends a signal, writes a file or
changes a limit. Two machines are known, x86-64 and ARM 64; on others there is no filter.

See https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import platform
import struct
from collections.abc import Iterable

_ALLOWED = {
    "x86_64": (
        "0 1 3 5 8 9 10 11 12 13 14 15 17 18 19 20 24 25 28 32 33 35 36 38 39 45 48 60 63 79 96 97 "
        "98 99 100 102 104 107 108 110 131 186 202 204 218 228 229 230 231 232 233 291 281 7 271 "
        "23 270 293 22 290 217 4 6 262 332 273 334 318 324 219"
    ),
    "aarch64": (
        "63 64 57 80 62 222 226 215 214 134 135 139 67 68 65 66 124 216 233 23 24 101 102 103 172 "
        "207 210 93 160 17 169 163 165 179 153 174 176 175 177 173 132 178 98 123 96 113 114 115 "
        "94 21 20 22 73 72 59 19 61 79 291 99 293 278 283 128"
    ),
}
"""read write close fstat lseek mmap mprotect munmap brk, signals of one's own, reading and writing
at a place, waiting, one's own numbers, clocks, threads' locks, listing what may be read, chance."""
_WRITES = {
    "x86_64": " 87 263 83 84 82 264 316 77 76 74 75",
    "aarch64": " 35 38 276 46 45 82 83",
}
"""unlink mkdir rmdir rename ftruncate truncate fsync fdatasync, in older and newer form."""
_MKDIRAT, _HERE = {"x86_64": 258, "aarch64": 34}, 0xFFFFFF9C
"""AT_FDCWD: no folder is made below one that is open, or they went deeper than a path can say."""
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NUMBERS = {
    "x86_64": {
        "open": 2, "openat": 257, "clone": 56, "clone3": 435, "fcntl": 72, "ioctl": 16,
        "prctl": 157, "prlimit64": 302, "socketpair": 53, "sendto": 44, "faccessat2": 439,
    },
    "aarch64": {
        "openat": 56, "clone": 220, "clone3": 435, "fcntl": 25, "ioctl": 29, "prctl": 167,
        "prlimit64": 261, "socketpair": 199, "sendto": 206, "faccessat2": 439,
    },
}  # fmt: skip
_LOAD, _EQUAL, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x45, 0x54, 0x06
_ALLOW, _REFUSE, _NONE, _KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
_WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000 | 0o20000000
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND and what O_TMPFILE adds."""
_THREAD = 0x00010000
_FCNTL = (0, 1, 2, 3, 4, 1030)
"""Doubles of a descriptor and its flags; not whom it signals."""
_IOCTL = (0x5401, 0x5421, 0x541B, 0x5451, 0x5450)
"""Whether it is a terminal, whether it blocks, how much is there, whether it is inherited."""
_SET_NAME = 15
_STREAM = 1
_SECCOMP_MODE = 22
_FILTER = 2
_Line = tuple[int, int, int, int]


def put_up(libc: ctypes.CDLL, *, writes: bool) -> bool:
    """Let the kernel refuse from now on, in this process, whatever is not listed.

    Args:
        libc: the library of C.
        writes: whether files may be written; which ones, somebody else holds.

    Returns:
        Whether it does; False where the machine or its kernel has no such filter.
    """
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return False
    lines = [*_program(machine, writes=writes)]
    packed = b"".join(struct.pack("<HBBI", *line) for line in lines)
    held = ctypes.create_string_buffer(packed, len(packed))
    program = struct.pack("<H6xQ", len(lines), ctypes.addressof(held))
    none = ctypes.c_ulong(0)
    made: int = libc.prctl(
        _SECCOMP_MODE, ctypes.c_ulong(_FILTER), ctypes.c_char_p(program), none, none
    )
    return made == 0


def _program(machine: str, *, writes: bool) -> Iterable[_Line]:
    number = _NUMBERS[machine]
    yield (_LOAD, 0, 0, 4)
    yield (_EQUAL, 1, 0, _ARCHITECTURES[machine])
    yield (_RETURN, 0, 0, _KILL)
    yield (_LOAD, 0, 0, 0)
    for allowed in (_ALLOWED[machine] + _WRITES[machine] * writes).split():
        yield from _when(int(allowed), [(_RETURN, 0, 0, _ALLOW)])
    for name, argument in (("open", 1), ("openat", 2)):
        if name in number:
            bits = 0 if writes else _WRITING
            yield from _when(number[name], [_argument(argument), *_unless_bit(bits)])
    if writes:
        yield from _when(_MKDIRAT[machine], [_argument(0), *_one_of((_HERE,))])
    yield from _when(number["clone"], [_argument(0), *_if_bit(_THREAD)])
    yield from _when(number["fcntl"], [_argument(1), *_one_of(_FCNTL)])
    yield from _when(number["ioctl"], [_argument(1), *_one_of(_IOCTL)])
    yield from _when(number["prctl"], [_argument(0), *_one_of((_SET_NAME,))])
    yield from _when(number["prlimit64"], [*_all_zero(0, 2)])
    yield from _when(number["sendto"], [*_all_zero(4)])
    stream = [_argument(1), (_AND, 0, 0, 0xF), *_one_of((_STREAM,))]
    yield from _when(number["socketpair"], stream)
    for name in ("clone3", "faccessat2"):
        yield from _when(number[name], [(_RETURN, 0, 0, _NONE)])
    yield (_RETURN, 0, 0, _REFUSE)


def _when(number: int, then: list[_Line]) -> Iterable[_Line]:
    """Do the lines for one system call; they end with a return each."""
    yield (_EQUAL, 0, len(then), number)
    yield from then


def _argument(index: int, *, high: bool = False) -> _Line:
    return (_LOAD, 0, 0, 16 + 8 * index + 4 * high)


def _unless_bit(bits: int) -> list[_Line]:
    return [(_ANY_BIT, 0, 1, bits), (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]


def _if_bit(bits: int) -> list[_Line]:
    return [(_ANY_BIT, 0, 1, bits), (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]


def _one_of(values: Iterable[int]) -> list[_Line]:
    made: list[_Line] = []
    for value in values:
        made += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW)]
    return [*made, (_RETURN, 0, 0, _REFUSE)]


def _all_zero(*arguments: int) -> list[_Line]:
    made: list[_Line] = []
    for index in arguments:
        for high in (False, True):
            made += [_argument(index, high=high), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, _REFUSE)]
    return [*made, (_RETURN, 0, 0, _ALLOW)]
