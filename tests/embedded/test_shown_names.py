"""SHOW tells the names of objects as they are stored, however a statement wrote them."""

from __future__ import annotations

from skills_nb.embedded.engine.account import Account


def test_what_runs_a_program_is_shown_as_it_is_stored() -> None:
    account = Account.open(None)
    session = account.session("ADMIN", "ACCOUNTADMIN")
    for statement in (
        """CREATE WAREHOUSE "a ""b"" c\"""",
        "CREATE WAREHOUSE PLAIN_WH",
        "CREATE DATABASE HOUSE",
        "CREATE STAGE HOUSE.PUBLIC.CODE",
        """CREATE STREAMLIT HOUSE.PUBLIC.ODD FROM '@HOUSE.PUBLIC.CODE'
          QUERY_WAREHOUSE = "a ""b"" c\"""",
        "CREATE STREAMLIT HOUSE.PUBLIC.PLAIN FROM '@HOUSE.PUBLIC.CODE' QUERY_WAREHOUSE = plain_wh",
        'CREATE COMPUTE POOL "odd pool" MIN_NODES = 1 MAX_NODES = 1 INSTANCE_FAMILY = CPU_X64_XS',
        """CREATE SERVICE HOUSE.PUBLIC.WEB IN COMPUTE POOL "odd pool" QUERY_WAREHOUSE = "a ""b"" c"
          FROM SPECIFICATION 'spec: {containers: [{name: web, image: /house/public/i/web}]}'""",
    ):
        session.execute(statement)
    apps = session.execute('SHOW STREAMLITS ->> SELECT "name", "query_warehouse" FROM $1').rows
    assert dict(apps) == {"ODD": 'a "b" c', "PLAIN": "PLAIN_WH"}
    asked = 'SHOW SERVICES ->> SELECT "compute_pool", "query_warehouse" FROM $1'
    assert tuple(session.execute(asked).rows) == (("odd pool", 'a "b" c'),)
    account.close()
