"""What moves data: time travel, streams, dynamic tables, tasks, alerts, sequences.

Room: embedded. Every stored row knows its number and the instant since which it stands; the image
that a change replaces moves to a second DuckDB table. Time travel, streams and CHANGES are reads of
both, and go through the same protection as any read.
"""
