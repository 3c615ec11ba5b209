-- depends_on: {{ ref('raw_payments') }}
select id as payment_id, order_id, method, amount from {{ source('till', 'raw_payments') }}
