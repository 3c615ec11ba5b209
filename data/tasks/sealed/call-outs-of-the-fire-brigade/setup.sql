CREATE DATABASE "Feuerwehr";
CREATE SCHEMA "Feuerwehr"."Fire Log";
CREATE SCHEMA "Feuerwehr"."Wer sieht was";
CREATE ROLE CONTROL;
CREATE ROLE PRIVACY;
CREATE ROLE HEAD_NORTH;
CREATE ROLE DEPUTY;
CREATE ROLE COUNTY;
CREATE ROLE COAST;
CREATE ROLE TRAINERS;
CREATE ROLE DISPATCH;
CREATE ROLE WATCH;
CREATE ROLE GUEST;
CREATE ROLE READS_THE_LOG;
CREATE ROLE "spätdienst";
GRANT ROLE CONTROL TO ROLE SYSADMIN;
GRANT ROLE HEAD_NORTH TO ROLE DEPUTY;
GRANT ROLE READS_THE_LOG TO ROLE HEAD_NORTH;
GRANT ROLE READS_THE_LOG TO ROLE COUNTY;
GRANT ROLE READS_THE_LOG TO ROLE COAST;
GRANT ROLE READS_THE_LOG TO ROLE TRAINERS;
GRANT ROLE READS_THE_LOG TO ROLE DISPATCH;
GRANT ROLE READS_THE_LOG TO ROLE WATCH;
GRANT ROLE READS_THE_LOG TO ROLE GUEST;
GRANT ROLE READS_THE_LOG TO ROLE "spätdienst";
CREATE TABLE "Feuerwehr"."Wer sieht was"."units" ("Unit" STRING, "belongs to" STRING);
INSERT INTO "Feuerwehr"."Wer sieht was"."units" VALUES
  ('county', NULL), ('north', 'county'), ('north 1', 'north'), ('n1 night', 'north 1'), ('south', 'county'),
  ('harbour', 'south'), ('harbour', 'coast'), ('coast', NULL), ('North', 'coast');
CREATE TABLE "Feuerwehr"."Wer sieht was"."listed" ("Role" STRING, "Unit" STRING, "until" DATE);
INSERT INTO "Feuerwehr"."Wer sieht was"."listed" VALUES
  ('HEAD_NORTH', 'north', NULL), ('HEAD_NORTH', 'south', '2020-12-31'::DATE), ('COUNTY', 'county', NULL),
  ('COUNTY', 'north', '2999-12-31'::DATE), ('COAST', 'coast', CURRENT_DATE()), ('TRAINERS', '*', NULL),
  ('DISPATCH', '*', '2999-12-31'::DATE), ('WATCH', 'harbour', NULL), ('WATCH', 'far away', NULL),
  ('GUEST', NULL, NULL), ('spätdienst', 'north 1', NULL), ('GUEST', '*', CURRENT_DATE() - 1);
CREATE TABLE "Feuerwehr"."Fire Log"."call-outs" ("No" INT, "unit" STRING, "Street" STRING, "Caller's phone" STRING, "drill" BOOLEAN);
INSERT INTO "Feuerwehr"."Fire Log"."call-outs" VALUES
  (1, 'north', 'Quay', '551', FALSE), (2, 'n1 night', 'Mill', '552', NULL), (3, 'south', 'Quay', '553', TRUE),
  (4, NULL, 'Mill', NULL, FALSE), (5, 'harbour', 'Quay', '555', FALSE), (6, 'far away', 'Hill', '556', NULL),
  (7, 'North', 'Hill', '557', FALSE), (8, 'county', 'Quay', '558', FALSE), (9, 'north 1', 'Mill', '559', TRUE),
  (10, 'coast', 'Quay', '550', FALSE);
CREATE TABLE "Feuerwehr"."Fire Log"."vehicles" ("Plate" STRING, "Stationed at" STRING);
INSERT INTO "Feuerwehr"."Fire Log"."vehicles" VALUES ('F1', 'north 1'), ('F2', 'harbour'), ('F3', NULL), ('F4', 'North');
CREATE TABLE "Feuerwehr"."Fire Log"."plans" ("No" INT, "drill" BOOLEAN);
INSERT INTO "Feuerwehr"."Fire Log"."plans" VALUES (1, TRUE), (2, FALSE), (3, NULL);
CREATE VIEW "Feuerwehr"."Fire Log"."busy streets" AS
SELECT "Street", COUNT(*) AS N FROM "Feuerwehr"."Fire Log"."call-outs" GROUP BY "Street";
CREATE ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."drills" AS (D BOOLEAN) RETURNS BOOLEAN ->
  NOT COALESCE(D, FALSE) OR IS_ROLE_IN_SESSION('TRAINERS');
CREATE MASKING POLICY "Feuerwehr"."Wer sieht was"."phones" AS (V STRING) RETURNS STRING -> IFF(IS_ROLE_IN_SESSION('DISPATCH'), V, '#');
ALTER TABLE "Feuerwehr"."Fire Log"."call-outs" ADD ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."drills" ON ("drill");
ALTER TABLE "Feuerwehr"."Fire Log"."plans" ADD ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."drills" ON ("drill");
ALTER TABLE "Feuerwehr"."Fire Log"."call-outs" MODIFY COLUMN "Caller's phone" SET MASKING POLICY "Feuerwehr"."Wer sieht was"."phones";
GRANT USAGE ON DATABASE "Feuerwehr" TO ROLE READS_THE_LOG;
GRANT USAGE ON SCHEMA "Feuerwehr"."Fire Log" TO ROLE READS_THE_LOG;
GRANT SELECT ON ALL TABLES IN SCHEMA "Feuerwehr"."Fire Log" TO ROLE READS_THE_LOG;
GRANT SELECT ON ALL VIEWS IN SCHEMA "Feuerwehr"."Fire Log" TO ROLE READS_THE_LOG;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE READS_THE_LOG;
GRANT USAGE ON DATABASE "Feuerwehr" TO ROLE CONTROL;
GRANT USAGE ON ALL SCHEMAS IN DATABASE "Feuerwehr" TO ROLE CONTROL;
GRANT OWNERSHIP ON TABLE "Feuerwehr"."Wer sieht was"."units" TO ROLE CONTROL;
GRANT OWNERSHIP ON TABLE "Feuerwehr"."Wer sieht was"."listed" TO ROLE CONTROL;
GRANT OWNERSHIP ON ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."drills" TO ROLE PRIVACY;
GRANT OWNERSHIP ON MASKING POLICY "Feuerwehr"."Wer sieht was"."phones" TO ROLE PRIVACY;
