"""Chunks: a long result in pieces that the connector fetches one by one, and reads side by side.

Room: embedded. The first rows are in the answer itself. Of the others it tells where they are, and
the key that opens this one result, as long as it is kept: who asks has no need of a session, for
the pieces may be read by another process than the one that ran the query.

See https://docs.snowflake.com/en/developer-guide/python-connector/python-connector-distributed-fetch
"""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from skills_nb.embedded.storage.spooled_rows import SpooledRows
from skills_nb.embedded.types.values import KeptResult, Result
from skills_nb.embedded.wire import arrow_columns, arrow_rows

PATH = re.compile(r"/results/(?P<id>[^/]+)/(?P<number>[0-9]{1,9})")
_AT_ONCE = 1_000
"""Rows that are in the answer itself."""
_LOCAL = "http://127.0.0.1"


def told(result: Result, rows: SpooledRows) -> dict[str, Any] | None:
    """Answer with the first rows and where the others are; None where only JSON has room for them.

    '' stands for no rows, as on Snowflake.
    """
    if not arrow_columns.has_room(rows):
        return None
    if not rows.pieces:
        return {"rowsetBase64": ""}
    first = base64.b64encode(_stream(rows, 0, 0, _AT_ONCE)).decode()
    if len(rows) <= _AT_ONCE:
        return {"rowsetBase64": first}
    return {
        "rowsetBase64": first,
        "chunkHeaders": {"Authorization": f'Snowflake Token="{rows.key}"'},
        "chunks": [
            {
                "url": f"/results/{result.query_id}/{number}",
                "rowCount": count,
                "uncompressedSize": rows.size(number),
                "compressedSize": rows.size(number),
            }
            for number, count in _left(rows)
        ],
    }


def _left(rows: SpooledRows) -> list[tuple[int, int]]:
    """Return the pieces that are not in the answer, each with its rows that are not."""
    counts = rows.pieces
    counts[0] = max(0, counts[0] - _AT_ONCE)
    return [(number, count) for number, count in enumerate(counts) if count]


def content(kept: KeptResult, number: int, key: str) -> bytes | None:
    """Return a piece as an Arrow stream; None where there is none, or the key is another's."""
    rows = kept.rows
    if not isinstance(rows, SpooledRows) or not hmac.compare_digest(rows.key, key):
        return None
    if number >= len(rows.pieces):
        return None
    return _stream(rows, number, 0 if number else _AT_ONCE, None)


def _stream(rows: SpooledRows, number: int, begin: int, length: int | None) -> bytes:
    piece = rows.piece(number).slice(begin, length)
    arrays = [arrow_columns.sent(rows, i, piece.column(i)) for i in range(len(rows.columns))]
    return bytes(arrow_rows.stream(rows.columns, arrays))


def addressed(answer: dict[str, Any], url: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Write an answer's pieces as addresses of the host that was asked."""
    data: Any = answer.get("data") or {}
    if "chunks" not in data:
        return answer
    parts = urlsplit(url)
    host = f"{parts.scheme}://{parts.netloc}" if parts.netloc else None
    named = f"http://{headers['Host']}" if headers.get("Host") else _LOCAL
    pieces = [{**piece, "url": (host or named) + piece["url"]} for piece in data["chunks"]]
    return {**answer, "data": {**data, "chunks": pieces}}
