"""Read so many rows in batches over the connector; print how much more memory that took, in MB."""

import sys
from pathlib import Path

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.wire.wire import EmbeddedWire
from skills_nb.runtime import mounted_connection

COLUMNS = """seq4() a, (seq4() * 1.37)::number(14,2) b, seq4()::float c, 'name ' || seq4() d,
 dateadd(second, seq4(), '2024-01-01'::timestamp_ntz) e, mod(seq4(), 1000)::int f,
 mod(seq4(), 2) = 0 g, seq4() * 1000003 h, mod(seq4(), 7) i, iff(mod(seq4(), 3) = 0, 'x', null) j"""


def peak() -> int:
    """Return the most memory that this process had so far."""
    # Not `getrusage`, which counts what the process was forked from, too.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def read(cursor: object, rows: int) -> int:
    """Read rows in batches and forget them; return how many there were."""
    made = cursor.execute(f"select {COLUMNS} from table(generator(rowcount => {rows}))")  # type: ignore[attr-defined]
    return sum(len(part) for part in made.fetch_pandas_batches())


with Account.open() as account:
    place = {"user": "ADMIN", "role": "ACCOUNTADMIN", "warehouse": "COMPUTE_WH"}
    options = {"client_prefetch_threads": 1, **place}
    with mounted_connection.connect(EmbeddedWire(account), **options) as opened:
        read(opened.cursor(), 1_000)
        before, wanted = peak(), int(sys.argv[1])
        assert read(opened.cursor(), wanted) == wanted
        print(peak() - before)
