"""Tools on a whole account.

Room: embedded. Demo, export, mirror, rehearsal, sharing, and the table of what is supported.
"""
