{{ config(materialized='incremental', unique_key='order_id', on_schema_change='append_new_columns') }}
select order_id, customer_id, order_date, status, current_timestamp() as loaded_at
from {{ ref('stg_orders') }}
{% if is_incremental() %}
where order_date >= (select max(order_date) from {{ this }})
{% endif %}
