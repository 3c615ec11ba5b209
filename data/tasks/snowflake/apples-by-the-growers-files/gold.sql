CREATE FILE FORMAT CIDER."Press House"."apples"
  TYPE = CSV FIELD_DELIMITER = ';' SKIP_HEADER = 1 FIELD_OPTIONALLY_ENCLOSED_BY = '"';
CREATE VIEW CIDER."Press House"."deliveries" AS
SELECT TRIM($1::STRING) AS "grower", NULLIF(TRIM($2::STRING), '') AS "kind",
  TRY_TO_DECIMAL(REPLACE(REPLACE($3::STRING, '.', ''), ',', '.'), 12, 3) AS "kg",
  TRY_TO_DATE($4::STRING, 'DD.MM.YYYY') AS "day", METADATA$FILENAME AS "file"
FROM @CIDER."Press House"."in tray"/apples/ (FILE_FORMAT => 'CIDER."Press House"."apples"')
WHERE TRIM($1::STRING) <> '' AND LOWER(TRIM($1::STRING)) <> 'summe';
GRANT SELECT ON VIEW CIDER."Press House"."deliveries" TO ROLE BUYER;
