"""Tools that write skill files: `new`, the index, `--fix`, Agent Skills.

Room: work. Texts are computed first, as values; `workspace` alone writes them, each file at once
or not at all. What only an author can say is left open, never made up.
"""
