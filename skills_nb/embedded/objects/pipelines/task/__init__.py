"""Tasks: statements that run when EXECUTE TASK says so, and the graphs of those that follow.

Room: embedded. A schedule is kept and shown; nothing runs by itself.
"""
