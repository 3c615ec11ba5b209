"""Cleanup: what the thread did is taken back, unless others have worked on it since.

Room: laws. Spec: Compensation and Rollback.
"""
