"""SNOWFLAKE.ACCOUNT_USAGE: what the whole account holds, and what was done in it.

Room: embedded. A module about each subject; `account_usage_views` names them all.
"""
