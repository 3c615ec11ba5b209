{{ config(materialized='incremental', incremental_strategy='microbatch', event_time='order_date', batch_size='year', begin='2026-01-01') }}
select order_id, order_date, status from {{ ref('stg_orders') }}
