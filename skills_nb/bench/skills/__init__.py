"""The library itself as what is measured: where it routes, and what its playbooks leave behind.

Room: work (bench). Nobody is asked and nothing is paid: the library answers.
"""
