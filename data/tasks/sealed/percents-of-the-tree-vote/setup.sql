CREATE DATABASE "Gärten";
CREATE SCHEMA "Gärten"."wahl 2026";
CREATE TABLE "Gärten"."wahl 2026"."stimmen" ("ort" STRING NOT NULL, "baum" STRING NOT NULL, "anzahl" INT);
INSERT INTO "Gärten"."wahl 2026"."stimmen" VALUES
  ('Süd', 'Ahorn', 1), ('Süd', 'Ulme', 1), ('Süd', 'Zeder', 1),
  ('Au', 'Eibe', 1), ('Au', 'Linde', 3), ('Au', 'Fichte', 10), ('Au', 'Tanne', 8), ('Au', 'Linde', 1), ('Au', 'Birke', 7),
  ('Moos', 'Linde', 7), ('Moos', 'Birke', 4), ('Moos', 'Eibe', 1), ('Moos', 'Eiche', 18),
  ('Berg', 'Eiche', 197), ('Berg', 'Eibe', 1), ('Berg', 'Ahorn', 1), ('Berg', 'Buche', 1), ('Berg', 'Kirsche', NULL), ('Berg', 'Kirsche', NULL),
  ('Leer', 'Ahorn', 0), ('Leer', 'Buche', NULL),
  ('süd', 'Ahorn', 5);
CREATE VIEW "Gärten"."wahl 2026"."Anteile" AS SELECT "ort", COUNT(DISTINCT "baum") AS "bäume" FROM "Gärten"."wahl 2026"."stimmen" GROUP BY "ort";
CREATE SECURE VIEW "Gärten"."wahl 2026"."anteile" COMMENT = 'Ganze Prozente für die Presse' AS
SELECT "ort", "baum", ROUND(100 * "anzahl" / SUM("anzahl") OVER (PARTITION BY "ort")) AS "prozent"
FROM "Gärten"."wahl 2026"."stimmen" WHERE "anzahl" > 0;
CREATE ROLE "Gärtner";
CREATE ROLE PRESSE;
CREATE ROLE "radio";
GRANT ROLE "Gärtner" TO ROLE SYSADMIN;
GRANT USAGE ON DATABASE "Gärten" TO ROLE "Gärtner";
GRANT USAGE, CREATE VIEW ON SCHEMA "Gärten"."wahl 2026" TO ROLE "Gärtner";
GRANT SELECT ON TABLE "Gärten"."wahl 2026"."stimmen" TO ROLE "Gärtner";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "Gärtner";
GRANT USAGE ON DATABASE "Gärten" TO ROLE PRESSE;
GRANT USAGE ON SCHEMA "Gärten"."wahl 2026" TO ROLE PRESSE;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE PRESSE;
GRANT USAGE ON DATABASE "Gärten" TO ROLE "radio";
GRANT USAGE ON SCHEMA "Gärten"."wahl 2026" TO ROLE "radio";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "radio";
GRANT SELECT ON VIEW "Gärten"."wahl 2026"."anteile" TO ROLE PRESSE;
GRANT SELECT ON VIEW "Gärten"."wahl 2026"."anteile" TO ROLE "radio";
GRANT OWNERSHIP ON VIEW "Gärten"."wahl 2026"."anteile" TO ROLE "Gärtner" COPY CURRENT GRANTS;
