CREATE DATABASE ROBOT;
CREATE SCHEMA ROBOT.TRACES;
CREATE TABLE ROBOT.TRACES.RUNS (RUN STRING, MODEL STRING);
CREATE TABLE ROBOT.TRACES.STEPS (RUN STRING, STEP NUMBER, ATTEMPT NUMBER, TOOL STRING, STATUS STRING);
INSERT INTO ROBOT.TRACES.RUNS VALUES
  ('r1', 'maple'), ('r2', 'maple'), ('r3', 'pine'), ('R1', 'pine'), ('r4', 'pine'), ('r5', NULL), ('r6', 'maple');
INSERT INTO ROBOT.TRACES.STEPS VALUES
  ('r1', 3, 2, 'tilt', 'timeout'), ('r1', 1, 1, 'grip', 'ok'), ('r1', 2, 1, 'lift', 'error'), ('r1', 2, 2, 'lift', 'OK'),
  ('r1', 3, 1, 'pour', 'error'), ('r1', 4, 1, 'serve', 'error'),
  ('r2', 0, 1, 'look', ' Ok '), ('r2', 5, 1, 'grip', 'ok'), ('r2', 10, 1, 'lift', 'ok'), ('r2', 10, 2, 'raise', NULL),
  ('r2', 12, 1, 'pour', 'ok'),
  ('r3', 2, 3, 'pour', 'ok'), ('r3', 2, 1, 'pour', NULL), ('r3', 1, 1, 'grip', 'ok'),
  ('R1', 1, 1, 'grip', 'error'), ('R1', 1, 10, 'grab', 'ok'), ('R1', 1, 9, 'grip', 'error'), ('R1', 2, 1, NULL, ''), ('R1', 3, 1, 'pour', 'error'),
  ('r5', 7, 1, 'pour', 'okay'),
  ('r6', 1, 1, 'grip', 'ok'), ('r6', 2, 1, 'pour', 'ok'), ('r6', 2, 2, 'wipe', 'error'), ('r6', 2, 3, 'pour', 'ok'), ('r6', 3, 1, 'mop', 'not ok'),
  ('r9', 1, 1, 'grip', 'error');
