"""What hangs on objects: policies on tables and columns, tags on anything.

Room: embedded.
"""
