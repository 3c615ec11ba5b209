CREATE DATABASE ARENA;
CREATE SCHEMA ARENA.CORE;
CREATE TABLE ARENA.CORE.OUTCOMES (MODEL STRING, TASK STRING, ATTEMPT INT, PASSED BOOLEAN);
INSERT INTO ARENA.CORE.OUTCOMES VALUES
  ('ant', 't1', 1, TRUE), ('ant', 't1', 2, TRUE), ('ant', 't1', 3, FALSE), ('ant', 't1', 4, FALSE),
  ('ant', 't2', 1, TRUE), ('ant', 't3', 1, NULL), ('ant', 't3', 2, FALSE), ('ant', 't4', 1, NULL), ('ant', 't5', 1, TRUE),
  ('bee', 't1', 1, TRUE), ('bee', 't1', 2, FALSE), ('bee', 't2', 1, FALSE), ('bee', 't3', 1, TRUE), ('bee', 't3', 2, NULL), ('bee', 't3', 3, TRUE),
  ('bee', 't4', 1, TRUE), ('bee', 't6', 1, TRUE),
  ('Cow', 't2', 1, TRUE), ('Cow', 't7', 1, FALSE),
  ('dog', 't8', 1, TRUE), ('emu', 't9', 1, NULL);
