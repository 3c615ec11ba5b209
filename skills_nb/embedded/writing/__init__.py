"""Writing: the CREATE statement that makes an object again, for GET_DDL and for exports.

Room: embedded. One function a kind, from the catalog's entity to Snowflake SQL. Other objects are
written with their full names, so that a statement means the same wherever it is run.
"""
