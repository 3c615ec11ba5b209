"""Threads and plans as files: the specification's YAML, SQL scripts, notebooks.

Room: commands.
"""
