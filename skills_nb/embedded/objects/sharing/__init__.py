"""Sharing: what leaves the account, or comes from elsewhere.

Room: embedded. Nothing is sent and nothing is fetched.
"""
