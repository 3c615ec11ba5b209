USE SCHEMA "Depot"."Lager Süd";
CREATE VIEW "wege" AS
WITH RECURSIVE W AS (
  SELECT "nr", "raum", "nr" AS "weg", 0 AS "tiefe"
  FROM "kisten"
  WHERE COALESCE("steht in", '') = ''
  UNION ALL
  SELECT K."nr", W."raum", W."weg" || ' > ' || K."nr", W."tiefe" + 1
  FROM W JOIN "kisten" K ON K."steht in" = W."nr"
)
SELECT "nr", "raum", "weg", "tiefe" FROM W;
CREATE VIEW "fehler" AS
WITH RECURSIVE UP AS (
  SELECT "nr" AS BOX, "steht in" AS OUTER_BOX, ARRAY_CONSTRUCT("nr") AS SEEN
  FROM "kisten"
  UNION ALL
  SELECT UP.BOX, K."steht in", ARRAY_APPEND(UP.SEEN, K."nr")
  FROM UP JOIN "kisten" K ON K."nr" = UP.OUTER_BOX
  WHERE NOT ARRAY_CONTAINS(K."nr"::VARIANT, UP.SEEN)
)
SELECT K."nr", CASE WHEN C.BOX IS NOT NULL THEN 'Kreis' WHEN O."nr" IS NULL THEN 'unbekannt' ELSE 'folgt' END AS "grund"
FROM "kisten" K
LEFT JOIN "wege" W ON W."nr" = K."nr"
LEFT JOIN "kisten" O ON O."nr" = K."steht in"
LEFT JOIN (SELECT DISTINCT BOX FROM UP WHERE OUTER_BOX = BOX) C ON C.BOX = K."nr"
WHERE W."nr" IS NULL;
CREATE VIEW "gewicht" AS
WITH RECURSIVE INSIDE AS (
  SELECT "nr" AS BOX, "nr" FROM "wege"
  UNION ALL
  SELECT I.BOX, K."nr"
  FROM INSIDE I JOIN "kisten" K ON K."steht in" = I."nr"
)
SELECT I.BOX AS "nr", SUM(COALESCE(K."kg", 0)) AS "kg gesamt"
FROM INSIDE I JOIN "kisten" K ON K."nr" = I."nr"
GROUP BY I.BOX;
GRANT SELECT ON VIEW "wege" TO ROLE PACKER;
GRANT SELECT ON VIEW "fehler" TO ROLE PACKER;
GRANT SELECT ON VIEW "gewicht" TO ROLE PACKER;
GRANT SELECT ON VIEW "wege" TO ROLE KURATOR;
GRANT SELECT ON VIEW "fehler" TO ROLE KURATOR;
GRANT SELECT ON VIEW "gewicht" TO ROLE KURATOR;
