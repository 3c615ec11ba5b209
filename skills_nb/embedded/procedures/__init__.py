"""Code: functions, procedures and Snowflake Scripting.

Room: embedded. Every statement of a script runs through the same executor as a typed one, as the
role that the routine's rights name.
"""
