"""Who may: users and roles.

Room: embedded.
"""
