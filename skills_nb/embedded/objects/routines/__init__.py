"""Routines: functions, procedures and what measures data.

Room: embedded.
"""
