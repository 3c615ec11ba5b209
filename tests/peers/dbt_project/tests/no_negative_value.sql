select customer_id from {{ ref('customers') }} where lifetime_value < 0
