"""The grammar: one argparse tree behind `%skill` and `skills-nb`.

Room: commands.
"""
