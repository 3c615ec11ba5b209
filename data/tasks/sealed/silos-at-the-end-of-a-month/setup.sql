CREATE DATABASE SILOS;
CREATE SCHEMA SILOS."Lager Süd";
CREATE TABLE SILOS."Lager Süd"."Silos" ("Nr" INT, "Werk" STRING, "Größe t" NUMBER(10, 1));
INSERT INTO SILOS."Lager Süd"."Silos" VALUES
  (1, 'Ulm', 100), (2, 'Ulm', 50), (3, 'Ulm', NULL), (4, 'Köln', 200), (5, 'Köln', 0), (6, NULL, 10), (7, 'Köln', 80), (8, 'Trier', 40);
CREATE TABLE SILOS."Lager Süd"."Stände" ("Lfd" INT, "Silo" INT, "am" TIMESTAMP_NTZ, "Menge t" NUMBER(10, 1));
INSERT INTO SILOS."Lager Süd"."Stände" VALUES
  (1, 1, '2026-01-05 08:00:00', 80), (2, 1, '2026-01-31 23:59:59.500', 60), (4, 2, '2026-01-10 06:00:00', 30), (3, 2, '2026-01-10 06:00:00', 20),
  (5, 2, '2026-01-20 06:00:00', NULL), (6, 1, '2026-02-01 00:00:00', 55), (7, 3, '2026-02-10 07:00:00', 7), (8, 3, '2026-02-09 07:00:00', 9),
  (9, 4, '2026-01-15 12:00:00', 150), (10, 5, '2026-03-03 12:00:00', 5), (11, 4, '2026-02-20 12:00:00', NULL), (12, 6, '2026-01-01 00:00:00', 9),
  (13, 99, '2026-01-01 00:00:00', 1000), (14, 2, '2026-04-01 09:00:00', 0), (15, 1, '2025-12-31 12:00:00', 90);
CREATE TABLE SILOS."Lager Süd"."wer sieht was" ("Rolle" STRING, "Werk" STRING);
INSERT INTO SILOS."Lager Süd"."wer sieht was" VALUES ('meister-ulm', 'Ulm'), ('meister-köln', 'Köln'), ('CHEF', 'Ulm'), ('CHEF', 'Köln');
CREATE ROW ACCESS POLICY SILOS."Lager Süd"."eigenes Werk" AS (W STRING) RETURNS BOOLEAN ->
  CURRENT_ROLE() = 'ACCOUNTADMIN' OR EXISTS (SELECT 1 FROM SILOS."Lager Süd"."wer sieht was" WHERE "Rolle" = CURRENT_ROLE() AND "Werk" = W);
ALTER TABLE SILOS."Lager Süd"."Silos" ADD ROW ACCESS POLICY SILOS."Lager Süd"."eigenes Werk" ON ("Werk");
CREATE ROLE "meister-ulm";
CREATE ROLE "meister-köln";
CREATE ROLE CHEF;
GRANT USAGE ON DATABASE SILOS TO ROLE "meister-ulm";
GRANT USAGE ON DATABASE SILOS TO ROLE "meister-köln";
GRANT USAGE ON DATABASE SILOS TO ROLE CHEF;
GRANT USAGE ON SCHEMA SILOS."Lager Süd" TO ROLE CHEF;
GRANT SELECT ON TABLE SILOS."Lager Süd"."Silos" TO ROLE CHEF;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "meister-ulm";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "meister-köln";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE CHEF;
