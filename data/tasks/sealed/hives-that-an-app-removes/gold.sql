CREATE TABLE BEES."verein süd"."entfernt" ("id" NUMBER, "wer" STRING, "wann" TIMESTAMP_LTZ);
CREATE VIEW BEES."verein süd"."völker heute" AS
SELECT V."id", V."Nr", V."imker", V."Stand Ort", V."telefon"
FROM BEES."verein süd"."völker" V
LEFT JOIN BEES."verein süd"."entfernt" E ON E."id" = V."id"
WHERE E."id" IS NULL;
CREATE VIEW BEES."verein süd"."entfernte völker" AS
SELECT V."id", V."Nr", E."wer"
FROM BEES."verein süd"."völker" V
JOIN BEES."verein süd"."entfernt" E ON E."id" = V."id";
CREATE PROCEDURE BEES."verein süd".REMOVE_HIVE(NR STRING, WHO STRING)
RETURNS STRING
LANGUAGE SQL
AS
$$
BEGIN
  INSERT INTO BEES."verein süd"."entfernt" ("id", "wer", "wann")
    SELECT "id", :WHO, CURRENT_TIMESTAMP() FROM BEES."verein süd"."völker heute" WHERE "Nr" = :NR;
  RETURN IFF(SQLROWCOUNT > 0, 'removed', 'not there');
END
$$;
CREATE PROCEDURE BEES."verein süd".RESTORE_HIVE(NR STRING)
RETURNS STRING
LANGUAGE SQL
AS
$$
DECLARE
  n INT;
  hive NUMBER;
BEGIN
  SELECT COUNT(*) INTO :n FROM BEES."verein süd"."völker heute" WHERE "Nr" = :NR;
  IF (n > 0) THEN
    RETURN 'taken';
  END IF;
  SELECT MAX_BY(V."id", E."wann") INTO :hive
  FROM BEES."verein süd"."völker" V JOIN BEES."verein süd"."entfernt" E ON E."id" = V."id"
  WHERE V."Nr" = :NR;
  IF (hive IS NULL) THEN
    RETURN 'not there';
  END IF;
  DELETE FROM BEES."verein süd"."entfernt" WHERE "id" = :hive;
  RETURN 'restored';
END
$$;
GRANT SELECT ON VIEW BEES."verein süd"."völker heute" TO ROLE HIVE_APP;
GRANT SELECT ON VIEW BEES."verein süd"."entfernte völker" TO ROLE HIVE_APP;
GRANT USAGE ON PROCEDURE BEES."verein süd".REMOVE_HIVE(STRING, STRING) TO ROLE HIVE_APP;
GRANT USAGE ON PROCEDURE BEES."verein süd".RESTORE_HIVE(STRING) TO ROLE HIVE_APP;
REVOKE SELECT, DELETE ON TABLE BEES."verein süd"."völker" FROM ROLE HIVE_APP;
