"""Snowflake tasks: a sandbox per instance, and the five components measured in it.

Room: work (bench). `sandboxes` says what a sandbox is, `embedded_sandboxes` and
`account_sandboxes` are the two there are, `snowflake_measurement` runs an answer and measures it.
"""
