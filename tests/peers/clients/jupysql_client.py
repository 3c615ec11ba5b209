"""JupySQL's %sql and %%sql over SQLAlchemy, in an IPython shell."""

import urllib.parse

from checks import ACCOUNT, HOST, PASSWORD, PORT, ROLE, USER, WAREHOUSE, check, report
from IPython.core.interactiveshell import InteractiveShell
from sqlalchemy import create_engine

SECRET = urllib.parse.quote(PASSWORD, safe="")
URL = (
    f"snowflake://{USER}:{SECRET}@{HOST}:{PORT}/PROD/CUSTOMER_DATA"
    f"?account={ACCOUNT}&role={ROLE}&warehouse={WAREHOUSE}"
)
shell = InteractiveShell.instance()


def run(text):
    """Run a cell; return what it left as its value."""
    done = shell.run_cell(text)
    done.raise_error()
    return done.result


@check
def an_engine_is_taken():
    run("%load_ext sql")
    run("%config SqlMagic.displaycon = False\n%config SqlMagic.feedback = 0")
    shell.user_ns["engine"] = create_engine(URL, connect_args={"protocol": "http"})
    run("%sql engine --alias embedded")


@check
def statements_and_queries_run():
    run("%sql create or replace database jupy")
    run(
        '%%sql\ncreate table jupy.public.t (a int, "b c" text);\n'
        "insert into jupy.public.t values (1, 'x'), (2, null);"
    )
    found = run("%sql select * from jupy.public.t order by a")
    assert [tuple(r) for r in found] == [(1, "x"), (2, None)]


@check
def a_result_becomes_a_frame():
    frame = run("%sql select * from jupy.public.t order by a").DataFrame()
    assert frame["a"].tolist() == [1, 2]
    run("%config SqlMagic.autopandas = True")
    assert run("%sql select count(*) as n from jupy.public.t")["n"].tolist() == [2]
    run("%config SqlMagic.autopandas = False")


@check
def a_cell_is_kept_and_used_by_the_next():
    run("%%sql --save first --no-execute\nselect a from jupy.public.t where a > 1")
    assert [tuple(r) for r in run("%sql --with first select * from first")] == [(2,)]


@check
def a_variable_is_put_in():
    shell.user_ns["least"] = 2
    assert [tuple(r) for r in run("%sql select a from jupy.public.t where a >= {{least}}")] == [
        (2,)
    ]


@check
def tables_and_columns_are_listed():
    run("%sql use database prod")
    told = str(run("%sqlcmd tables --schema CUSTOMER_DATA"))
    assert "customers" in told, told
    told = str(run("%sqlcmd columns --table customers --schema CUSTOMER_DATA"))
    assert "email" in told, told


@check
def a_frame_becomes_a_table():
    run("import pandas as pd\nmade = pd.DataFrame({'n': [1, 2, 3]})")
    run("%sql --persist made --no-index")
    assert [tuple(r) for r in run("%sql select sum(n) from made")] == [(6,)]
    run("%sql drop table made")


if __name__ == "__main__":
    report()
