"""Which relations a role may see, and how lists of objects are narrowed.

Room: embedded.
"""
