"""Salesforce tasks: a repository, a patch, and the real `sf` command line.

Room: work (bench). `cli` runs the command, `predicates` says of each command what its success is,
`orgs` makes and deletes scratch orgs, `checkout` brings repositories, `statics` and `lwc` are what
can be told without an org, `measure` puts it together.
"""
