-- Protects by destroying: nobody can read the addresses any more.
UPDATE SHOP.SALES.CUSTOMERS SET EMAIL = '***';
