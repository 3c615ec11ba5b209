"""Salesforce tasks: a repository, a patch, and the real `sf` command line.

Room: work (bench). `sf_cli` runs the command, `predicates` says of each command what its success
is, `orgs` makes and deletes scratch orgs, `checkout` brings repositories, `static_checks` and
`lwc_tests` are what can be told without an org, `repository_measurement` puts it together.
"""
