-- Wrong: the old role is granted to the new one instead of going.
GRANT ROLE CONTRACTOR TO ROLE ENGINEERING;
