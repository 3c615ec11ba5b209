CREATE DATABASE SITE;
CREATE SCHEMA SITE.LOG;
CREATE TABLE SITE.LOG.CLICKS (VISITOR STRING, CLICKED_AT TIMESTAMP_NTZ, PAGE STRING);
INSERT INTO SITE.LOG.CLICKS VALUES
  ('ann', '2026-01-01 10:00:00', '/'),
  ('ann', '2026-01-01 10:10:00', '/a'),
  ('ann', '2026-01-01 10:10:00', '/a'),
  ('ann', '2026-01-01 10:10:00', '/c'),
  ('ann', '2026-01-01 10:40:00', '/b'),
  ('ann', '2026-01-01 11:10:01', '/'),
  ('bo', '2026-01-01 10:00:00', '/'),
  ('di', '2026-01-01 23:50:00', '/'),
  ('di', '2026-01-02 00:10:00', '/a'),
  (NULL, '2026-01-01 10:05:00', '/'),
  (NULL, '2026-01-01 12:05:00', '/');
