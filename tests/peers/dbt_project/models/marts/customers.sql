{% set methods = payment_methods() %}
select
    customers.customer_id,
    customers.first_name || ' ' || customers.last_name as full_name,
    min(orders.order_date) as first_order,
    count(orders.order_id) as orders,
    coalesce(sum(paid.paid), 0)::number(12, 2) as lifetime_value
    {% for method in methods %}
    , sum(case when payments.method = '{{ method }}' then payments.amount else 0 end) as "{{ method }} amount"
    {% endfor %}
from {{ ref('stg_customers') }} as customers
left join {{ ref('stg_orders') }} as orders using (customer_id)
left join {{ ref('paid') }} as paid on paid.order_id = orders.order_id
left join {{ ref('stg_payments') }} as payments on payments.order_id = orders.order_id
group by 1, 2
