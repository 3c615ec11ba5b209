"""Snowflake tasks: a sandbox per instance, and the five components measured in it.

Room: work (bench). `sandboxes` says what a sandbox is, `embedded` and `account` are the two
there are, `measure` runs an answer and measures it.
"""
