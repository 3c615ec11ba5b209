CREATE DATABASE FROST;
CREATE SCHEMA FROST.EVAL;
CREATE TABLE FROST.EVAL.WARNINGS (MODEL STRING, STATION STRING, SCORE FLOAT, HAPPENED BOOLEAN);
INSERT INTO FROST.EVAL.WARNINGS VALUES
  ('grid', 's1', 0.9, TRUE), ('grid', 's2', 0.7, TRUE), ('grid', 's3', 0.7, FALSE), ('grid', 's4', 0.7, FALSE),
  ('grid', 's5', 0.2, TRUE), ('grid', 's6', 0.1, FALSE), ('grid', 's7', NULL, TRUE), ('grid', 's8', 0.95, NULL),
  ('flat', 's1', 0.5, TRUE), ('flat', 's2', 0.5, FALSE), ('flat', 's3', 0.5, FALSE),
  ('brave', 's1', -2.5, TRUE), ('brave', 's2', -7, TRUE),
  ('calm', 's1', 0.3, FALSE), ('calm', 's2', NULL, TRUE),
  ('mute', 's1', NULL, FALSE), ('mute', 's2', 0.1, NULL),
  ('worst', 's1', -1, TRUE), ('worst', 's2', 0, FALSE), ('worst', 's3', 3, FALSE),
  ('Grid', 's1', 0.1, TRUE), ('Grid', 's2', 0.05, FALSE);
