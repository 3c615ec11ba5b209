"""A messy account, and every playbook on it."""
