"""What somebody says to get each plan that a primitive offers, on tables other than the demo's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

LAB = 'CLINIC."lab work"."blood tests"'


@dataclass(frozen=True)
class Job:
    """One offered plan with the words that lead to it."""

    says: str
    """A goal, as a person says it; it must be routed to the plan's primitive."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What is answered to questions, by input; what the words tell must not be asked."""
    setup: str = ""
    """What the account holds besides, as statements."""
    leaves: tuple[str, ...] = ()
    """Words of what cleanup leaves: files, the state before where nothing tells it, and the number
    of what was dropped and is made anew."""


_STREAM = """
CREATE STREAM CLINIC.RAW.NEW_VISITS ON TABLE CLINIC.RAW.VISITS;
INSERT INTO CLINIC.RAW.VISITS VALUES (4, 2, '2026-11-03 10:00', 20, 'C')
"""
_PROCEDURE = """
CREATE PROCEDURE CLINIC.RAW.TIDY() RETURNS STRING LANGUAGE SQL AS 'BEGIN RETURN ''tidy''; END'
"""
_TASK = """
CREATE TASK CLINIC.RAW.NIGHTLY WAREHOUSE = CLINIC_WH SCHEDULE = '60 MINUTE' AS SELECT 1;
CREATE TASK CLINIC."lab work"."tidy up" SCHEDULE = '60 MINUTE' AS SELECT 1
"""
_RUNNING_TASK = f"{_TASK}; ALTER TASK CLINIC.RAW.NIGHTLY RESUME"
_MATERIALIZED = """
CREATE MATERIALIZED VIEW CLINIC.RAW.FEES AS
  SELECT WARD, SUM(FEE) AS F FROM CLINIC.RAW.VISITS GROUP BY WARD
"""
_VIEW = """
CREATE VIEW CLINIC."lab work"."good tests" AS
  SELECT "test id" FROM CLINIC."lab work"."blood tests" WHERE "Result" = 'ok'
"""
_ALERT = """
CREATE ALERT CLINIC.RAW.TOO_FEW WAREHOUSE = CLINIC_WH SCHEDULE = '60 MINUTE'
  IF (EXISTS (SELECT 1 FROM CLINIC.RAW.VISITS WHERE FEE < 0))
  THEN INSERT INTO CLINIC.RAW.PATIENTS (PATIENT_ID) VALUES (0)
"""
_RUNNING_ALERT = f"{_ALERT}; ALTER ALERT CLINIC.RAW.TOO_FEW RESUME"
_DYNAMIC = """
CREATE DYNAMIC TABLE CLINIC.MARTS.FEES TARGET_LAG = '1 hour' WAREHOUSE = CLINIC_WH
  AS SELECT WARD, SUM(FEE) AS F FROM CLINIC.RAW.VISITS GROUP BY WARD
"""
_STAGE = """
CREATE STAGE CLINIC."lab work"."from lab" DIRECTORY = (ENABLE = TRUE);
COPY INTO '@CLINIC."lab work"."from lab"/' FROM CLINIC.RAW.VISITS
  FILE_FORMAT = (TYPE = CSV COMPRESSION = NONE FIELD_OPTIONALLY_ENCLOSED_BY = '"') HEADER = TRUE
"""
_PIPE = f"""{_STAGE};
CREATE PIPE CLINIC.RAW.FROM_LAB AS COPY INTO CLINIC.RAW.VISITS FROM '@CLINIC."lab work"."from lab"/'
  FILE_FORMAT = (TYPE = CSV SKIP_HEADER = 1)
"""
_PAUSED_PIPE = f"{_PIPE}; ALTER PIPE CLINIC.RAW.FROM_LAB SET PIPE_EXECUTION_PAUSED = TRUE"

