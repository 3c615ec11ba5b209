"""How objects come, are copied and go: the steps that all kinds have in common.

Room: embedded. What a kind does in its own way, it has registered.
"""
