"""The executor: queries, changes of rows, loads and unloads.

Room: embedded.
"""
