"""What a statement may ask of its session.

Room: embedded.
"""
