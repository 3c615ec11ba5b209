USE ROLE "Betrieb";
CREATE OR REPLACE PROCEDURE "Fluss"."Öffentlich"."neu aufbauen"()
COPY GRANTS
RETURNS INT
LANGUAGE SQL
AS
$$
DECLARE
  n INT;
BEGIN
  INSERT OVERWRITE INTO "Fluss"."Öffentlich"."tägliche Stände" ("Ort", "Tag", "Höchster Stand", "Melder")
  SELECT "Ort", "Zeit"::DATE, MAX("Stand cm"), MIN("Melder")
  FROM "Fluss"."roh daten"."messungen"
  WHERE "Stand cm" >= 0
  GROUP BY "Ort", "Zeit"::DATE;
  SELECT COUNT(*) INTO :n FROM "Fluss"."Öffentlich"."tägliche Stände";
  RETURN n;
END
$$;
USE ROLE ACCOUNTADMIN;
GRANT SELECT ON TABLE "Fluss"."Öffentlich"."tägliche Stände" TO SHARE FLUSS_SHARE;
GRANT SELECT ON TABLE "Fluss"."Öffentlich"."tägliche Stände" TO ROLE "Pegel Dienst";
ALTER TABLE "Fluss"."Öffentlich"."tägliche Stände" MODIFY COLUMN "Melder" SET MASKING POLICY "Fluss"."Öffentlich"."nur intern";
ALTER TABLE "Fluss"."Öffentlich"."tägliche Stände" SET TAG "Fluss"."Öffentlich"."Zweck" = 'Hochwasser';
