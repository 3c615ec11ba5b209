"""Entries: what is common to the kinds of objects that are kept as their properties.

Room: embedded. Each kind puts its rules, rows and words together with `entry_kind`, in the folder
of its own field.
"""
