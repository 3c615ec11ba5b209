"""Statements of a step: each sent, its effect on rows told, and what follows when it fails.

Room: laws. Spec: Error Handling; Compensation and Rollback.
"""
