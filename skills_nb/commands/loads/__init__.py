"""A person's own data: read, typed, and made a plan that loads them.

Room: commands.
"""
