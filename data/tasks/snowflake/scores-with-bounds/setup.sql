CREATE DATABASE BENCH;
CREATE SCHEMA BENCH.RUNS;
CREATE TABLE BENCH.RUNS.WEIGHTS (COMPONENT STRING, WEIGHT INT);
INSERT INTO BENCH.RUNS.WEIGHTS VALUES ('deploy', 10), ('tests', 20), ('functional', 50), ('bulk', 10), ('no_tweaks', 10);
CREATE TABLE BENCH.RUNS.COMPONENTS (RUN STRING, COMPONENT STRING, SCORE NUMBER(5, 2));
INSERT INTO BENCH.RUNS.COMPONENTS VALUES
  ('a', 'deploy', 1), ('a', 'tests', 1), ('a', 'functional', 1), ('a', 'bulk', 1), ('a', 'no_tweaks', 1),
  ('b', 'deploy', 1), ('b', 'tests', NULL), ('b', 'functional', 1), ('b', 'bulk', 0), ('b', 'no_tweaks', 0),
  ('c', 'deploy', 1), ('c', 'tests', 1), ('c', 'functional', 0.2), ('c', 'style', 1),
  ('d', 'deploy', 0), ('d', 'functional', 0.5), ('d', 'bulk', 0), ('d', 'no_tweaks', 0),
  ('d', 'Bulk', 1),
  ('e', 'style', 1),
  ('f', 'deploy', 1), ('f', 'tests', 0), ('f', 'functional', 0.99), ('f', 'bulk', 0), ('f', 'no_tweaks', 0);
