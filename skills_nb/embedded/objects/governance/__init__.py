"""What protects and classifies data: policies on it, and tags.

Room: embedded.
"""
