{{ config(materialized='incremental', incremental_strategy='insert_overwrite') }}
select customer_id, last_name from {{ ref('stg_customers') }} where is_regular
