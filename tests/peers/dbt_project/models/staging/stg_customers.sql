select id as customer_id, first_name, last_name, is_regular
from {{ ref('raw_customers') }}
