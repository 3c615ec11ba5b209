CREATE DATABASE BENCH;
CREATE SCHEMA BENCH.RUNS;
CREATE TABLE BENCH.RUNS.ATTEMPTS (MODEL STRING, TASK STRING, ATTEMPT INT, PASSED BOOLEAN);
INSERT INTO BENCH.RUNS.ATTEMPTS VALUES
  ('x', 't1', 1, TRUE), ('x', 't1', 2, FALSE), ('x', 't1', 3, FALSE), ('x', 't1', 4, TRUE), ('x', 't1', 5, FALSE),
  ('x', 't2', 1, FALSE), ('x', 't2', 2, FALSE), ('x', 't2', 3, NULL),
  ('x', 't3', 1, TRUE), ('x', 't3', 2, TRUE), ('x', 't3', 3, TRUE), ('x', 't3', 4, NULL), ('x', 't3', 5, NULL),
  ('y', 't1', 1, FALSE), ('y', 't1', 2, FALSE),
  ('w', 't1', 1, NULL);
