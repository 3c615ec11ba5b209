"""The authorizer: what a session may find and do, and what its parameters say.

Room: embedded. Nobody else asks the rights, and no other room refuses for want of a privilege:

- `access` finds what a statement names, tells what a session may do with it, and refuses the rest;
- `name_resolution` finds what a query names, for the roles it runs as;
- `special_rights` is the table of what others than its owner may do with an object;
- `role_inheritance` tells which roles stand behind a role or a user.
"""
