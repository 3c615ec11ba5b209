"""The binder: what names in a statement stand for, and the types that follow.

Room: embedded.
"""
