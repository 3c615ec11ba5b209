"""Dynamic tables: queries whose rows are kept.

Room: embedded.
"""
