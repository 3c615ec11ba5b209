"""Files and frames through the real connector and Snowpark, over the wire in this process."""

import io
from pathlib import Path

import pytest

from skills_nb.embedded.engine.account import Account
from skills_nb.embedded.engine.session import AccountSession
from skills_nb.embedded.wire import EmbeddedWire
from skills_nb.runtime import mounted_connection


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_snowpark_moves_files_and_frames(
    account: Account, admin: AccountSession, tmp_path: Path
) -> None:
    import pandas
    from snowflake.snowpark import Session

    (tmp_path / "x.csv").write_text("1,x\n")
    given = {"user": "ADMIN", "role": "ACCOUNTADMIN", "database": "SHOP", "schema": "SALES"}
    connection = mounted_connection.connect(EmbeddedWire(account), **given, warehouse="COMPUTE_WH")
    session = Session.builder.configs({"connection": connection}).create()
    session.sql("create stage st").collect()
    put = session.file.put(f"{tmp_path}/x.csv", "@st/in")
    session.file.put_stream(io.BytesIO(b"2,y\n"), "@st/in/y.csv", auto_compress=False)
    got = session.file.get("@st/in/y.csv", str(tmp_path))
    frame = pandas.DataFrame({"A": [1, 2], "b": ["x", None]})
    made = session.create_dataframe(frame).collect()
    session.write_pandas(frame, "WP", auto_create_table=True)
    written = session.table("WP").collect()
    with session.file.get_stream("@st/in/y.csv") as opened:
        streamed = opened.read()
    session.close()
    assert [(r.source, r.target, r.status) for r in put] == [("x.csv", "x.csv.gz", "UPLOADED")]
    assert [(r.file, r.status) for r in got] == [("y.csv", "DOWNLOADED")]
    assert (tmp_path / "y.csv").read_bytes() == streamed == b"2,y\n"
    assert [tuple(r) for r in made] == [tuple(r) for r in written] == [(1, "x"), (2, None)]
