"""The statements that objects of every kind answer: ALTER, DROP, SHOW, DESCRIBE, GRANT, ….

Room: embedded. Each asks the registered kind for what is its own.
"""
