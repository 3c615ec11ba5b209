{{ config(materialized='incremental', incremental_strategy='append', transient=false) }}
select count(*) as orders, '{{ invocation_id }}' as load_id from {{ ref('stg_orders') }}
