"""Thread stores: where events are kept, and the promise that none acknowledged is lost.

Room: work (runtime). `sqlite` is the store of a notebook, `postgres` the one of a team; both meet
the conformance suite of the `ThreadStore` port. `redaction` takes secrets out of an event before
it is appended. Nothing here folds or decides.
"""
