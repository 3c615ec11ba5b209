"""Whether a process lives, and how one ends with everything that it began.

Room: none (system). On Windows signal 0 is no question: it is Ctrl-C for a whole console.
Source: Python, `os.kill`; Microsoft, `OpenProcess`, `WaitForSingleObject`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _MAY_WAIT, _STILL_RUNS, _DENIED = 0x00100000, 0x00000102, 5

    def is_alive(pid: int) -> bool:
        """Return whether a process of this number exists."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        kernel.WaitForSingleObject.argtypes = (wintypes.HANDLE, wintypes.DWORD)
        kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
        handle = kernel.OpenProcess(_MAY_WAIT, False, pid)
        if not handle:
            # Somebody else's cannot be opened, and lives.
            return bool(ctypes.get_last_error() == _DENIED)
        try:
            return bool(kernel.WaitForSingleObject(handle, 0) == _STILL_RUNS)
        finally:
            kernel.CloseHandle(handle)

    def end_all(process: subprocess.Popen[bytes]) -> None:
        """Kill what is left of a process that began a session, and what it began."""
        subprocess.run(
            ["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False
        )

else:

    def is_alive(pid: int) -> bool:
        """Return whether a process of this number exists."""
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except (PermissionError, OverflowError):
            return True
        return True

    def end_all(process: subprocess.Popen[bytes]) -> None:
        """Kill what is left of a process that began a session, and what it began."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            # Nothing of it is left.
            return
