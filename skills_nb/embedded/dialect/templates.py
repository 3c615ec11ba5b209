"""Templates: functions that are one DuckDB expression, by name and with the place of arguments.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.sugar.selects import SEEDED

TEMPLATES = {
    SEEDED: "CAST(CAST(hash(:a0, :a1) AS HUGEINT) - 9223372036854775808 AS HUGEINT)",
    "TO_JSON": "CAST(:a0 AS VARCHAR)",
    "TO_OBJECT": "CAST(:a0 AS JSON)",
    "STRIP_NULL_VALUE": "CASE WHEN json_type(:a0) <> 'NULL' THEN :a0 END",
    "CHECK_JSON": "CASE WHEN json_valid(:a0) THEN NULL ELSE 'malformed JSON' END",
    "ARRAY_UNIQUE_AGG": "CAST(to_json(list(DISTINCT :a0)) AS JSON)",
    "HASH": "(CAST(hash(:a0) AS HUGEINT) - 9223372036854775808)",
    "HEX_ENCODE": "hex(:a0)",
    "BASE64_ENCODE": "to_base64(CAST(:a0 AS BLOB))",
    "BASE64_DECODE_STRING": "decode(from_base64(:a0))",
    "HEX_DECODE_STRING": "decode(unhex(:a0))",
}
_KINDS = {
    "ARRAY": "('ARRAY')",
    "BOOLEAN": "('BOOLEAN')",
    "CHAR": "('VARCHAR')",
    "DECIMAL": "('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')",
    "DOUBLE": "('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')",
    "INTEGER": "('UBIGINT', 'BIGINT', 'HUGEINT')",
    "NUMBER": "('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')",
    "OBJECT": "('OBJECT')",
    "REAL": "('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')",
    "VARCHAR": "('VARCHAR')",
}
_READ_AS = {
    "ARRAY": "CAST(:a0 AS JSON)",
    "BOOLEAN": "CAST(json_extract_string(:a0, '$') AS BOOLEAN)",
    "CHAR": "json_extract_string(:a0, '$')",
    "DECIMAL": "CAST(CAST(json_extract_string(:a0, '$') AS DECIMAL(38,9)) AS HUGEINT)",
    "DOUBLE": "CAST(json_extract_string(:a0, '$') AS DOUBLE)",
    "INTEGER": "CAST(json_extract_string(:a0, '$') AS HUGEINT)",
    "NUMBER": "CAST(CAST(json_extract_string(:a0, '$') AS DECIMAL(38,9)) AS HUGEINT)",
    "OBJECT": "CAST(:a0 AS JSON)",
    "REAL": "CAST(json_extract_string(:a0, '$') AS DOUBLE)",
    "VARCHAR": "json_extract_string(:a0, '$')",
}
_MOMENTS = {
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP_LTZ": "TIMESTAMPTZ",
    "TIMESTAMP_NTZ": "TIMESTAMP",
    "TIMESTAMP_TZ": "TIMESTAMPTZ",
}
TEMPLATES |= {f"IS_{kind}": f"(json_type(:a0) IN {held})" for kind, held in _KINDS.items()}
TEMPLATES |= {
    f"AS_{kind}": f"CASE WHEN json_type(:a0) IN {_KINDS[kind]} THEN {read} END"
    for kind, read in _READ_AS.items()
}
# A VARIANT keeps a moment as a text, so that a text that reads as one counts as one.
TEMPLATES |= {
    f"AS_{kind}": f"TRY_CAST(json_extract_string(:a0, '$') AS {physical})"
    for kind, physical in _MOMENTS.items()
    if kind != "TIMESTAMP_TZ"  # which is read with its offset
}
TEMPLATES |= {
    f"IS_{kind}": f"(TRY_CAST(json_extract_string(:a0, '$') AS {physical}) IS NOT NULL)"
    for kind, physical in _MOMENTS.items()
}
TEMPLATES |= {
    "HAVERSINE": "(2 * 6371 * asin(sqrt(pow(sin(radians(:a2 - :a0) / 2), 2) + "
    "cos(radians(:a0)) * cos(radians(:a2)) * pow(sin(radians(:a3 - :a1) / 2), 2))))",
}
# Bitmaps and sketches are sets of numbers; their natives read and write hexadecimal digits.
TEMPLATES |= {
    "HLL_ACCUMULATE": "unhex(__native('hll_accumulate', "
    "to_json(list(DISTINCT hash(:a0)) FILTER (:a0 IS NOT NULL))))",
    "HLL_COMBINE": "unhex(__native('hll_combine', to_json(list(hex(:a0)))))",
    "HLL_ESTIMATE": "CAST(__native('hll_estimate', to_json(list(hex(:a0)))) AS HUGEINT)",
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
    exp.ApproxQuantile: "CAST(approx_quantile(:this, CAST(:quantile AS FLOAT)) AS DOUBLE)",
    exp.ApproxTopK: "CAST(__native('top_k', to_json(list(:this)), :expression) AS JSON)",
    exp.ArrayUnionAgg: "CAST(__native('array_union', to_json(list(:this))) AS JSON)",
    exp.BitmapConstructAgg: "unhex(__native('bitmap', to_json(list(:this))))",
    exp.BitmapCount: "CAST(__native('bitmap_count', hex(:this)) AS HUGEINT)",
    exp.BitmapOrAgg: "unhex(__native('bitmap_or', to_json(list(hex(:this)))))",
    exp.ByteLength: "octet_length(encode(CAST(:this AS VARCHAR)))",
    exp.Getbit: "((CAST(:this AS BIGINT) >> CAST(:expression AS INTEGER)) & 1)",
    exp.Hll: "approx_count_distinct(:this)",
    # The words of standard SQL would be read as columns of the same names.
    exp.CurrentDate: "CAST(get_current_timestamp() AS DATE)",
    exp.CurrentTime: "CAST(CAST(get_current_timestamp() AS TIMESTAMP) AS TIME)",
    exp.CurrentTimestamp: "get_current_timestamp()",
    exp.Localtime: "CAST(CAST(get_current_timestamp() AS TIMESTAMP) AS TIME)",
    exp.Localtimestamp: "CAST(get_current_timestamp() AS TIMESTAMP)",
    exp.TryBase64DecodeBinary: "unhex(__native('binary', :this, 'BASE64', TRUE))",
    exp.TryHexDecodeBinary: "unhex(__native('binary', :this, 'HEX', TRUE))",
    exp.TryBase64DecodeString: "__native('try_base64', :this)",
    exp.TryHexDecodeString: "__native('try_hex', :this)",
    exp.Time: "CAST(:this AS TIME)",
    exp.ArrayUniqueAgg: "CAST(to_json(list(DISTINCT :this)) AS JSON)",
    exp.WidthBucket: "CASE WHEN :this < :min_value THEN 0 WHEN :this >= :max_value "
    "THEN :num_buckets + 1 ELSE CAST(floor((:this - :min_value) * :num_buckets / "
    "(:max_value - :min_value)) AS BIGINT) + 1 END",
}
