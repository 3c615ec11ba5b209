"""Lateral rows: what table functions make of each row of the sources before them.

Room: embedded. `rows_first` computes the rows beside their source, `input_numbers` tells the inputs
apart. Pure.
"""
