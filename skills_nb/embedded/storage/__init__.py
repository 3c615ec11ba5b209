"""Storage: the DuckDB store, the tables in it, their past, and the files of stages.

Room: embedded.
"""
