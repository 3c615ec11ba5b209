CREATE DATABASE FARM;
CREATE SCHEMA FARM.EVAL;
CREATE TABLE FARM.EVAL.WANTED (CASE_ID STRING, TOOL STRING, TIMES NUMBER);
CREATE TABLE FARM.EVAL.RUNS (MODEL STRING, CASE_ID STRING);
CREATE TABLE FARM.EVAL.CALLS (MODEL STRING, CASE_ID STRING, TOOL STRING);
INSERT INTO FARM.EVAL.WANTED VALUES
  ('c1', 'feed', 2), ('c1', ' Gate_Close ', NULL), ('c2', 'water', 1), ('c2', 'WATER', NULL), ('c4', 'milk', 3), ('C1', 'feed', 1);
INSERT INTO FARM.EVAL.RUNS VALUES
  ('ox', 'c1'), ('ox', 'c2'), ('ox', 'c3'), ('ox', 'c4'), ('hen', 'c1'), ('hen', 'c3'), ('Ox', 'c3'), ('cat', 'c2'), ('cat', 'C1'),
  ('mule', 'c4'), ('pig', 'c4');
INSERT INTO FARM.EVAL.CALLS VALUES
  ('ox', 'c1', 'FEED'), ('ox', 'c1', 'feed'), ('ox', 'c1', 'gate_close'), ('ox', 'c2', 'water'), ('ox', 'c2', 'water'), ('ox', 'c2', 'Water'),
  ('ox', 'c4', 'milk'), ('ox', 'c4', NULL), ('ox', 'c4', 'feed'),
  ('hen', 'c1', 'feed'), ('hen', 'c1', 'feed'), ('hen', 'c1', 'feed'), ('hen', 'c1', 'gate_close '), ('hen', 'c3', '  '),
  ('cat', 'c2', 'water'), ('cat', 'C1', 'feed'), ('cat', 'C1', 'water'), ('cat', 'c1', 'feed'), ('cat', 'c4', 'swim'),
  ('pig', 'c4', 'milk'), ('pig', 'c4', 'milk'), ('pig', 'c4', 'feed'), ('fox', 'c1', 'feed');
