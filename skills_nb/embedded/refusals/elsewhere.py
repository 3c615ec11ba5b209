"""What Snowflake has and this account has not: functions and views behind which a service stands.

Room: embedded (refusals). Without this table their callers would be told that they do not exist.

See https://docs.snowflake.com/en/sql-reference/functions-all and
https://docs.snowflake.com/en/sql-reference/account-usage
"""

_FUNCTIONS = frozenset(
    {
        "AI_EMBED",
        "AI_PARSE_DOCUMENT",
        "AI_TRANSCRIBE",
        "CORTEX_ANALYST_REQUESTS",
        "DATA_AGENT_RUN",
        "EMBED_TEXT_1024",
        "EMBED_TEXT_768",
        "EXTERNAL_TABLE_FILES",
        "FINETUNE",
        "GET_AI_OBSERVABILITY_EVENTS",
        "GET_PRESIGNED_URL",
        "MATERIALIZED_VIEW_REFRESH_HISTORY",
        "MODEL_MONITOR_DRIFT_METRIC",
        "MODEL_MONITOR_PERFORMANCE_METRIC",
        "MODEL_MONITOR_STAT_METRIC",
        "PARSE_DOCUMENT",
        "REPLICATION_GROUP_REFRESH_PROGRESS",
        "SEARCH_PREVIEW",
        "SPLIT_TEXT_MARKDOWN_HEADER",
        "SPLIT_TEXT_RECURSIVE_CHARACTER",
        "SYSTEM$CREATE_SEMANTIC_VIEW_FROM_YAML",
        "SYSTEM$GET_SERVICE_LOGS",
        "SYSTEM$READ_YAML_FROM_SEMANTIC_VIEW",
        "SYSTEM$SHOW_BUDGETS_IN_ACCOUNT",
        "SYSTEM$SHOW_SENSITIVE_DATA_MONITORED_ENTITIES",
        "SYSTEM$VERIFY_EXTERNAL_VOLUME",
        "SYSTEM$WAIT_FOR_SERVICES",
    }
)
_VIEWS = frozenset(
    {
        "CORTEX_AI_FUNCTIONS_USAGE_HISTORY",
        "CORTEX_ANALYST_USAGE_HISTORY",
        "CORTEX_SEARCH_DAILY_USAGE_HISTORY",
        "DBT_PROJECT_EXECUTION_HISTORY",
        "MODEL_VERSIONS",
        "REPLICATION_GROUP_USAGE_HISTORY",
        "SEMANTIC_VIEWS",
        "SNOWPARK_CONTAINER_SERVICES_HISTORY",
        "SNOWPIPE_STREAMING_CLIENT_HISTORY",
    }
)
SCHEMAS = frozenset(
    {
        "ALERT",
        "BILLING",
        "DATA_SHARING_USAGE",
        "LOCAL",
        "ML",
        "MODELS",
        "NOTIFICATION",
        "ORGANIZATION_USAGE",
        "READER_ACCOUNT_USAGE",
        "TELEMETRY",
        "TRUST_CENTER",
    }
)
"""Schemas of the database SNOWFLAKE of which this account has nothing, or only some functions."""
ELSEWHERE = _FUNCTIONS | _VIEWS
"""Names without their schema: models, search, agents, documents, cloud storage, YAML models."""
