"""The account and its sessions.

Room: embedded. Where a statement enters, which module answers it, and when it is committed.
"""
