"""Accounts that differ in what one role may not see, and in nothing else; and what it tries."""
