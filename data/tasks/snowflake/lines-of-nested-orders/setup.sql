CREATE DATABASE FEED;
CREATE SCHEMA FEED.RAW;
CREATE TABLE FEED.RAW.EVENTS (ID INT, DOC VARIANT);
INSERT INTO FEED.RAW.EVENTS
SELECT COLUMN1, PARSE_JSON(COLUMN2) FROM VALUES
  (1, '{"kind":"order","customer":{"name":"Ann"},"lines":[{"sku":"a-1","qty":2,"price":9.5},{"sku":"b-2","price":3}]}'),
  (2, '{"kind":"order","customer":{"name":"Bo"},"lines":[]}'),
  (3, '{"kind":"order"}'),
  (4, '{"kind":"visit","lines":[{"sku":"not-an-order","qty":1,"price":1}]}'),
  (5, '{"kind":"order","customer":{"name":"Di"},"lines":[{"sku":"c-3","qty":"many","price":"free"}]}'),
  (6, '{"kind":"order-draft","lines":[{"sku":"not-yet","qty":1,"price":1}]}'),
  (7, '{"kind":"order","customer":{"name":"Fay"},"lines":[{"sku":"d","qty":0,"price":1},{"sku":"e","qty":1.5,"price":0}]}');
