{{ config(materialized='dynamic_table', target_lag=var('lag', '1 minute'), snowflake_warehouse=target.warehouse) }}
select status, count(*) as orders from {{ ref('raw_orders') }} group by status
