"""Statements: one module per family, each a function from a session and a typed statement.

Room: embedded.
"""
