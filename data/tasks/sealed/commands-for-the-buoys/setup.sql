CREATE DATABASE BUOYS;
CREATE SCHEMA BUOYS.APP;
CREATE TABLE BUOYS.APP.COMMANDS (NR NUMBER, BUOY STRING, URGENT BOOLEAN, STATE STRING);
INSERT INTO BUOYS.APP.COMMANDS VALUES
  (9, 'b1', TRUE, 'waiting'), (3, 'b1', FALSE, 'waiting'), (1, 'b2', FALSE, 'done'), (20, 'b2', FALSE, 'waiting'), (5, 'b2', NULL, 'waiting'),
  (2, 'b3', FALSE, 'sent'), (8, 'b3', TRUE, 'waiting'), (12, 'B1', TRUE, 'waiting'), (4, NULL, FALSE, 'waiting'), (7, NULL, NULL, 'waiting'),
  (11, NULL, FALSE, 'sent'), (6, '4', FALSE, 'void'), (0, '4', FALSE, 'lost'), (10, '4', TRUE, 'waiting'), (14, 'b5', TRUE, NULL), (15, 'b5', FALSE, 'waiting'),
  (16, 'b6', FALSE, 'waiting'), (17, 'b6', FALSE, 'sent');
CREATE ROLE RADIO;
GRANT USAGE ON DATABASE BUOYS TO ROLE RADIO;
GRANT USAGE ON SCHEMA BUOYS.APP TO ROLE RADIO;
GRANT USAGE ON WAREHOUSE COMPUTE_WH TO ROLE RADIO;
