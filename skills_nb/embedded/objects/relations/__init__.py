"""What queries read: tables, dynamic tables and views.

Room: embedded.
"""
