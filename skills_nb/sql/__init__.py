"""SQL: statements read, classified and turned into values; nothing is ever run here.

Room: sql, above model and below ports. Pure: no clock, no random, no network, no file. Import the
submodule that is needed: `identifiers`, `tokens`, `statements` and `governance` cost nothing,
`templates` brings jinja2, `conditions`, `classify` and `objects` bring sqlglot.
"""
