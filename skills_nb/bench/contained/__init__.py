"""Running what an answer brings: a model's answer is a stranger's code.

Room: work (bench). A command runs in an enclosure: it sees the folders that it is shown and can
change none of them, has no network, no process but its own, and an environment without anything of
this one. Where the machine has no such enclosure nothing is run, unless a person says so.
"""
