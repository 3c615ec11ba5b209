"""Data metric functions: what measures a table's quality, by hand or after its rows change.

Room: embedded. Nothing runs by the clock: a schedule of minutes or CRON is kept and shown. A table
whose schedule is TRIGGER_ON_CHANGES is measured after each statement that changed its rows.
"""
