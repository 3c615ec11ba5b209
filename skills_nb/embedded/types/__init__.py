"""Types, names, scopes and plain values, which everything else is made of.

Room: embedded.
"""
