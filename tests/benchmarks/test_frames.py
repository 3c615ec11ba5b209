"""What data frames cost over the connector, beside DuckDB's own, and how much memory they take.

Run with `python -m pytest -m benchmark -s tests/benchmarks/test_frames.py` to see the ratios.
`write_pandas` is measured with the connector's work and without: what it does before it sends a
byte, which is writing Parquet, is its own, and with gzip, its default, by far the most.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire.wire import EmbeddedWire
from skills_nb.runtime import mounted_connection

pandas = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")
ROWS = 1_000_000
BAR_READ, BAR_WRITE, BAR_MEMORY = 3.0, 4.0, 1.3
"""Time over DuckDB's own; memory for ten times the rows over that for a tenth."""
FILL = (
    "select i::int a, (i * 1.37)::decimal(12,2) b, i::double c, 'name ' || i d, "
    "'2024-01-01'::timestamp e, '2020-01-01'::date f, i % 2 = 0 g, (i * 1000003)::bigint h, "
    "(i % 7)::int i2, case when i % 3 = 0 then 'x' end j from {}"
)
TABLE = (
    "(a int, b number(12,2), c float, d varchar, e timestamp_ntz, f date, g boolean, h int, "
    "i2 int, j varchar)"
)


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Any, Any]]:
    with Account.open() as account, duckdb.connect() as bare:
        place = {"user": "ADMIN", "role": "ACCOUNTADMIN", "warehouse": "COMPUTE_WH"}
        with mounted_connection.connect(EmbeddedWire(account), **place) as opened:
            opened.cursor().execute("create database d")
            numbers = f"(select seq4() i from table(generator(rowcount => {ROWS})))"
            opened.cursor().execute(f"create table t {TABLE}")
            opened.cursor().execute(f"insert into t {FILL.format(numbers)}")
            bare.execute(f"create table t as {FILL.format(f'range({ROWS}) r(i)')}")
            yield opened, bare


def _in_turn(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """Measure both in turn, so that what else the machine does meets both."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(5):
        for run, times in zip((ours, theirs), taken, strict=True):
            begin = time.perf_counter()
            run()
            times.append(time.perf_counter() - begin)
    return statistics.median(taken[0]), statistics.median(taken[1])


def test_a_million_rows_become_a_frame(both: tuple[Any, Any]) -> None:
    opened, bare = both
    ours, theirs = _in_turn(
        lambda: opened.cursor().execute("select * from t").fetch_pandas_all(),
        lambda: bare.sql("select * from t").df(),
    )
    print(
        f"fetch_pandas_all {ours * 1000:.0f} ms, .df() {theirs * 1000:.0f} ms: {ours / theirs:.2f}"
    )
    assert ours / theirs <= BAR_READ


@pytest.mark.filterwarnings("ignore:is_datetime64tz_dtype:DeprecationWarning")
def test_a_frame_becomes_a_million_rows(both: tuple[Any, Any], tmp_path: Path) -> None:
    from snowflake.connector.pandas_tools import write_pandas

    opened, bare = both
    frame = bare.sql("select * replace (b::double as b) from t").df()
    frame.columns = [name.upper() for name in frame.columns]
    frame["F"] = frame["F"].dt.date
    opened.cursor().execute(f"create table u {TABLE}")
    bare.execute("create table u as select * from t limit 0")

    def inserted() -> None:
        bare.register("frame", frame)
        bare.execute("insert into u select * from frame")

    ours, theirs = _in_turn(
        lambda: write_pandas(opened, frame, "U", compression="snappy"), inserted
    )
    packing, _ = _in_turn(
        lambda: frame.to_parquet(tmp_path / "f.parquet", compression="snappy"), int
    )
    print(
        f"write_pandas {ours * 1000:.0f} ms, of which Parquet {packing * 1000:.0f}, "
        f"insert {theirs * 1000:.0f} ms: {ours / theirs:.2f}"
    )
    assert ours / theirs <= BAR_WRITE


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the most memory")
def test_memory_is_flat_in_the_number_of_rows() -> None:
    script = Path(__file__).with_name("client_memory.py")
    found = {
        rows: int(
            subprocess.run(
                [sys.executable, script, str(rows)], capture_output=True, text=True, check=True
            ).stdout
        )
        for rows in (ROWS, 3 * ROWS, 10 * ROWS)
    }
    print(", ".join(f"{rows:,} rows {size} MB" for rows, size in found.items()))
    assert found[10 * ROWS] <= BAR_MEMORY * found[ROWS]
