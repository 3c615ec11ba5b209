CREATE DATABASE "Depot";
CREATE SCHEMA "Depot"."Lager Süd";
CREATE TABLE "Depot"."Lager Süd"."kisten" ("nr" STRING NOT NULL, "steht in" STRING, "raum" STRING, "kg" NUMBER(8, 1));
INSERT INTO "Depot"."Lager Süd"."kisten" VALUES
  ('11', NULL, 'Halle', 5), ('1', '11', NULL, 2.5), ('10', '1', 'Keller', NULL), ('12a', '10', NULL, 1), ('13', '11', 'Turm', 0.5),
  ('12A', '', 'Turm', NULL), ('leer', NULL, NULL, 4), ('1b', 'leer', 'Halle', 0.2),
  ('x1', 'x2', 'Halle', 1), ('x2', 'x3', NULL, 1), ('x3', 'x1', NULL, 1), ('in x', 'x2', NULL, 7), ('in in x', 'in x', 'Halle', 2),
  ('selbst', 'selbst', 'Turm', 1), ('bei selbst', 'selbst', NULL, 1),
  ('weg', 'k99', 'Halle', 3), ('im weg', 'weg', NULL, 1), ('7', 'LEER', NULL, 1);
CREATE TABLE "Depot"."Lager Süd"."Kisten" ("nr" STRING, "steht in" STRING);
INSERT INTO "Depot"."Lager Süd"."Kisten" VALUES ('k99', NULL), ('alt', 'k99');
CREATE VIEW "Depot"."Lager Süd"."Wege" AS SELECT COUNT(*) AS "alte Kisten" FROM "Depot"."Lager Süd"."Kisten";
CREATE ROLE KURATOR;
CREATE ROLE PACKER;
CREATE ROLE "sicher";
GRANT ROLE KURATOR TO ROLE SYSADMIN;
GRANT ROLE "sicher" TO ROLE SECURITYADMIN;
GRANT USAGE ON DATABASE "Depot" TO ROLE KURATOR;
GRANT USAGE ON SCHEMA "Depot"."Lager Süd" TO ROLE KURATOR;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE KURATOR;
GRANT USAGE ON DATABASE "Depot" TO ROLE PACKER;
GRANT USAGE ON SCHEMA "Depot"."Lager Süd" TO ROLE PACKER;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE PACKER;
GRANT SELECT ON VIEW "Depot"."Lager Süd"."Wege" TO ROLE PACKER;
CREATE MASKING POLICY "Depot"."Lager Süd"."nur Kurator" AS (V STRING) RETURNS STRING ->
  CASE WHEN CURRENT_ROLE() = 'KURATOR' THEN V ELSE '***' END;
ALTER TABLE "Depot"."Lager Süd"."kisten" MODIFY COLUMN "raum" SET MASKING POLICY "Depot"."Lager Süd"."nur Kurator";
GRANT OWNERSHIP ON MASKING POLICY "Depot"."Lager Süd"."nur Kurator" TO ROLE "sicher" COPY CURRENT GRANTS;
GRANT OWNERSHIP ON TABLE "Depot"."Lager Süd"."kisten" TO ROLE KURATOR COPY CURRENT GRANTS;
