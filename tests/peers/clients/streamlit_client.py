"""Streamlit's own connection to Snowflake, in a script that its test harness runs."""

from checks import check, report
from streamlit.testing.v1 import AppTest

BEGIN = """
import streamlit as st

connection = st.connection("embedded", type="snowflake")
"""
WRITES = """
import pandas as pd

connection.session().sql("create or replace database lit").collect()
connection.cursor().execute("create table lit.public.t (a int, s varchar)")
connection.cursor().execute("insert into lit.public.t values (1, 'x'), (2, null)")
connection.write_pandas(pd.DataFrame({"N": [1, 2]}), "FROM_PANDAS", auto_create_table=True)
with connection.session() as session:
    st.text(str(session.table("from_pandas").order_by("n").collect()))
    st.text(str(session.table("lit.public.t").order_by("a").collect()))
connection.reset()
st.text(str(connection.session().get_current_role()))
"""
QUERIES = """
frame = connection.query("select * from lit.public.t order by a", ttl=600)
st.dataframe(frame)
again = connection.query("select count(*) as n from lit.public.t where a > ?", params=(1,), ttl=0)
st.metric("rows", int(again.iloc[0, 0]))
"""


def page(text):
    return AppTest.from_string(BEGIN + text, default_timeout=60).run()


@check
def a_page_writes_and_reconnects():
    run = page(WRITES)
    assert not run.exception, [e.message for e in run.exception]
    assert [shown.value for shown in run.text] == [
        "[Row(N=1), Row(N=2)]",
        "[Row(A=1, S='x'), Row(A=2, S=None)]",
        '"ACCOUNTADMIN"',
    ]


@check
def a_page_queries():
    run = page(QUERIES)
    assert not run.exception, [e.message for e in run.exception]
    (shown,) = run.dataframe
    assert shown.value.to_dict("list")["A"] == [1, 2]
    assert run.metric[0].value == "1"


@check
def a_page_shows_what_was_refused():
    run = page("connection.cursor().execute('select * from lit.public.nobody')\n")
    assert "does not exist or not authorized" in run.exception[0].message


if __name__ == "__main__":
    report()
