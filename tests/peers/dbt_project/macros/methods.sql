{% macro payment_methods() %}
  {% set found = distinct_values(ref('raw_payments'), 'method') %}
  {{ return(found) }}
{% endmacro %}
{% macro distinct_values(relation, column) %}
  {% if not execute %}{{ return([]) }}{% endif %}
  {{ return(run_query("select distinct " ~ column ~ " from " ~ relation ~ " order by 1").columns[0].values()) }}
{% endmacro %}
