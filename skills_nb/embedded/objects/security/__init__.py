"""Security: who may come in, from where, and what connects to the outside.

Room: embedded. Nothing connects and nobody logs in with a password: what is kept is what SHOW and
DESCRIBE tell.
"""
