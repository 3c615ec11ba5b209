"""What stood when: row images, stream offsets, sequences, and the roles borrowed to read them.

Room: embedded.
"""
