SHOW TABLES IN DATABASE AQUARIUM;
SHOW TASKS IN DATABASE AQUARIUM;
-- turn 2
SELECT * FROM AQUARIUM."House"."agreed with the keepers" ORDER BY 1, 2, 3;
-- turn 3
SHOW TASKS IN DATABASE AQUARIUM;
CREATE TABLE AQUARIUM."House"."runs less often" AS
WITH EVERY AS (
  SELECT "schema_name" AS SCH, "name" AS TASK, TRY_TO_NUMBER(SPLIT_PART("schedule", ' ', 1))
    * DECODE(LEFT(UPPER(SPLIT_PART("schedule", ' ', 2)), 1), 'S', 1, 'M', 60, 'H', 3600) / 60 AS MINUTES
  FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))
  WHERE "state" = 'started' AND "warehouse" = 'REEF_WH'
),
AGREED AS (
  SELECT "Schema", "Task", "Minutes" FROM AQUARIUM."House"."agreed with the keepers"
  WHERE "From" <= CURRENT_DATE
  QUALIFY ROW_NUMBER() OVER (PARTITION BY "Schema", "Task" ORDER BY "From" DESC) = 1
)
SELECT A."Schema", A."Task", E.MINUTES AS "Before", A."Minutes" AS "After"
FROM AGREED A
JOIN EVERY E ON E.SCH = A."Schema" AND E.TASK = A."Task"
WHERE E.MINUTES < A."Minutes";
DECLARE
  CHANGED CURSOR FOR SELECT 'AQUARIUM."' || "Schema" || '"."' || "Task" || '"' AS TASK, "After"::INT AS MINUTES
    FROM AQUARIUM."House"."runs less often";
BEGIN
  FOR C IN CHANGED DO
    EXECUTE IMMEDIATE 'ALTER TASK ' || C.TASK || ' SUSPEND';
    EXECUTE IMMEDIATE 'ALTER TASK ' || C.TASK || ' SET SCHEDULE = ''' || C.MINUTES || ' MINUTE''';
    EXECUTE IMMEDIATE 'ALTER TASK ' || C.TASK || ' RESUME';
  END FOR;
END;
