CREATE DATABASE SAFARI;
CREATE SCHEMA SAFARI.LABELS;
CREATE TABLE SAFARI.LABELS.PHOTOS (PHOTO INT);
INSERT INTO SAFARI.LABELS.PHOTOS VALUES (1), (2), (3), (4), (5), (6), (7), (8);
CREATE TABLE SAFARI.LABELS.OPINIONS (PHOTO INT, PERSON STRING, LABEL STRING, GIVEN_AT TIMESTAMP_NTZ);
INSERT INTO SAFARI.LABELS.OPINIONS VALUES
  (1, 'ann', 'lion', '2026-02-01 10:00:00'), (1, 'bo', ' Lion', '2026-02-01 11:00:00'), (1, 'cy', 'leopard', '2026-02-01 12:00:00'),
  (2, 'ann', 'kudu', '2026-02-01 10:00:00'), (2, 'ann', 'kudu', '2026-02-01 10:30:00'), (2, 'bo', 'eland', '2026-02-01 11:00:00'),
  (3, 'ann', 'zebra', '2026-02-01 10:00:00'), (3, 'ann', 'quagga', '2026-02-01 09:00:00'), (3, 'bo', 'zebra', '2026-02-02 10:00:00'),
  (3, 'bo', 'horse', '2026-02-01 10:00:00'), (3, 'cy', 'horse', '2026-02-01 10:00:00'),
  (4, 'ann', 'hippo', '2026-02-01 10:00:00'),
  (5, 'ann', 'rhino', '2026-02-01 10:00:00'), (5, 'ann', NULL, '2026-02-01 11:00:00'), (5, 'bo', 'rhino', '2026-02-01 10:00:00'),
  (5, 'cy', '  ', '2026-02-01 10:00:00'), (5, 'di', 'rhino', '2026-02-01 10:00:00'),
  (6, 'ann', 'ibis', '2026-02-01 10:00:00'), (6, 'ann', 'heron', '2026-02-01 10:00:00'), (6, 'Ann', 'heron', '2026-02-01 10:00:00'),
  (6, 'bo', 'ibis', '2026-02-01 10:00:00'), (6, 'cy', NULL, '2026-02-01 09:00:00'),
  (7, 'ann', NULL, '2026-02-01 10:00:00'),
  (99, 'ann', 'dodo', '2026-02-01 10:00:00'), (99, 'bo', 'dodo', '2026-02-01 10:00:00'),
  (1, NULL, 'leopard', '2026-02-01 10:00:00');
