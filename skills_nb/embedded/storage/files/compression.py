"""Compression of staged files.

Room: embedded. Pure over bytes.
"""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable

from skills_nb.embedded import errors
from skills_nb.embedded.errors import files as wrong

SUFFIXES = {"GZIP": ".gz", "BZ2": ".bz2", "DEFLATE": ".deflate", "RAW_DEFLATE": ".raw_deflate"}
_OPEN: dict[str, Callable[[bytes], bytes]] = {
    "GZIP": gzip.decompress,
    "BZ2": bz2.decompress,
    "DEFLATE": zlib.decompress,
    "RAW_DEFLATE": lambda body: zlib.decompress(body, -zlib.MAX_WBITS),
    "NONE": lambda body: body,
}
_CLOSE: dict[str, Callable[[bytes], bytes]] = {
    "GZIP": lambda body: gzip.compress(body, mtime=0),
    "BZ2": bz2.compress,
    "DEFLATE": zlib.compress,
    "NONE": lambda body: body,
}


def opened(body: bytes, name: str, method: str) -> bytes:
    """Return the plain content; AUTO goes by the first bytes and the name.

    Raises:
        SqlError: the method is not supported (0A000), or the content is not what it says (100069).
    """
    chosen = _detected(body, name) if method == "AUTO" else method
    reader = _OPEN.get(chosen)
    if reader is None:
        raise errors.unsupported(f"COMPRESSION = {chosen}")
    try:
        return reader(body)
    except (OSError, EOFError, zlib.error) as error:
        raise wrong.broken_file(
            name, f"Invalid data encountered during decompression: {error}"
        ) from error


def closed(body: bytes, method: str) -> bytes:
    """Return the compressed content.

    Raises:
        SqlError: the method is not supported (0A000).
    """
    writer = _CLOSE.get(method)
    if writer is None:
        raise errors.unsupported(f"COMPRESSION = {method}")
    return writer(body)


def _detected(body: bytes, name: str) -> str:
    if body[:2] == b"\x1f\x8b":
        return "GZIP"
    if body[:3] == b"BZh":
        return "BZ2"
    for suffix, method in ((".deflate", "DEFLATE"), (".zst", "ZSTD"), (".br", "BROTLI")):
        if name.endswith(suffix):
            return method
    return "NONE"