JOBS: Mapping[tuple[str, str], Job] = {
    ("time-travel-and-cloning", "Clone a table"): Job(f"clone {LAB}"),
    ("time-travel-and-cloning", "Clone a schema"): Job("clone schema CLINIC.RAW"),
    ("roles-and-grants", "Let a role read a table"): Job("let role NURSE read CLINIC.RAW.VISITS"),
    ("roles-and-grants", "Show who can read a table"): Job(
        "which roles can read CLINIC.RAW.PATIENTS, by grant"
    ),
    ("tables", "Remove duplicate rows"): Job(f"deduplicate {LAB}"),
    ("tables", "Keep one row for each key"): Job(
        "deduplicate CLINIC.RAW.PATIENTS by PATIENT_ID", {"newest_by": "EMAIL"}
    ),
    ("masking-policies", "Mask a column"): Job(
        "mask EMAIL in CLINIC.RAW.PATIENTS", {"clear_role": "NURSE"}
    ),
    ("masking-policies", "Show a column to one role only"): Job(
        "only role NURSE may see EMAIL in CLINIC.RAW.PATIENTS"
    ),
    ("dynamic-tables", "Create a dynamic table of totals"): Job(
        "a dynamic table in CLINIC.MARTS with the fee per ward from CLINIC.RAW.VISITS"
    ),
    ("dynamic-tables", "Create a dynamic table of averages"): Job(
        "a dynamic table in CLINIC.MARTS with the average fee per ward from CLINIC.RAW.VISITS"
    ),
    ("dynamic-tables", "Create a dynamic table by day, week or month"): Job(
        "a dynamic table in CLINIC.MARTS with the fee per ward and month from CLINIC.RAW.VISITS"
    ),
    ("dynamic-tables", "Create a dynamic table of some rows"): Job(
        "a dynamic table in CLINIC.MARTS with only the rows of"
        " CLINIC.RAW.VISITS where fee is above 5"
    ),
    ("unloading-data", "Unload a table"): Job(f"unload {LAB} as csv", leaves=("stage file",)),
    ("querying-data", "Add up a column by day"): Job("daily fee of our visits"),
    ("querying-data", "Count rows by day"): Job("count our visits per day"),
    ("querying-data", "Average by group"): Job("average fee per ward of the visits"),
    ("querying-data", "Add up a column by group"): Job("total fee per ward of the visits"),
    ("querying-data", "Rank groups by a total"): Job("which ward has the most visits"),
    ("querying-data", "Add up a column by month or week"): Job("fee per month of our visits"),
    ("querying-data", "Find the highest and the lowest value"): Job(
        "what is the highest fee of our visits"
    ),
    ("querying-data", "List the distinct values of a column"): Job(
        "list the distinct wards of our visits"
    ),
    ("querying-data", "Count rows by month or week"): Job("how many visits per month by ward"),
    ("querying-data", "Count the distinct values of a column"): Job(
        "how many different wards do our visits have"
    ),
    ("querying-data", "Count rows"): Job("how many patients per city do we have"),
    ("querying-data", "Show the rows without a match in another table"): Job(
        "which patients have no visits"
    ),
    ("querying-data", "Show rows with what belongs to them in another table"): Job(
        "show the visits with their patients"
    ),
    ("querying-data", "Flatten a JSON column"): Job(f"flatten the JSON column of {LAB}"),
    ("querying-data", "Pivot rows into columns"): Job("pivot the fee of CLINIC.RAW.VISITS by ward"),
    ("querying-data", "Show the rows with the highest values"): Job(
        "show the 2 most expensive visits by fee"
    ),
    ("querying-data", "Show the rows with the lowest values"): Job(
        "show the 2 cheapest visits by fee"
    ),
    ("querying-data", "Show rows"): Job(f"show the first rows of {LAB}"),
    ("streams", "List streams"): Job("which streams do we have", setup=_STREAM),
    ("streams", "Create a stream"): Job(f"create a stream on {LAB}", leaves=("change_tracking",)),
    ("streams", "Create a stream of new rows"): Job(
        "create an append-only stream on CLINIC.RAW.VISITS", leaves=("change_tracking",)
    ),
    ("streams", "Drop a stream"): Job(
        "drop the stream CLINIC.RAW.NEW_VISITS", setup=_STREAM, leaves=("identity",)
    ),
    ("streams", "Show what a stream holds"): Job(
        "show what the stream new visits holds", setup=_STREAM
    ),
    ("tasks", "Schedule a procedure"): Job(
        "run the procedure CLINIC.RAW.TIDY every night", setup=_PROCEDURE
    ),
    ("tasks", "Schedule a statement"): Job(
        "run a statement every Monday as task CLINIC.RAW.TIDY_VISITS",
        {"statement": "DELETE FROM CLINIC.RAW.VISITS WHERE FEE < 0"},
    ),
    ("tasks", "Show failed runs"): Job("which tasks failed in database CLINIC", setup=_TASK),
    ("tasks", "Run a task now"): Job("run the nightly task now", setup=_TASK),
    ("tasks", "Suspend a task"): Job("suspend task CLINIC.RAW.NIGHTLY", setup=_RUNNING_TASK),
    ("tasks", "Resume a task"): Job('resume task CLINIC."lab work"."tidy up"', setup=_TASK),
    ("tasks", "List tasks"): Job("list all tasks", setup=_TASK),
    ("materialized-views", "Show whether materialized views are behind"): Job(
        "show how far our materialized views are behind", setup=_MATERIALIZED
    ),
    ("materialized-views", "Drop a materialized view"): Job(
        "drop materialized view CLINIC.RAW.FEES", setup=_MATERIALIZED, leaves=("identity",)
    ),
    ("materialized-views", "Create a materialized view of totals"): Job(
        "a materialized view with the total fee per ward of CLINIC.RAW.VISITS"
    ),
    ("stored-procedures", "List procedures"): Job("list our procedures", setup=_PROCEDURE),
    ("stored-procedures", "Show the code of a procedure"): Job(
        "show me the code of the procedure tidy", setup=_PROCEDURE
    ),
    ("stored-procedures", "Drop a procedure"): Job(
        "drop the procedure CLINIC.RAW.TIDY", setup=_PROCEDURE, leaves=("identity",)
    ),
    ("stored-procedures", "Run a procedure"): Job(
        "call procedure CLINIC.RAW.TIDY", setup=_PROCEDURE
    ),
    ("tables", "Add a column"): Job(
        "add a date column DISCHARGED_ON to CLINIC.RAW.VISITS", {"column": "DISCHARGED_ON"}
    ),
    ("tables", "Rename a column"): Job(f'rename column "taken" in {LAB} to "taken on"'),
    ("tables", "Cluster a table"): Job("cluster CLINIC.RAW.VISITS by WARD"),
    ("tables", "Drop a column"): Job(
        f'drop column "Result" from {LAB}', leaves=("column Result", "row test id")
    ),
    ("tables", "Make a text column longer"): Job(
        "make the ward column of CLINIC.RAW.WARDS longer",
        setup="CREATE TABLE CLINIC.RAW.WARDS (WARD VARCHAR(10))",
        leaves=("column WARD",),
    ),
    ("querying-data", "Show the columns of a table"): Job(f"describe {LAB}"),
    ("querying-data", "Find duplicate rows"): Job(f"are there duplicates in {LAB}"),
    ("tables", "Create a table of some rows"): Job(
        "create a table of the visits where the ward is A, called WARD_A"
    ),
    ("bulk-data-transfer", "Copy rows into another table"): Job(
        "copy the rows of visits where the ward is A into old visits",
        setup="CREATE TABLE CLINIC.MARTS.OLD_VISITS LIKE CLINIC.RAW.VISITS",
    ),
    ("tables", "Create a table like another"): Job(f"create an empty table like {LAB}"),
    ("tables", "Comment on a table"): Job(
        f"add a comment to table {LAB}", {"text": "what the lab's machine measured"}
    ),
    ("tables", "Empty a table"): Job(f"truncate {LAB}"),
    ("tables", "Delete rows"): Job("delete the visits with a fee below 20"),
    ("tables", "Change values in rows"): Job("set the ward to C for visits with a fee below 60"),
    ("tables", "Drop a table"): Job(f"drop table {LAB}"),
    ("tables", "Rename a table"): Job(f"rename table {LAB} to CLINIC.RAW.BLOOD_TESTS"),
    ("views", "List views"): Job("list all views", setup=_VIEW),
    ("views", "Show what a view is made of"): Job(
        'what is the view CLINIC."lab work"."good tests" made of', setup=_VIEW
    ),
    ("views", "Make a view secure"): Job(
        "make the good tests view secure", setup=_VIEW, leaves=("secure",)
    ),
    ("views", "Drop a view"): Job(
        'drop the view CLINIC."lab work"."good tests"', setup=_VIEW, leaves=("identity",)
    ),
    ("views", "Create a view with a filter"): Job(
        f'create a view over {LAB} filtered by column "Result"', {"value": "ok"}
    ),
    ("alerts", "Log when no rows arrive"): Job(
        "an alert that logs when CLINIC.RAW.VISITS gets no rows for 6 hours"
    ),
    ("alerts", "Log when rows meet a condition"): Job("alert me when a visit has a fee above 80"),
    ("alerts", "Mail when no rows arrive"): Job(
        f"alert me by mail when {LAB} got no new rows for 12 hours",
        {"address": "joan@clinic.org", "integration": "CLINIC_MAIL"},
    ),
    ("alerts", "Suspend an alert"): Job(
        "turn off the alert CLINIC.RAW.TOO_FEW", setup=_RUNNING_ALERT
    ),
    ("alerts", "Resume an alert"): Job("resume the alert too few", setup=_ALERT),
    ("alerts", "Show what an alert did"): Job(
        "show the alert history of CLINIC.RAW.TOO_FEW", setup=_RUNNING_ALERT
    ),
    ("alerts", "List alerts"): Job("list our alerts", setup=_ALERT),
    ("time-travel-and-cloning", "Clone a table as it was"): Job(
        f"clone {LAB} as it was 0 minutes ago"
    ),
    ("time-travel-and-cloning", "Put a table back as it was"): Job(
        f"put {LAB} back to how it was 0 minutes ago"
    ),
    ("time-travel-and-cloning", "Count what changed since"): Job(
        f"compare {LAB} with its state 0 minutes ago"
    ),
    ("time-travel-and-cloning", "Look at a table as it was"): Job(
        f"show {LAB} as it was 0 minutes ago"
    ),
    ("time-travel-and-cloning", "Set the retention of a table"): Job(
        f"set the retention of {LAB} to 7 days"
    ),
    ("data-metric-functions", "Measure a column now"): Job(
        "measure NULL_COUNT of column CITY in CLINIC.RAW.PATIENTS now"
    ),
    ("data-metric-functions", "Watch a column"): Job(
        f'attach a metric function that counts nulls of column "Result" in {LAB} every hour',
        leaves=("metric_schedule",),
    ),
    ("data-metric-functions", "Watch row count and freshness"): Job(
        f"attach data metric functions for row count and freshness to {LAB}",
        leaves=("metric_schedule",),
    ),
    ("data-metric-functions", "Show results"): Job(
        "show the results of the data metric functions on CLINIC.RAW.VISITS"
    ),
    ("dynamic-tables", "Show whether dynamic tables are behind"): Job(
        "show how far our dynamic tables are behind", setup=_DYNAMIC
    ),
    ("dynamic-tables", "Refresh a dynamic table now"): Job(
        "refresh the dynamic table fees now", setup=_DYNAMIC
    ),
    ("dynamic-tables", "Suspend a dynamic table"): Job(
        "suspend dynamic table CLINIC.MARTS.FEES", setup=_DYNAMIC
    ),
    ("dynamic-tables", "Resume a dynamic table"): Job(
        "resume dynamic table CLINIC.MARTS.FEES",
        setup=f"{_DYNAMIC}; ALTER DYNAMIC TABLE CLINIC.MARTS.FEES SUSPEND",
    ),
    ("dynamic-tables", "Change the lag of a dynamic table"): Job(
        "change the lag of dynamic table CLINIC.MARTS.FEES to 30 minutes", setup=_DYNAMIC
    ),
    ("stages", "List stages"): Job("which stages do we have", setup=_STAGE),
    ("stages", "List the files of a stage"): Job("list the files in stage from lab", setup=_STAGE),
    ("stages", "Create a stage"): Job('create a stage CLINIC."lab work"."inbox"'),
    ("stages", "Refresh the directory of a stage"): Job(
        'refresh the directory table of stage CLINIC."lab work"."from lab"', setup=_STAGE
    ),
    ("file-formats", "List file formats"): Job("list our file formats"),
    ("file-formats", "Show a file format"): Job(
        "describe file format CLINIC.RAW.LAB_CSV",
        setup="CREATE FILE FORMAT CLINIC.RAW.LAB_CSV TYPE = CSV FIELD_DELIMITER = ';'",
    ),
    ("file-formats", "Create a file format for CSV"): Job(
        'create a csv file format CLINIC."lab work"."machine" with semicolon'
    ),
    ("file-formats", "Create a file format for JSON"): Job(
        "create a json file format CLINIC.RAW.RECORDS"
    ),
    ("file-formats", "Create a file format for Parquet"): Job(
        "create a file format CLINIC.RAW.COLUMNS for parquet"
    ),
    ("copy-into-table", "Show what was loaded and rejected"): Job(
        "show the copy history of CLINIC.RAW.VISITS, which rows were rejected"
    ),
    ("copy-into-table", "Check files before loading"): Job(
        "copy into CLINIC.RAW.VISITS with validation_mode to check the files in stage from lab",
        setup=_STAGE,
    ),
    ("copy-into-table", "Load files into a table"): Job(
        'copy the csv files of stage CLINIC."lab work"."from lab" into table CLINIC.RAW.VISITS',
        setup=_STAGE,
    ),
    ("snowpipe", "Show the state of a pipe"): Job(
        "show the state of pipe CLINIC.RAW.FROM_LAB", setup=_PIPE
    ),
    ("snowpipe", "Pause a pipe"): Job(
        "pause the pipe CLINIC.RAW.FROM_LAB", setup=_PIPE, leaves=("paused",)
    ),
    ("snowpipe", "Resume a pipe"): Job(
        "resume pipe CLINIC.RAW.FROM_LAB", setup=_PAUSED_PIPE, leaves=("paused",)
    ),
    ("snowpipe", "Load files that a pipe missed"): Job(
        "load the files that pipe CLINIC.RAW.FROM_LAB missed", setup=_PIPE
    ),
    ("snowpipe", "List pipes"): Job("list our pipes", setup=_PIPE),
}
