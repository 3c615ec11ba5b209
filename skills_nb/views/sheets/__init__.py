"""Sheets: the blocks that every view is made of, and their two forms, HTML and plain text.

Room: laws (views). Both renderers begin with `visible_sheet`, so no view can forget it.
"""
