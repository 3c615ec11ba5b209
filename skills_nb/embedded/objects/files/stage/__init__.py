"""Stages: files that the account keeps below its own folder.

Room: embedded.
"""
