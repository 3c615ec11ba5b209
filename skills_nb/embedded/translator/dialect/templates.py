"""Templates: functions that are one DuckDB expression, by name and with the place of arguments.

Room: embedded. Pure.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""

from __future__ import annotations

from sqlglot import exp

from skills_nb.embedded.parser.desugar.selects import SEEDED
from skills_nb.embedded.physical import duck_sql
from skills_nb.embedded.physical.duck_sql import DuckSql

TEMPLATES = {
    SEEDED: duck_sql.of("CAST(CAST(hash(:a0, :a1) AS HUGEINT) - 9223372036854775808 AS HUGEINT)"),
    "TO_JSON": duck_sql.of("CAST(:a0 AS VARCHAR)"),
    "STRIP_NULL_VALUE": duck_sql.of("CASE WHEN json_type(:a0) <> 'NULL' THEN :a0 END"),
    "CHECK_JSON": duck_sql.of("CASE WHEN json_valid(:a0) THEN NULL ELSE 'malformed JSON' END"),
    "ARRAY_UNIQUE_AGG": duck_sql.of("CAST(to_json(list(DISTINCT :a0)) AS JSON)"),
    "HASH": duck_sql.of("(CAST(hash(:a0) AS HUGEINT) - 9223372036854775808)"),
    "HEX_ENCODE": duck_sql.of("hex(:a0)"),
    "BASE64_ENCODE": duck_sql.of("to_base64(CAST(:a0 AS BLOB))"),
    "BASE64_DECODE_STRING": duck_sql.of("decode(from_base64(:a0))"),
    "HEX_DECODE_STRING": duck_sql.of("decode(unhex(:a0))"),
}
_KINDS = {
    "ARRAY": duck_sql.of("('ARRAY')"),
    "BOOLEAN": duck_sql.of("('BOOLEAN')"),
    "CHAR": duck_sql.of("('VARCHAR')"),
    "DECIMAL": duck_sql.of("('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')"),
    "DOUBLE": duck_sql.of("('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')"),
    "INTEGER": duck_sql.of("('UBIGINT', 'BIGINT', 'HUGEINT')"),
    "NUMBER": duck_sql.of("('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')"),
    "OBJECT": duck_sql.of("('OBJECT')"),
    "REAL": duck_sql.of("('UBIGINT', 'BIGINT', 'HUGEINT', 'DOUBLE')"),
    "VARCHAR": duck_sql.of("('VARCHAR')"),
}
_READ_AS = {
    "ARRAY": duck_sql.of("CAST(:a0 AS JSON)"),
    "BOOLEAN": duck_sql.of("CAST(json_extract_string(:a0, '$') AS BOOLEAN)"),
    "CHAR": duck_sql.of("json_extract_string(:a0, '$')"),
    "DECIMAL": duck_sql.of("CAST(CAST(json_extract_string(:a0, '$') AS DECIMAL(38,9)) AS HUGEINT)"),
    "DOUBLE": duck_sql.of("CAST(json_extract_string(:a0, '$') AS DOUBLE)"),
    "INTEGER": duck_sql.of("CAST(json_extract_string(:a0, '$') AS HUGEINT)"),
    "NUMBER": duck_sql.of("CAST(CAST(json_extract_string(:a0, '$') AS DECIMAL(38,9)) AS HUGEINT)"),
    "OBJECT": duck_sql.of("CAST(:a0 AS JSON)"),
    "REAL": duck_sql.of("CAST(json_extract_string(:a0, '$') AS DOUBLE)"),
    "VARCHAR": duck_sql.of("json_extract_string(:a0, '$')"),
}
_MOMENTS = {
    "DATE": duck_sql.kind("DATE"),
    "TIME": duck_sql.kind("TIME"),
    "TIMESTAMP_LTZ": duck_sql.kind("TIMESTAMPTZ"),
    "TIMESTAMP_NTZ": duck_sql.kind("TIMESTAMP"),
    "TIMESTAMP_TZ": duck_sql.kind("TIMESTAMPTZ"),
}
TEMPLATES |= {
    f"IS_{kind}": duck_sql.of("(json_type(:a0) IN {held})", held=held)
    for kind, held in _KINDS.items()
}
TEMPLATES |= {
    f"AS_{kind}": duck_sql.of(
        "CASE WHEN json_type(:a0) IN {kinds} THEN {read} END", kinds=_KINDS[kind], read=read
    )
    for kind, read in _READ_AS.items()
}
_WHOLE = duck_sql.of("FALSE")
_FINE = duck_sql.of(
    "regexp_matches(json_extract_string(:a0, '$'), ':[0-9]+\\.[0-9]{6}[0-9]*[1-9]')"
)
# A VARIANT keeps a moment as a text, so that a text that reads as one counts as one.
TEMPLATES |= {
    f"AS_{kind}": duck_sql.of(
        "TRY_CAST(CASE WHEN {fine} THEN error('Unsupported feature: nanoseconds below a "
        "microsecond') ELSE json_extract_string(:a0, '$') END AS {p})",
        fine=_WHOLE if kind == "DATE" else _FINE,
        p=physical,
    )
    for kind, physical in _MOMENTS.items()
    if kind != "TIMESTAMP_TZ"  # which is read with its offset
}
TEMPLATES |= {
    f"IS_{kind}": duck_sql.of(
        "(TRY_CAST(json_extract_string(:a0, '$') AS {p}) IS NOT NULL)", p=physical
    )
    for kind, physical in _MOMENTS.items()
}
TEMPLATES |= {
    "HAVERSINE": duck_sql.of(
        "(2 * 6371 * asin(sqrt(pow(sin(radians(:a2 - :a0) / 2), 2) + "
        "cos(radians(:a0)) * cos(radians(:a2)) * pow(sin(radians(:a3 - :a1) / 2), 2))))"
    ),
}
# Bitmaps and sketches are sets of numbers; their natives read and write hexadecimal digits.
TEMPLATES |= {
    "HLL_ACCUMULATE": duck_sql.of(
        "unhex(__native('hll_accumulate', "
        "to_json(list(DISTINCT hash(:a0)) FILTER (:a0 IS NOT NULL))))"
    ),
    "HLL_COMBINE": duck_sql.of("unhex(__native('hll_combine', to_json(list(hex(:a0)))))"),
    "HLL_ESTIMATE": duck_sql.of(
        "CAST(__native('hll_estimate', to_json(list(hex(:a0)))) AS HUGEINT)"
    ),
}
TYPED: dict[type[exp.Expr], DuckSql] = {
    exp.ObjectAgg: duck_sql.of(
        "CAST(__native('object_agg', coalesce(CAST(to_json(list("
        "[CAST(to_json(CAST(:this AS VARCHAR)) AS JSON), CAST(to_json(:expression) AS JSON)]) "
        "FILTER (:this IS NOT NULL AND :expression IS NOT NULL)) AS VARCHAR), '[]')) AS JSON)"
    ),
    exp.JSONKeys: duck_sql.of("CAST(to_json(json_keys(:this)) AS JSON)"),
    exp.IsNullValue: duck_sql.of("(json_type(:this) = 'NULL')"),
    exp.ArrayAppend: duck_sql.of(
        "CASE WHEN :this IS NOT NULL THEN CAST(to_json(list_append(from_json(:this, '[\"JSON\"]'), "
        "CAST(to_json(:expression) AS JSON))) AS JSON) END"
    ),
    exp.ArrayPrepend: duck_sql.of(
        "CASE WHEN :this IS NOT NULL THEN CAST(to_json(list_prepend("
        "CAST(to_json(:expression) AS JSON), from_json(:this, '[\"JSON\"]'))) AS JSON) END"
    ),
    exp.ApproxQuantile: duck_sql.of(
        "quantile_cont(CAST(:this AS DOUBLE), CAST(:quantile AS DOUBLE))"
    ),
    exp.ApproxTopK: duck_sql.of(
        "CAST(__native('top_k', to_json(list(:this)), :expression) AS JSON)"
    ),
    exp.ArrayUnionAgg: duck_sql.of("CAST(__native('array_union', to_json(list(:this))) AS JSON)"),
    exp.BitmapConstructAgg: duck_sql.of("unhex(__native('bitmap', to_json(list(:this))))"),
    exp.BitmapCount: duck_sql.of("CAST(__native('bitmap_count', hex(:this)) AS HUGEINT)"),
    exp.BitmapOrAgg: duck_sql.of("unhex(__native('bitmap_or', to_json(list(hex(:this)))))"),
    # The root that DuckDB finds of a whole number's cube is off by its last bit.
    exp.Cbrt: duck_sql.of(
        "CASE WHEN pow(round(cbrt(CAST(:this AS DOUBLE))), 3) = CAST(:this AS DOUBLE) "
        "THEN round(cbrt(CAST(:this AS DOUBLE))) ELSE cbrt(CAST(:this AS DOUBLE)) END"
    ),
    exp.ByteLength: duck_sql.of("octet_length(encode(CAST(:this AS VARCHAR)))"),
    exp.Getbit: duck_sql.of("((CAST(:this AS BIGINT) >> CAST(:expression AS INTEGER)) & 1)"),
    exp.Hll: duck_sql.of("approx_count_distinct(:this)"),
    # The words of standard SQL would be read as columns of the same names.
    exp.CurrentDate: duck_sql.of("CAST(get_current_timestamp() AS DATE)"),
    exp.CurrentTime: duck_sql.of("CAST(CAST(get_current_timestamp() AS TIMESTAMP) AS TIME)"),
    exp.CurrentTimestamp: duck_sql.of("get_current_timestamp()"),
    exp.Localtime: duck_sql.of("CAST(CAST(get_current_timestamp() AS TIMESTAMP) AS TIME)"),
    exp.Localtimestamp: duck_sql.of("CAST(get_current_timestamp() AS TIMESTAMP)"),
    exp.TryBase64DecodeBinary: duck_sql.of("unhex(__native('binary', :this, 'BASE64', TRUE))"),
    exp.TryHexDecodeBinary: duck_sql.of("unhex(__native('binary', :this, 'HEX', TRUE))"),
    exp.TryBase64DecodeString: duck_sql.of("__native('try_base64', :this)"),
    exp.TryHexDecodeString: duck_sql.of("__native('try_hex', :this)"),
    exp.Time: duck_sql.of("CAST(:this AS TIME)"),
    exp.ArrayUniqueAgg: duck_sql.of(
        "CAST(coalesce(to_json(list(DISTINCT :this) FILTER (:this IS NOT NULL)), '[]') AS JSON)"
    ),
    exp.WidthBucket: duck_sql.of(
        "CASE WHEN :this < :min_value THEN 0 WHEN :this >= :max_value "
        "THEN :num_buckets + 1 ELSE CAST(floor((:this - :min_value) * :num_buckets / "
        "(:max_value - :min_value)) AS BIGINT) + 1 END"
    ),
}
