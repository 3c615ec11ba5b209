"""Spelling: the parser of queries, which remembers how each result column was written.

Room: embedded. Pure. A column without an alias is called like its text.

See https://docs.snowflake.com/en/sql-reference/sql/select
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp, parser
from sqlglot.dialects.dialect import DialectType
from sqlglot.dialects.snowflake import Snowflake
from sqlglot.parsers.snowflake import SnowflakeParser
from sqlglot.tokenizer_core import Token, TokenType

from skills_nb.embedded import errors
from skills_nb.embedded.parser.desugar import window_rules
from skills_nb.embedded.parser.desugar.argument_counts import counting
from skills_nb.errors import SkillsError

if not str(parser.__file__).endswith(".py"):
    # The parser below derives from sqlglot's, which compiled classes do not allow.
    raise SkillsError(
        "sqlglotc is installed here, sqlglot's compiled parser; the embedded account takes the "
        "one in Python",
        hint="python -m pip uninstall sqlglotc; what needs it works in an environment of its own",
    )

TEXT = "text"
"""Where a projection keeps its text."""


_LISTED = """
ABS ACOS ACOSH ADD_MONTHS AGG AI_AGG AI_CLASSIFY AI_EMBED AI_SIMILARITY AI_SUMMARIZE_AGG ANY_VALUE
APPROXIMATE_JACCARD_INDEX APPROXIMATE_SIMILARITY APPROX_COUNT_DISTINCT APPROX_PERCENTILE
APPROX_PERCENTILE_ACCUMULATE APPROX_PERCENTILE_COMBINE APPROX_PERCENTILE_ESTIMATE APPROX_TOP_K
APPROX_TOP_K_ACCUMULATE APPROX_TOP_K_COMBINE APPROX_TOP_K_ESTIMATE ARRAY ARRAYAGG ARRAYS_OVERLAP
ARRAYS_ZIP ARRAY_AGG ARRAY_APPEND ARRAY_CAT ARRAY_COMPACT ARRAY_CONSTRUCT ARRAY_CONSTRUCT_COMPACT
ARRAY_CONTAINS ARRAY_DISTINCT ARRAY_EXCEPT ARRAY_FLATTEN ARRAY_GENERATE_RANGE ARRAY_INSERT
ARRAY_INTERSECTION ARRAY_MAX ARRAY_MIN ARRAY_POSITION ARRAY_PREPEND ARRAY_REMOVE ARRAY_REMOVE_AT
ARRAY_REVERSE ARRAY_SIZE ARRAY_SLICE ARRAY_SORT ARRAY_TO_STRING ARRAY_UNION_AGG ARRAY_UNIQUE_AGG
ASCII ASIN ASINH ATAN ATAN2 ATANH AVG BASE64_DECODE_BINARY BASE64_DECODE_STRING BASE64_ENCODE
BITAND BITANDAGG BITAND_AGG BITMAP_BIT_POSITION BITMAP_BUCKET_NUMBER BITMAP_CONSTRUCT_AGG
BITMAP_COUNT BITMAP_OR_AGG BITNOT BITOR BITORAGG BITOR_AGG BITSHIFTLEFT BITSHIFTRIGHT BITXOR
BITXORAGG BITXOR_AGG BIT_ANDAGG BIT_AND_AGG BIT_LENGTH BIT_NOT BIT_ORAGG BIT_OR_AGG BIT_SHIFTLEFT
BIT_SHIFTRIGHT BIT_XORAGG BIT_XOR_AGG BOOLAND BOOLAND_AGG BOOLNOT BOOLOR BOOLOR_AGG BOOLXOR
BOOLXOR_AGG BYTE_LENGTH CAST CBRT CEIL CEILING CHAR CHARACTER_LENGTH CHARINDEX CHAR_LENGTH
CHECK_JSON CHECK_XML CHR COALESCE COLLATE COLLATION COMPRESS CONCAT CONCAT_WS CONNECT_BY_ROOT
CONTAINS CONVERT_TIMEZONE CORR COS COSH COT COUNT COUNT_IF COVAR_POP COVAR_SAMP CUME_DIST
CURRENT_ACCOUNT CURRENT_ACCOUNT_NAME CURRENT_AVAILABLE_ROLES CURRENT_CLIENT CURRENT_DATABASE
CURRENT_DATE CURRENT_IP_ADDRESS CURRENT_ORGANIZATION_NAME CURRENT_ORGANIZATION_USER CURRENT_REGION
CURRENT_ROLE CURRENT_ROLE_TYPE CURRENT_SCHEMA CURRENT_SCHEMAS CURRENT_SECONDARY_ROLES
CURRENT_SESSION CURRENT_STATEMENT CURRENT_TIME CURRENT_TIMESTAMP CURRENT_TRANSACTION CURRENT_USER
CURRENT_VERSION CURRENT_WAREHOUSE DATE DATEADD DATEDIFF DATEFROMPARTS DATE_FROM_PARTS DATE_PART
DATE_TRUNC DAY DAYNAME DAYOFMONTH DAYOFWEEK DAYOFWEEKISO DAYOFWEEK_ISO DAYOFYEAR DECODE
DECOMPRESS_BINARY DECOMPRESS_STRING DECRYPT DECRYPT_RAW DEGREES DENSE_RANK DIRECTORY DIV0 DIV0NULL
EDITDISTANCE ENCRYPT ENCRYPT_RAW ENDSWITH EQUAL_NULL EXP EXTRACT FACTORIAL FILTER FIRST_VALUE
FLATTEN FLOOR GENERATOR GET GETBIT GETDATE GET_IGNORE_CASE GET_PATH GREATEST GREATEST_IGNORE_NULLS
GROUPING GROUPING_ID HASH_AGG HEX_DECODE_BINARY HEX_DECODE_STRING HEX_ENCODE HLL HOUR IDENTIFIER
IFF IFNULL ILIKE INITCAP INSERT INSTR IS_ARRAY IS_NULL_VALUE JAROWINKLER_SIMILARITY
JSON_EXTRACT_PATH_TEXT KURTOSIS LAG LAST_DAY LAST_VALUE LEAD LEAST LEAST_IGNORE_NULLS LEFT LEN
LENGTH LIKE LISTAGG LN LOCALTIME LOCALTIMESTAMP LOG LOWER LPAD LTRIM MAP_CAT MAP_CONTAINS_KEY
MAP_DELETE MAP_INSERT MAP_KEYS MAP_PICK MAP_SIZE MAX MAX_BY MD5 MD5_BINARY MD5_HEX
MD5_NUMBER_LOWER64 MD5_NUMBER_UPPER64 MEDIAN MIN MINHASH MINHASH_COMBINE MINUTE MIN_BY MOD MODE
MONTH MONTHNAME MONTHS_BETWEEN NEXT_DAY NORMAL NTH_VALUE NTILE NULLIF NULLIFZERO NVL NVL2
OBJECT_AGG OBJECT_CONSTRUCT OBJECT_CONSTRUCT_KEEP_NULL OBJECT_INSERT OBJECT_KEYS OCTET_LENGTH
PARSE_IP PARSE_JSON PARSE_URL PERCENTILE_CONT PERCENTILE_DISC PERCENT_RANK PI POSITION POW POWER
PREVIOUS_DAY QUARTER RADIANS RANDOM RANDSTR RANK REDUCE REGEXP_COUNT REGEXP_EXTRACT_ALL
REGEXP_INSTR REGEXP_LIKE REGEXP_REPLACE REGEXP_SUBSTR REGEXP_SUBSTR_ALL REGR_AVGX REGR_AVGY
REGR_COUNT REGR_INTERCEPT REGR_R2 REGR_SLOPE REGR_SXX REGR_SXY REGR_SYY REGR_VALX REGR_VALY REPEAT
REPLACE REVERSE RIGHT RLIKE ROUND ROW_NUMBER RPAD RTRIM RTRIMMED_LENGTH SEARCH SEARCH_IP SECOND
SEMANTIC_VIEW SEQ1 SEQ2 SEQ4 SEQ8 SHA SHA1 SHA1_BINARY SHA1_HEX SHA2 SHA2_BINARY SHA2_HEX SIGN SIN
SINH SKEW SOUNDEX SOUNDEX_P123 SPACE SPLIT SPLIT_PART SPLIT_TO_TABLE SQRT SQUARE STARTSWITH STDDEV
STDDEV_POP STDDEV_SAMP STRING_AGG STRIP_NULL_VALUE STRTOK STRTOK_SPLIT_TO_TABLE STRTOK_TO_ARRAY
ST_DISTANCE ST_MAKEPOINT ST_POINT SUBSTR SUBSTRING SUM SYSDATE SYSTIMESTAMP TABLE TAN TANH TIME
TIMEADD TIMEDIFF TIMEFROMPARTS TIMESTAMP TIMESTAMPADD TIMESTAMPDIFF TIMESTAMPFROMPARTS
TIMESTAMPLTZFROMPARTS TIMESTAMPNTZFROMPARTS TIMESTAMPTZFROMPARTS TIMESTAMP_FROM_PARTS
TIMESTAMP_LTZ_FROM_PARTS TIMESTAMP_NTZ_FROM_PARTS TIMESTAMP_TZ_FROM_PARTS TIME_FROM_PARTS
TIME_SLICE TO_ARRAY TO_BINARY TO_BOOLEAN TO_CHAR TO_DATE TO_DECFLOAT TO_DECIMAL TO_DOUBLE TO_FILE
TO_GEOGRAPHY TO_GEOMETRY TO_JSON TO_MAP TO_NUMBER TO_NUMERIC TO_TIME TO_TIMESTAMP TO_TIMESTAMP_LTZ
TO_TIMESTAMP_NTZ TO_TIMESTAMP_TZ TO_VARCHAR TO_VARIANT TRANSFORM TRANSLATE TRIM TRUNC TRUNCATE
TRY_BASE64_DECODE_BINARY TRY_BASE64_DECODE_STRING TRY_CAST TRY_DECRYPT TRY_DECRYPT_RAW
TRY_HEX_DECODE_BINARY TRY_HEX_DECODE_STRING TRY_PARSE_JSON TRY_TO_BINARY TRY_TO_BOOLEAN
TRY_TO_DATE TRY_TO_DECFLOAT TRY_TO_DECIMAL TRY_TO_DOUBLE TRY_TO_FILE TRY_TO_NUMBER TRY_TO_NUMERIC
TRY_TO_TIME TRY_TO_TIMESTAMP TRY_TO_TIMESTAMP_LTZ TRY_TO_TIMESTAMP_NTZ TRY_TO_TIMESTAMP_TZ TYPEOF
UNICODE UNIFORM UPPER UUID_STRING VARIANCE VARIANCE_POP VARIANCE_SAMP VAR_POP VAR_SAMP
VECTOR_COSINE_SIMILARITY VECTOR_INNER_PRODUCT VECTOR_L1_DISTANCE VECTOR_L2_DISTANCE WEEK WEEKISO
WEEKOFYEAR WIDTH_BUCKET XMLGET YEAR YEAROFWEEK YEAROFWEEKISO ZEROIFNULL ZIPF
"""
_KNOWN = frozenset(_LISTED.split())
"""Functions of Snowflake's that the parser knows; those of other databases are unknown ones.

