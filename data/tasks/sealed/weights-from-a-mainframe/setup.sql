CREATE DATABASE GRANARY;
CREATE SCHEMA GRANARY.OLD;
CREATE SCHEMA GRANARY.CORE;
CREATE TABLE GRANARY.OLD.DUMP (ENTRY INT, FARMER STRING, WEIGHT STRING);
INSERT INTO GRANARY.OLD.DUMP VALUES
  (1, 'Ada', '00012345C'), (2, 'Ada', '0000012M'), (3, 'Bo', '00000015{'), (4, 'Bo', '00000015}'), (5, 'Cy', '}'), (6, 'Cy', 'N'),
  (7, 'Di', '  0250 '), (8, 'Di', '12c'), (9, 'Ed', ''), (10, NULL, NULL), (11, 'Flo', '1-5'), (12, 'Flo', '-15'), (13, 'Gus', '1.5A'),
  (14, 'Gus', '99999999999R'), (15, 'Gus', '009999999999R'), (16, 'Hal', '1S'), (17, 'Hal', 'A1'), (18, 'Hal', '1 2C'), (19, 'Ida', '   '),
  (20, 'Ida', '7'), (21, 'Ida', '1E2'), (22, 'Ida', ' 3K  '), (23, 'Jo', '5{{'), (24, 'Jo', '000}');
