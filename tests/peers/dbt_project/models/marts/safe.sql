{{ config(materialized='view', secure=true, copy_grants=true) }}
select * from {{ ref('customers') }}
