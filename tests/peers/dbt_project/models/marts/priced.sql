{{ config(tags=['calculated']) }}
select payment_id, {{ function('cents') }}(amount) as amount_in_cents from {{ ref('stg_payments') }}
