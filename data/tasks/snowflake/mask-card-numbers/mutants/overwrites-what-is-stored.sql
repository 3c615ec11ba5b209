-- The numbers are lost, also for those who need them.
UPDATE BANK.CARDS.PAYMENTS SET CARD = REPEAT('*', LENGTH(CARD) - 4) || RIGHT(CARD, 4);
