CREATE DATABASE FOREST;
CREATE SCHEMA FOREST.EVAL;
CREATE TABLE FOREST.EVAL.GUESSES (ID INT, ACTUAL STRING, GUESSED STRING);
INSERT INTO FOREST.EVAL.GUESSES VALUES
  (1, 'cep', 'cep'), (2, 'cep', 'cep'), (3, 'cep', 'death cap'), (4, 'cep', NULL),
  (5, 'death cap', 'death cap'), (6, 'death cap', 'cep'), (7, 'morel', 'Morel'), (8, 'morel', NULL),
  (9, NULL, 'cep'), (10, 'truffle', 'truffle'), (11, 'russula', 'chanterelle'), (12, NULL, NULL), (13, NULL, 'puffball');
