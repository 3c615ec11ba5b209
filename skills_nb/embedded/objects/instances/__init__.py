"""Instances of classes: custom classifiers, classification profiles and budgets.

Room: embedded. An instance is an object of a schema with a state that its methods read and change.
"""