See https://docs.snowflake.com/en/sql-reference/functions-all
"""


def _to_char(arguments: list[exp.Expr]) -> exp.ToChar:
    """Keep the format as it is written, which the parser would put in other words."""
    value, form, *_ = (*arguments, None, None)
    return exp.ToChar(this=value, format=form)


def _tried(kind: str) -> Callable[[list[exp.Expr]], exp.Expr]:
    """Return what builds TRY_TO_…, which sqlglot knows without TRY alone."""

    def built(arguments: list[exp.Expr]) -> exp.Expr:
        if len(arguments) != 1:
            return exp.Anonymous(this=f"TRY_TO_{kind}", expressions=arguments)
        return exp.TryCast(this=arguments[0], to=exp.DataType.build(kind))

    return built


def _named(token: Token) -> Token:
    return Token(TokenType.VAR, token.text, token.line, token.col, token.start, token.end)


def _object(arguments: list[exp.Expr]) -> exp.Expr:
    """Build OBJECT_CONSTRUCT, which takes keys and values; a table's name is none of them."""
    if len(arguments) % 2 and not any(argument.find(exp.Star) for argument in arguments):
        lone = arguments[0] if len(arguments) == 1 else None
        if not isinstance(lone, exp.Column):
            raise errors.not_enough_arguments("OBJECT_CONSTRUCT")
        raise errors.syntax(
            "syntax error: OBJECT_CONSTRUCT takes keys and values; write "
            f"OBJECT_CONSTRUCT({lone.sql('snowflake')}.*) for all columns of a table."
        )
    made: exp.Expr = SnowflakeParser.FUNCTIONS["OBJECT_CONSTRUCT"](arguments)
    return made


