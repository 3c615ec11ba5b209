"""Files: the stages that keep them, and the formats that say how they are read.

Room: embedded.
"""
