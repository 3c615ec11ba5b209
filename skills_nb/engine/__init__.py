"""The reducer: events are folded into a state, and the state decides what to ask of the world.

Room: laws. Nothing here reads a clock, draws an id, opens a file or reaches an account: the same
library and the same thread give the same next effects, on any machine, any day.
Spec: Execution Model.
"""
