USE ROLE "Gärtner";
CREATE OR REPLACE SECURE VIEW "Gärten"."wahl 2026"."anteile" COPY GRANTS COMMENT = 'Ganze Prozente für die Presse' AS
WITH TREES AS (
  SELECT "ort", "baum", SUM(COALESCE("anzahl", 0)) AS VOTES
  FROM "Gärten"."wahl 2026"."stimmen"
  GROUP BY "ort", "baum"
),
PLACES AS (SELECT "ort", NULLIF(SUM(VOTES), 0) AS TOTAL FROM TREES GROUP BY "ort"),
DIVIDED AS (
  SELECT T."ort", T."baum", T.VOTES, MOD(100 * T.VOTES, P.TOTAL) AS LOST,
    ((100 * T.VOTES - MOD(100 * T.VOTES, P.TOTAL)) / P.TOTAL)::INT AS WHOLE
  FROM TREES T JOIN PLACES P ON P."ort" = T."ort"
)
SELECT "ort", "baum", WHOLE + IFF(
    ROW_NUMBER() OVER (PARTITION BY "ort" ORDER BY LOST DESC, VOTES DESC, "baum") <= 100 - SUM(WHOLE) OVER (PARTITION BY "ort"), 1, 0
  ) AS "prozent"
FROM DIVIDED;
