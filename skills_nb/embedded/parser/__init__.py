"""The parser: texts become statements and trees.

Room: embedded.
"""
