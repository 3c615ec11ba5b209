{{ config(contract={'enforced': true}, grants={'select': ['analyst']}, copy_grants=true, query_tag='bakery', pre_hook="select 1", post_hook="alter table {{ this }} set comment = 'checked'") }}
select customer_id, lifetime_value, first_order from {{ ref('customers') }}
