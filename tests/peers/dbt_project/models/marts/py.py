def model(dbt, session):
    dbt.config(materialized="table", packages=["snowflake-snowpark-python"])
    orders = dbt.ref("stg_orders")
    return orders.group_by("STATUS").count()
