"""Objects of the account beside tables, policies on columns and people.

Room: embedded. Shares, database roles, resource monitors, network rules and policies, secrets,
integrations, login policies: made, altered, shown, described and granted like any other object.
"""
