"""A thread as people see it: its card, its pause, its history, and what it plans and changes.

Room: laws (views).
"""
