CREATE DATABASE "Fluss";
CREATE SCHEMA "Fluss"."roh daten";
CREATE SCHEMA "Fluss"."Öffentlich";
CREATE TABLE "Fluss"."roh daten"."messungen" ("Ort" STRING, "Zeit" TIMESTAMP_NTZ, "Stand cm" NUMBER(6, 1), "Melder" STRING);
INSERT INTO "Fluss"."roh daten"."messungen" VALUES
  ('Graz', '2026-04-01 06:00:00', 210.5, 'Mia'), ('Graz', '2026-04-01 18:00:00', 232, 'Leo'), ('Graz', '2026-04-02 06:00:00', 228, NULL),
  ('Bruck', '2026-04-01 06:00:00', NULL, 'Ute'), ('Bruck', '2026-04-02 06:00:00', -4, 'Ute'), (NULL, '2026-04-02 06:00:00', 99, 'Jan'),
  ('Lend', '2026-04-02 07:00:00', 0, 'Kai');
CREATE ROLE "Betrieb";
GRANT ROLE "Betrieb" TO ROLE SYSADMIN;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "Betrieb";
GRANT USAGE ON DATABASE "Fluss" TO ROLE "Betrieb";
GRANT USAGE ON SCHEMA "Fluss"."roh daten" TO ROLE "Betrieb";
GRANT SELECT ON TABLE "Fluss"."roh daten"."messungen" TO ROLE "Betrieb";
GRANT USAGE ON SCHEMA "Fluss"."Öffentlich" TO ROLE "Betrieb";
GRANT CREATE TABLE ON SCHEMA "Fluss"."Öffentlich" TO ROLE "Betrieb";
GRANT CREATE PROCEDURE ON SCHEMA "Fluss"."Öffentlich" TO ROLE "Betrieb";
CREATE MASKING POLICY "Fluss"."Öffentlich"."nur intern" AS (V STRING) RETURNS STRING ->
  CASE WHEN CURRENT_ROLE() = 'Pegel Dienst' THEN V ELSE 'geheim' END;
CREATE TAG "Fluss"."Öffentlich"."Zweck";
GRANT APPLY ON MASKING POLICY "Fluss"."Öffentlich"."nur intern" TO ROLE "Betrieb";
GRANT APPLY ON TAG "Fluss"."Öffentlich"."Zweck" TO ROLE "Betrieb";
CREATE TABLE "Fluss"."Öffentlich"."Tägliche Stände" ("Notiz" STRING) COMMENT = 'Entwurf';
CREATE SECURE VIEW "Fluss"."Öffentlich"."Orte" AS SELECT DISTINCT "Ort" FROM "Fluss"."roh daten"."messungen";
USE ROLE "Betrieb";
CREATE PROCEDURE "Fluss"."Öffentlich"."neu aufbauen"()
RETURNS INT
LANGUAGE SQL
AS
$$
DECLARE
  n INT;
BEGIN
  CREATE OR REPLACE TABLE "Fluss"."Öffentlich"."tägliche Stände" AS
  SELECT "Ort", "Zeit"::DATE AS "Tag", MAX("Stand cm") AS "Höchster Stand", MIN("Melder") AS "Melder"
  FROM "Fluss"."roh daten"."messungen"
  WHERE "Stand cm" >= 0
  GROUP BY "Ort", "Zeit"::DATE;
  SELECT COUNT(*) INTO :n FROM "Fluss"."Öffentlich"."tägliche Stände";
  RETURN n;
END
$$;
CREATE PROCEDURE "Fluss"."Öffentlich"."neu aufbauen"(ORT STRING) RETURNS STRING LANGUAGE SQL AS $$ BEGIN RETURN 'nicht ' || :ORT; END $$;
CALL "Fluss"."Öffentlich"."neu aufbauen"();
USE ROLE ACCOUNTADMIN;
CREATE ROLE "Nacht Lauf";
CREATE ROLE "Pegel Dienst";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "Nacht Lauf";
GRANT USAGE ON DATABASE "Fluss" TO ROLE "Nacht Lauf";
GRANT USAGE ON SCHEMA "Fluss"."Öffentlich" TO ROLE "Nacht Lauf";
GRANT USAGE ON PROCEDURE "Fluss"."Öffentlich"."neu aufbauen"() TO ROLE "Nacht Lauf";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "Pegel Dienst";
GRANT USAGE ON DATABASE "Fluss" TO ROLE "Pegel Dienst";
GRANT USAGE ON SCHEMA "Fluss"."Öffentlich" TO ROLE "Pegel Dienst";
CREATE SHARE FLUSS_SHARE COMMENT = 'Nachbarn';
GRANT USAGE ON DATABASE "Fluss" TO SHARE FLUSS_SHARE;
GRANT USAGE ON SCHEMA "Fluss"."Öffentlich" TO SHARE FLUSS_SHARE;
GRANT SELECT ON VIEW "Fluss"."Öffentlich"."Orte" TO SHARE FLUSS_SHARE;
