"""INFORMATION_SCHEMA: what a database holds, as far as a role may see it.

Room: embedded. A module about each subject; `information_schema_views` names them all. What
ACCOUNT_USAGE shows of the same objects is read from here.
"""
