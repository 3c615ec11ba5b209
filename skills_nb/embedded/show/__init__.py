"""SHOW and DESCRIBE: what the account tells about itself in statements.

Room: embedded.
"""