class Spelled(Snowflake):
    """Snowflake's SQL, with the text of projections."""

    SUPPORTS_USER_DEFINED_TYPES = True
    """Lets a column's type be any name, so that one which is none can be told as such."""

    def tokenize(self, sql: str, dialect: DialectType = None) -> list[Token]:
        """Cut the text; what follows `!` is a method's name, whatever it means elsewhere."""
        found = super().tokenize(sql, dialect)
        return [
            _named(token) if at and found[at - 1].token_type is TokenType.EXCLAMATION else token
            for at, token in enumerate(found)
        ]

    class Tokenizer(Snowflake.Tokenizer):
        """Cuts texts; a question mark is a value that comes beside the text, whatever follows."""

        KEYWORDS = {  # noqa: RUF012 - the parser's own form
            word: kind
            for word, kind in Snowflake.Tokenizer.KEYWORDS.items()
            if not word.startswith("?")
        }

    class Parser(SnowflakeParser):
        """Reads queries."""

        FUNCTIONS = {  # noqa: RUF012 - the parser's own form
            **counting({n: b for n, b in SnowflakeParser.FUNCTIONS.items() if n in _KNOWN}),
            "OBJECT_CONSTRUCT": _object,
            **dict.fromkeys(("TO_CHAR", "TO_VARCHAR"), _to_char),
            **{f"TRY_TO_{kind}": _tried(kind) for kind in ("GEOGRAPHY", "GEOMETRY")},
        }
        FUNCTION_PARSERS = {  # noqa: RUF012
            name: read for name, read in SnowflakeParser.FUNCTION_PARSERS.items() if name in _KNOWN
        }

        def _parse_window(self, this: exp.Expr | None, alias: bool = False) -> exp.Expr | None:
            made: exp.Expr | None = super()._parse_window(this, alias)
            if isinstance(made, exp.Window) and not alias:
                window_rules.check(made)
            return made

        def _parse_cluster_property(self) -> exp.ClusterProperty:
            """Read a clustering key, of any expressions, with LINEAR before it as it is shown."""
            self._match_text_seq("LINEAR")
            keys = self._parse_wrapped_csv(self._parse_disjunction)
            return exp.ClusterProperty(expressions=keys)

        def _parse_projections(self) -> tuple[list[exp.Expr], list[exp.Expr] | None]:
            return self._parse_csv(self._parse_spelled), None

        def _parse_spelled(self) -> exp.Expr | None:
            start = self._curr
            made: exp.Expr | None = self._parse_expression()
            if made is not None:
                made.meta[TEXT] = " ".join(self._find_sql(start, self._prev).split())
            return made
