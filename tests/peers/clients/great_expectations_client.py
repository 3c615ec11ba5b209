"""Great Expectations: data sources, assets of a table and of a query, a checkpoint."""

import urllib.parse

import great_expectations as gx
import great_expectations.expectations as gxe
import snowflake.connector
from checks import ACCOUNT, HOST, PASSWORD, PORT, ROLE, USER, WAREHOUSE, check, report

SECRET = urllib.parse.quote(PASSWORD, safe="")
context = gx.get_context(mode="ephemeral")
known = {}


@check
def a_data_source_is_added():
    with snowflake.connector.connect(connection_name="embedded") as connection:
        for sql in (
            "create or replace database great",
            "create table great.public.orders"
            " (id int, kind varchar(10), amount number(10,2), at date)",
            "insert into great.public.orders values (1, 'a', 9.99, '2026-01-01'),"
            " (2, 'b', 5, '2026-01-02'), (3, 'a', null, '2026-02-01')",
        ):
            connection.cursor().execute(sql)
    known["source"] = context.data_sources.add_sql(
        "embedded",
        connection_string=f"snowflake://{USER}:{SECRET}@{HOST}:{PORT}/GREAT/PUBLIC"
        f"?account={ACCOUNT}&role={ROLE}&warehouse={WAREHOUSE}",
        kwargs={"connect_args": {"protocol": "http"}},
    )


@check
def snowflakes_own_data_source_is_added():
    source = context.data_sources.add_snowflake(
        "own",
        account=ACCOUNT,
        user=USER,
        password=PASSWORD,
        database="GREAT",
        schema="PUBLIC",
        role=ROLE,
        warehouse=WAREHOUSE,
        kwargs={"connect_args": {"host": HOST, "port": PORT, "protocol": "http"}},
    )
    asset = source.add_table_asset("orders", table_name="orders")
    batch = asset.add_batch_definition_whole_table("all").get_batch()
    assert batch.validate(gxe.ExpectTableRowCountToEqual(value=3)).success


@check
def expectations_hold_or_not():
    asset = known["source"].add_table_asset("orders", table_name="orders")
    known["all"] = asset.add_batch_definition_whole_table("all")
    batch = known["all"].get_batch()
    assert batch.columns() == ["id", "kind", "amount", "at"]
    wanted = [
        (gxe.ExpectTableRowCountToEqual(value=3), True),
        (gxe.ExpectColumnValuesToNotBeNull(column="amount"), False),
        (gxe.ExpectColumnValuesToNotBeNull(column="id"), True),
        (gxe.ExpectColumnValuesToBeUnique(column="id"), True),
        (gxe.ExpectColumnValuesToBeUnique(column="kind"), False),
        (gxe.ExpectColumnValuesToBeInSet(column="kind", value_set=["a", "b"]), True),
        (gxe.ExpectColumnValuesToBeBetween(column="amount", min_value=0, max_value=9), False),
        (gxe.ExpectColumnMeanToBeBetween(column="amount", min_value=7, max_value=8), True),
        (gxe.ExpectColumnMedianToBeBetween(column="id", min_value=2, max_value=2), True),
        (gxe.ExpectColumnStdevToBeBetween(column="id", min_value=0.9, max_value=1.1), True),
        (gxe.ExpectColumnSumToBeBetween(column="id", min_value=6, max_value=6), True),
        (gxe.ExpectColumnValuesToMatchRegex(column="kind", regex="^[ab]$"), True),
        (gxe.ExpectColumnValueLengthsToEqual(column="kind", value=1), True),
        (
            gxe.ExpectTableColumnsToMatchOrderedList(column_list=["id", "kind", "amount", "at"]),
            True,
        ),
        (gxe.ExpectColumnToExist(column="nobody"), False),
        (gxe.ExpectColumnValuesToBeOfType(column="kind", type_="VARCHAR(10)"), True),
        (
            gxe.ExpectColumnQuantileValuesToBeBetween(
                column="id", quantile_ranges={"quantiles": [0.5], "value_ranges": [[2, 2]]}
            ),
            True,
        ),
        (gxe.ExpectCompoundColumnsToBeUnique(column_list=["id", "kind"]), True),
        (gxe.ExpectColumnDistinctValuesToEqualSet(column="kind", value_set=["a", "b"]), True),
        (
            gxe.UnexpectedRowsExpectation(
                unexpected_rows_query="select * from {batch} where amount < 0"
            ),
            True,
        ),
    ]
    wrong = [
        (type(e).__name__, e.column if hasattr(e, "column") else "", done.result)
        for e, said in wanted
        if bool((done := batch.validate(e)).success) is not said
    ]
    assert not wrong, wrong


@check
def a_query_asset_and_a_partition_by_month_answer():
    asset = known["source"].add_query_asset("few", query="select * from orders where id < 3")
    few = asset.add_batch_definition_whole_table("all").get_batch()
    assert few.validate(gxe.ExpectTableRowCountToEqual(value=2)).success
    monthly = known["source"].get_asset("orders").add_batch_definition_monthly("m", column="at")
    batch = monthly.get_batch(batch_parameters={"year": 2026, "month": 2})
    assert batch.validate(gxe.ExpectTableRowCountToEqual(value=1)).success


@check
def a_checkpoint_is_run():
    suite = context.suites.add(
        gx.ExpectationSuite(
            "s", expectations=[gxe.ExpectColumnMaxToBeBetween(column="id", max_value=3)]
        )
    )
    definition = context.validation_definitions.add(
        gx.ValidationDefinition(name="v", data=known["all"], suite=suite)
    )
    done = context.checkpoints.add(
        gx.Checkpoint(name="c", validation_definitions=[definition])
    ).run()
    assert done.success


if __name__ == "__main__":
    report()
