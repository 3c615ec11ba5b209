{{ config(materialized='incremental', unique_key='"Week no"', on_schema_change='sync_all_columns') }}
select date_trunc('week', order_date) as "Week no", count(*) as "orders" from {{ ref('stg_orders') }} group by 1
