"""Compute: what statements and containers run on, and what limits it.

Room: embedded.
"""
