{{ config(materialized='incremental', incremental_strategy='delete+insert', unique_key=['order_date', 'status'], cluster_by=['order_date']) }}
select order_date, status, count(*) as orders from {{ ref('stg_orders') }} group by 1, 2
