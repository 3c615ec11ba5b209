CREATE DATABASE RESCUE;
CREATE SCHEMA RESCUE.TRAIL;
CREATE TABLE RESCUE.TRAIL.SIGNS (LINE INT, PERSON STRING, SIGNED_AT TIMESTAMP_TZ, HUT STRING);
INSERT INTO RESCUE.TRAIL.SIGNS VALUES
  (1, 'Ada', '2026-07-01 09:30:00 +0200', 'Alm'),
  (2, 'Ada', '2026-07-01 08:45:00 +0100', 'Birk'),
  (3, 'Ada', NULL, 'Caro'),
  (4, 'Ben', '2026-07-01 10:00:00 +0200', 'Alm'),
  (7, 'Ben', '2026-07-01 10:00:00 +0200', 'Dorn'),
  (6, 'Ben', '2026-07-01 10:00:00 +0200', 'Birk'),
  (5, 'ben', '2026-06-30 23:30:00 -0200', 'Esch'),
  (8, 'ben', '2026-07-01 02:00:00 +0200', 'Alm'),
  (9, NULL, '2026-07-02 12:00:00 +0200', 'Alm'),
  (11, 'Cleo', NULL, 'Dorn'),
  (10, 'Cleo', NULL, 'Birk'),
  (13, 'Dov', '2026-07-03 12:00:00 +0200', 'Birk'),
  (12, 'Dov', '2026-07-03 12:00:00 +0200', 'Alm'),
  (14, 'Dov', '2026-07-02 12:00:00 +0200', 'Esch');
