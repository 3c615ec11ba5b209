"""Functions that users wrote, as part of a governed query.

Room: embedded.
"""
