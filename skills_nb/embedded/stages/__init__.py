"""Stages: files that the account keeps, and the roads between files and tables.

Room: embedded. PUT, GET, LIST, REMOVE, COPY INTO both ways, reading of staged files, pipes. Files
live below the account's own folder, and nothing a statement says leads out of it. What may be read
or written follows the stage's grants; what is unloaded comes from a governed query.
"""
