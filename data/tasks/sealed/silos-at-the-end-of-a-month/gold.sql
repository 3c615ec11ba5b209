CREATE VIEW SILOS."Lager Süd"."Monatsende" AS
WITH MEASURED AS (
  SELECT S."Werk", S."Nr", S."Größe t", R."Lfd", R."am", R."Menge t"
  FROM SILOS."Lager Süd"."Silos" S
  JOIN SILOS."Lager Süd"."Stände" R ON R."Silo" = S."Nr"
  WHERE R."Menge t" IS NOT NULL AND S."Werk" IS NOT NULL
),
MONTHS AS (SELECT DISTINCT "Werk", DATE_TRUNC('month', "am")::DATE AS "Monat" FROM MEASURED),
LAST_LEVEL AS (
  SELECT M."Werk", M."Monat", R."Größe t", R."Menge t"
  FROM MONTHS M
  JOIN MEASURED R ON R."Werk" = M."Werk" AND R."am" < DATEADD(month, 1, M."Monat")
  QUALIFY ROW_NUMBER() OVER (PARTITION BY M."Werk", M."Monat", R."Nr" ORDER BY R."am" DESC, R."Lfd" DESC) = 1
)
SELECT "Werk", "Monat", SUM("Menge t") AS "Bestand t",
  SUM(IFF("Größe t" > 0, "Menge t", NULL)) / SUM(IFF("Größe t" > 0, "Größe t", NULL)) AS "Füllgrad"
FROM LAST_LEVEL
GROUP BY "Werk", "Monat";
GRANT USAGE ON SCHEMA SILOS."Lager Süd" TO ROLE "meister-ulm";
GRANT USAGE ON SCHEMA SILOS."Lager Süd" TO ROLE "meister-köln";
GRANT SELECT ON VIEW SILOS."Lager Süd"."Monatsende" TO ROLE "meister-ulm";
GRANT SELECT ON VIEW SILOS."Lager Süd"."Monatsende" TO ROLE "meister-köln";
