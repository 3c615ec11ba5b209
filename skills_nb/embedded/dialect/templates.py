"""Templates: functions that are one DuckDB expression, by name and with the place of arguments.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""

from __future__ import annotations

from sqlglot import exp

TEMPLATES = {
    "TO_JSON": "CAST(:a0 AS VARCHAR)",
    "TO_VARIANT": "CAST(to_json(:a0) AS JSON)",
    "TO_OBJECT": "CAST(:a0 AS JSON)",
    "STRIP_NULL_VALUE": "CASE WHEN json_type(:a0) <> 'NULL' THEN :a0 END",
    "CHECK_JSON": "CASE WHEN json_valid(:a0) THEN NULL ELSE 'malformed JSON' END",
    "ARRAY_UNIQUE_AGG": "CAST(to_json(list(DISTINCT :a0)) AS JSON)",
    "AS_INTEGER": "CASE WHEN json_type(:a0) IN ('UBIGINT', 'BIGINT') "
    "THEN CAST(json_extract_string(:a0, '$') AS HUGEINT) END",
    "AS_VARCHAR": "CASE WHEN json_type(:a0) = 'VARCHAR' THEN json_extract_string(:a0, '$') END",
    "IS_OBJECT": "(json_type(:a0) = 'OBJECT')",
    "IS_ARRAY": "(json_type(:a0) = 'ARRAY')",
    "IS_VARCHAR": "(json_type(:a0) = 'VARCHAR')",
    "IS_INTEGER": "(json_type(:a0) IN ('UBIGINT', 'BIGINT'))",
    "IS_BOOLEAN": "(json_type(:a0) = 'BOOLEAN')",
    "HASH": "(CAST(hash(:a0) AS HUGEINT) - 9223372036854775808)",
    "HEX_ENCODE": "hex(:a0)",
    "BASE64_ENCODE": "to_base64(CAST(:a0 AS BLOB))",
    "BASE64_DECODE_STRING": "decode(from_base64(:a0))",
    "HEX_DECODE_STRING": "decode(unhex(:a0))",
    "SYSTEM$TYPEOF": "typeof(:a0)",
}
TYPED: dict[type[exp.Expr], str] = {
    exp.ObjectAgg: "CAST(json_group_object(:this, :expression) AS JSON)",
    exp.JSONKeys: "CAST(to_json(json_keys(:this)) AS JSON)",
    exp.IsNullValue: "(json_type(:this) = 'NULL')",
    exp.ArrayAppend: "CAST(to_json(list_append(from_json(:this, '[\"JSON\"]'), "
    "CAST(to_json(:expression) AS JSON))) AS JSON)",
    exp.ArrayPrepend: "CAST(to_json(list_prepend(CAST(to_json(:expression) AS JSON), "
    "from_json(:this, '[\"JSON\"]'))) AS JSON)",
    exp.ToArray: "CASE WHEN :this IS NULL THEN NULL ELSE CAST(json_array(:this) AS JSON) END",
    exp.Time: "CAST(:this AS TIME)",
    exp.ArrayUniqueAgg: "CAST(to_json(list(DISTINCT :this)) AS JSON)",
    exp.WidthBucket: "CASE WHEN :this < :min_value THEN 0 WHEN :this >= :max_value "
    "THEN :num_buckets + 1 ELSE CAST(floor((:this - :min_value) * :num_buckets / "
    "(:max_value - :min_value)) AS BIGINT) + 1 END",
}
