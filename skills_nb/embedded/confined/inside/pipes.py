"""Messages on a pipe: a header in JSON, and a body that is JSON of its own or empty.

Room: embedded.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from typing import Any

_SIZES = struct.Struct(">II")


class Pipe:
    """The worker's end; it waits as long as it takes."""

    def __init__(self, descriptor: int) -> None:
        """Talk over an open descriptor."""
        self._descriptor = descriptor

    def send(self, header: Mapping[str, Any], body: bytes = b"") -> None:
        """Send one message."""
        told = json.dumps(header).encode("utf-8", "surrogatepass")
        left = memoryview(_SIZES.pack(len(told), len(body)) + told + body)
        while left:
            left = left[os.write(self._descriptor, left) :]

    def receive(self) -> tuple[Mapping[str, Any], bytes]:
        """Receive one message.

        Raises:
            EOFError: the other end is closed.
        """
        head, rest = _SIZES.unpack(self._read(_SIZES.size))
        header: Mapping[str, Any] = json.loads(self._read(head))
        return header, self._read(rest)

    def _read(self, size: int) -> bytes:
        found = bytearray()
        while len(found) < size:
            part = os.read(self._descriptor, min(size - len(found), 1 << 20))
            if not part:
                raise EOFError
            found += part
        return bytes(found)
