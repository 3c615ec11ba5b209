"""Semantic views: what tables, relationships, dimensions, facts and metrics mean together.

Room: embedded.
"""
