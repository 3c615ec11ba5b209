"""What contains and lends: the account, databases, schemas and shares.

Room: embedded.
"""
