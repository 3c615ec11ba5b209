CREATE VIEW "Feuerwehr"."Wer sieht was"."listed with all below" AS
WITH RECURSIVE BELOW AS (
  SELECT "Role", "Unit"
  FROM "Feuerwehr"."Wer sieht was"."listed"
  WHERE "until" IS NULL OR "until" >= CURRENT_DATE()
  UNION ALL
  SELECT B."Role", U."Unit"
  FROM BELOW B JOIN "Feuerwehr"."Wer sieht was"."units" U ON U."belongs to" = B."Unit"
)
SELECT DISTINCT "Role", "Unit" FROM BELOW;
CREATE ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."own units" AS (ROW_UNIT STRING) RETURNS BOOLEAN ->
  EXISTS (
    SELECT 1 FROM "Feuerwehr"."Wer sieht was"."listed with all below" L
    WHERE L."Unit" = ROW_UNIT AND IS_ROLE_IN_SESSION(L."Role"))
  OR EXISTS (
    SELECT 1 FROM "Feuerwehr"."Wer sieht was"."listed with all below" L
    WHERE L."Unit" = '*' AND IS_ROLE_IN_SESSION(L."Role"));
CREATE ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."own units and drills" AS (ROW_UNIT STRING, D BOOLEAN) RETURNS BOOLEAN ->
  (NOT COALESCE(D, FALSE) OR IS_ROLE_IN_SESSION('TRAINERS'))
  AND (
    EXISTS (
      SELECT 1 FROM "Feuerwehr"."Wer sieht was"."listed with all below" L
      WHERE L."Unit" = ROW_UNIT AND IS_ROLE_IN_SESSION(L."Role"))
    OR EXISTS (
      SELECT 1 FROM "Feuerwehr"."Wer sieht was"."listed with all below" L
      WHERE L."Unit" = '*' AND IS_ROLE_IN_SESSION(L."Role")));
ALTER TABLE "Feuerwehr"."Fire Log"."call-outs"
  DROP ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."drills",
  ADD ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."own units and drills" ON ("unit", "drill");
ALTER TABLE "Feuerwehr"."Fire Log"."vehicles"
  ADD ROW ACCESS POLICY "Feuerwehr"."Wer sieht was"."own units" ON ("Stationed at");
