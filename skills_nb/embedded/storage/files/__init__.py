"""Staged files: where they are, what format they have, what rows they hold.

Room: embedded.
"""
