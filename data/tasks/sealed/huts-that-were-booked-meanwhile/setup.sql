CREATE DATABASE HUTS;
CREATE SCHEMA HUTS."Alt";
CREATE SCHEMA HUTS."Neues System";
CREATE SCHEMA HUTS.OFFEN;
CREATE TABLE HUTS."Alt"."Hütten" ("Hütte" STRING, "Betten" INT);
INSERT INTO HUTS."Alt"."Hütten" VALUES ('Gipfel', 12), ('Tal', 30);
CREATE TABLE HUTS."Alt"."Buchungen" ("Nr" INT, "Gast" STRING, "Nächte" INT, "geändert" TIMESTAMP_NTZ);
INSERT INTO HUTS."Alt"."Buchungen" VALUES
  (1, 'Ann', 2, NULL), (2, 'Bo', 3, '2026-01-04 10:00:00'), (3, 'Cy', 1, '2026-01-04 10:30:00'), (4, 'Di', 5, '2026-01-05 08:00:00'),
  (5, 'Ed', 2, '2026-01-02 12:00:00'), (6, 'Flo', 1, '2026-01-03 20:00:00'), (7, 'Gus', 2, '2026-01-04 12:00:00'), (8, 'Hal', 3, '2026-01-04 13:00:00'),
  (9, 'Ida', 1, NULL), (13, 'Ann', 2, NULL), (14, 'Kim', NULL, '2025-12-01 09:00:00'), (15, 'Lea', 2, NULL), (16, 'Max', 1, NULL), (17, 'Nic', 2, NULL),
  (18, 'Pat', 1, '2025-07-01 12:00:00'), (20, 'Tim', 1, '2026-01-04 10:00:00'), (21, 'Una', 2, '2026-01-04 15:00:00'),
  (22, 'Vic', NULL, '2026-01-04 16:00:00');
CREATE TABLE HUTS."Neues System"."bookings" (ID INT, "guest" STRING, NIGHTS INT, "changed at" TIMESTAMP_NTZ);
INSERT INTO HUTS."Neues System"."bookings" VALUES
  (1, 'Ann', 2, NULL), (2, 'Bo', 2, NULL), (3, 'Cy', 4, '2026-01-04 10:00:00'), (4, 'Di', 6, '2026-01-05 07:00:00'), (5, 'Ed', 2, '2026-01-02 11:00:00'),
  (10, 'Jo', 2, '2026-01-01 10:00:00'), (11, 'Kay', 3, '2026-01-03 06:30:00'), (12, 'Lou', 1, NULL), (14, 'Kim', NULL, '2025-12-01 08:00:00'),
  (15, 'Lea', 2, NULL), (16, 'Max M.', 1, '2026-01-03 05:00:00'), (17, 'Nick', 2, NULL), (18, 'Pat', 1, '2025-07-01 10:00:00'),
  (19, 'Quin', 1, '2026-01-03 06:00:00'), (21, 'Una', 2, '2026-01-01 10:00:00'), (22, 'Vic', 3, NULL),
  (5000, 'Pia', 1, NULL), (5001, 'Ray', 2, '2026-01-04 08:00:00'), (5002, 'Sue', 1, NULL);
CREATE TABLE HUTS."Neues System"."cancelled" (ID INT, "at" TIMESTAMP_NTZ);
INSERT INTO HUTS."Neues System"."cancelled" VALUES
  (7, '2026-01-04 11:30:00'), (8, '2026-01-04 11:30:00'), (9, '2026-01-03 09:00:00'), (20, '2026-01-04 09:00:00'), (5003, '2026-01-04 09:00:00');
CREATE TABLE HUTS."Neues System"."how we move" (NO INT, NOTE STRING);
INSERT INTO HUTS."Neues System"."how we move" VALUES
  (1, 'Bookings of Alt were copied at 06:00 UTC on 3 January 2026; since then both take bookings. IDs are the old numbers; from 5000 on they are ours alone.'),
  (2, 'Times have no zone with them: Alt writes the time of Vienna, we write UTC.'),
  (3, 'Of a booking that both have, the version that was changed last counts; of the same instant, that of Alt.'),
  (4, 'A time that is missing is earlier than any other, and two that are missing are the same.'),
  (5, 'A booking below 5000 that we have and Alt has no longer was called off there. It goes, unless it was changed here after the copy was made.'),
  (6, 'What stands in "cancelled" was called off here, and we have it no longer. It comes back only if Alt changed it later than that.'),
  (7, 'After the move nobody but administrators writes to any table of Alt. Whoever reads them may go on reading.');
CREATE MASKING POLICY HUTS."Neues System"."no names for trainees" AS (V STRING) RETURNS STRING -> IFF(CURRENT_ROLE() = 'TRAINEE', '***', V);
ALTER TABLE HUTS."Neues System"."bookings" MODIFY COLUMN "guest" SET MASKING POLICY HUTS."Neues System"."no names for trainees";
CREATE VIEW HUTS.OFFEN.BOOKINGS AS SELECT "Nr", "Gast", "Nächte" FROM HUTS."Alt"."Buchungen";
CREATE ROLE PORTAL;
CREATE ROLE KIOSK;
CREATE ROLE TRAINEE;
CREATE ROLE "hut-keeper";
GRANT USAGE ON DATABASE HUTS TO ROLE PORTAL;
GRANT USAGE ON DATABASE HUTS TO ROLE KIOSK;
GRANT USAGE ON DATABASE HUTS TO ROLE TRAINEE;
GRANT USAGE ON DATABASE HUTS TO ROLE "hut-keeper";
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE PORTAL;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE KIOSK;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE TRAINEE;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE "hut-keeper";
GRANT USAGE ON SCHEMA HUTS.OFFEN TO ROLE PORTAL;
GRANT USAGE ON SCHEMA HUTS.OFFEN TO ROLE "hut-keeper";
GRANT USAGE ON SCHEMA HUTS."Alt" TO ROLE KIOSK;
GRANT USAGE ON SCHEMA HUTS."Alt" TO ROLE "hut-keeper";
GRANT USAGE ON SCHEMA HUTS."Neues System" TO ROLE KIOSK;
GRANT USAGE ON SCHEMA HUTS."Neues System" TO ROLE TRAINEE;
GRANT SELECT ON VIEW HUTS.OFFEN.BOOKINGS TO ROLE PORTAL;
GRANT SELECT ON VIEW HUTS.OFFEN.BOOKINGS TO ROLE "hut-keeper";
GRANT SELECT, INSERT, UPDATE ON TABLE HUTS."Alt"."Buchungen" TO ROLE "hut-keeper";
GRANT SELECT, UPDATE ON TABLE HUTS."Alt"."Hütten" TO ROLE "hut-keeper";
GRANT SELECT, INSERT, DELETE ON TABLE HUTS."Alt"."Buchungen" TO ROLE KIOSK;
GRANT INSERT ON TABLE HUTS."Neues System"."bookings" TO ROLE KIOSK;
GRANT SELECT ON TABLE HUTS."Neues System"."bookings" TO ROLE TRAINEE;
