"""What somebody says to get each plan about warehouses, costs, history and comparisons."""

from __future__ import annotations

from collections.abc import Mapping

from tests.library.offered.jobs import LAB, Job

NIGHT = 'CREATE WAREHOUSE "night wh" INITIALLY_SUSPENDED = TRUE;'
LIMITED = (
    "CREATE RESOURCE MONITOR CLINIC_LIMIT WITH CREDIT_QUOTA = 20 TRIGGERS ON 90 PERCENT DO NOTIFY;"
    "ALTER WAREHOUSE CLINIC_WH SET RESOURCE_MONITOR = CLINIC_LIMIT;"
)
BUDGET = 'CREATE SNOWFLAKE.CORE.BUDGET CLINIC."lab work"."lab budget"();'
WAREHOUSES: Mapping[tuple[str, str], Job] = {
    ("warehouses", "Create a warehouse"): Job('create a small warehouse called "late shift"'),
    ("warehouses", "Let a role use a warehouse"): Job("let role NURSE use warehouse CLINIC_WH"),
    ("warehouses", "Take a warehouse from a role"): Job(
        "revoke usage on warehouse CLINIC_WH from NURSE",
        setup="GRANT USAGE ON WAREHOUSE CLINIC_WH TO ROLE NURSE;",
    ),
    ("warehouses", "Change the size of a warehouse"): Job(
        "resize the night wh to large", setup=NIGHT
    ),
    ("warehouses", "Suspend a warehouse"): Job(
        "suspend CLINIC_WH", setup="ALTER WAREHOUSE CLINIC_WH RESUME IF SUSPENDED;"
    ),
    ("warehouses", "Start a warehouse"): Job("start the warehouse night wh", setup=NIGHT),
    ("warehouses", "Set when a warehouse suspends itself"): Job(
        "let CLINIC_WH suspend itself after 2 minutes"
    ),
    ("warehouses", "Cancel statements that run too long"): Job(
        "cancel statements on CLINIC_WH that run longer than 30 minutes",
        leaves=("statement_timeout_s",),
    ),
    ("warehouses", "Show who may use a warehouse"): Job("show who may use the warehouse CLINIC_WH"),
    ("warehouses", "Drop a warehouse"): Job(
        "drop the warehouse night wh", setup=NIGHT, leaves=("identity",)
    ),
    ("warehouses", "List the warehouses"): Job("which warehouses do we have"),
}
LIMITS: Mapping[tuple[str, str], Job] = {
    ("resource-monitors", "Give a warehouse a monthly limit"): Job(
        "limit the night wh to 50 credits a month", setup=NIGHT
    ),
    ("resource-monitors", "Change a limit"): Job(
        "raise the limit of CLINIC_LIMIT to 80 credits", setup=LIMITED
    ),
    ("resource-monitors", "Take a warehouse off its monitor"): Job(
        "take the resource monitor off CLINIC_WH", setup=LIMITED
    ),
    ("resource-monitors", "List the monitors"): Job("show our resource monitors", setup=LIMITED),
    ("budgets", "Create a budget for a warehouse"): Job(
        'create a budget of 40 credits for CLINIC_WH in CLINIC."lab work"',
        leaves=("CLINIC_WH_BUDGET",),
    ),
    ("budgets", "Show what a budget has spent"): Job(
        "show what the lab budget has spent", setup=BUDGET
    ),
    ("budgets", "Change the limit of a budget"): Job(
        "raise the lab budget to 60 credits", setup=BUDGET, leaves=("limit",)
    ),
}
COSTS: Mapping[tuple[str, str], Job] = {
    ("warehouse-metering", "Credits by warehouse"): Job("credits by warehouse, last 14 days"),
    ("warehouse-metering", "Credits by day"): Job("show the credits per day of this month"),
    ("warehouse-metering", "What one warehouse cost"): Job("what did CLINIC_WH cost this week"),
    ("warehouse-metering", "Credits by user"): Job("how many credits did each user cost us"),
    ("warehouse-metering", "Idle credits by warehouse"): Job("idle credits of our warehouses"),
    ("warehouse-metering", "This week and the week before"): Job(
        "compare the credits of our warehouses with the week before"
    ),
    ("storage-costs", "Largest tables"): Job("list our largest tables"),
    ("storage-costs", "Size of one table"): Job(f"how big is {LAB}"),
    ("storage-costs", "Tables whose history takes most space"): Job(
        "list the bytes in time travel by table"
    ),
    ("storage-costs", "Dropped tables that are still billed"): Job(
        "list dropped tables whose bytes we still pay for"
    ),
    ("storage-costs", "Storage by database"): Job("storage per database"),
    ("serverless-costs", "Credits by service"): Job("serverless credits by service"),
    ("serverless-costs", "Objects that cost most without a warehouse"): Job(
        "which serverless objects cost most"
    ),
}
HISTORY: Mapping[tuple[str, str], Job] = {
    ("query-history", "Slowest statements"): Job("list the slowest queries of the last 3 days"),
    ("query-history", "Failed statements"): Job("show failed queries since yesterday"),
    ("query-history", "Most expensive statements"): Job(
        "list the most expensive queries of the last 30 days"
    ),
    ("query-history", "Statements of a user"): Job("what did user JOAN run this week"),
    ("query-history", "Statements on a table"): Job(f"list the queries on {LAB}"),
}
OLD = (
    "CREATE TABLE CLINIC.RAW.VISITS_OLD AS SELECT * FROM CLINIC.RAW.VISITS WHERE VISIT_ID > 1;"
    "INSERT INTO CLINIC.RAW.VISITS_OLD SELECT VISIT_ID, 9, VISITED_AT, FEE, WARD"
    " FROM CLINIC.RAW.VISITS WHERE VISIT_ID = 1;"
)
LAB_COPY = f'CREATE TABLE CLINIC."lab work"."blood copy" CLONE {LAB};'
COMPARISONS: Mapping[tuple[str, str], Job] = {
    ("table-comparison", "Compare two tables"): Job(
        f'compare {LAB} with CLINIC."lab work"."blood copy"', setup=LAB_COPY
    ),
    ("table-comparison", "Compare two tables by a key"): Job(
        "compare CLINIC.RAW.VISITS with CLINIC.RAW.VISITS_OLD by visit id", setup=OLD
    ),
    ("table-comparison", "Compare the row counts of two tables"): Job(
        "compare the row counts of CLINIC.RAW.VISITS and CLINIC.RAW.VISITS_OLD", setup=OLD
    ),
    ("table-comparison", "Compare the columns of two tables"): Job(
        f"compare the columns of CLINIC.RAW.VISITS and {LAB}"
    ),
}
FEES = (
    "CREATE SEMANTIC VIEW CLINIC.RAW.FEES TABLES (V AS CLINIC.RAW.VISITS PRIMARY KEY (VISIT_ID))"
    " DIMENSIONS (V.WARD AS WARD, V.PATIENT AS PATIENT_ID)"
    " METRICS (V.TOTAL AS SUM(FEE), V.AVERAGE AS AVG(FEE));"
)
POOL = (
    "CREATE COMPUTE POOL LAB_POOL MIN_NODES = 1 MAX_NODES = 1 INSTANCE_FAMILY = CPU_X64_XS"
    " INITIALLY_SUSPENDED = TRUE; ALTER COMPUTE POOL LAB_POOL RESUME;"
)
IMAGES = "CREATE IMAGE REPOSITORY CLINIC.RAW.LAB_IMAGES;"
APP = 'CREATE STREAMLIT CLINIC."lab work"."ward app" QUERY_WAREHOUSE = CLINIC_WH;'
SERVICES: Mapping[tuple[str, str], Job] = {
    ("semantic-views", "Query a semantic view"): Job(
        "query the semantic view CLINIC.RAW.FEES for the total by ward", setup=FEES
    ),
    ("semantic-views", "Show what a semantic view offers"): Job(
        "which metrics does our semantic view have", setup=FEES
    ),
    ("semantic-views", "List the semantic views"): Job("list our semantic views", setup=FEES),
    ("spcs-compute-pools", "Create a compute pool"): Job(
        "create a compute pool called lab_pool with CPU_X64_XS machines"
    ),
    ("spcs-compute-pools", "Suspend a compute pool"): Job(
        "suspend the compute pool LAB_POOL", setup=POOL
    ),
    ("spcs-compute-pools", "List the compute pools"): Job("list our compute pools", setup=POOL),
    ("image-repositories", "Create an image repository"): Job(
        "create an image repository called lab_images in CLINIC.RAW"
    ),
    ("image-repositories", "List the images of a repository"): Job(
        "list the images in CLINIC.RAW.LAB_IMAGES", setup=IMAGES
    ),
    ("streamlit-in-snowflake", "Put a small app on a table"): Job(
        f"put a small app on {LAB} for role NURSE"
    ),
    ("streamlit-in-snowflake", "Let a role use an app"): Job(
        'let role NURSE open the streamlit app CLINIC."lab work"."ward app"', setup=APP
    ),
    ("streamlit-in-snowflake", "List the Streamlit apps"): Job(
        "list our streamlit apps", setup=APP
    ),
}
JOBS = WAREHOUSES | LIMITS | COSTS | HISTORY | COMPARISONS | SERVICES
