"""Tables: their columns, keys and rows.

Room: embedded.
"""
