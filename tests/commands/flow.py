"""Drives the main job through commands, as a person would."""

SCOPE = "PROD.CUSTOMER_DATA"


def begin(app, *more):
    """Start on the demo data and stop at the first pause."""
    words = ["run", "playbooks/secure-sensitive-data", "--input", f"target_scope={SCOPE}"]
    return app.invoke([*words, "--thread", "job", *more])


def approve(app, reply):
    """Take the proposal of the open pause, with its phrase where one is asked for."""
    pause = reply.pause
    phrase = ["--phrase", pause.phrase] if pause.phrase else []
    return app.invoke(["respond", "approve", "--at", pause.at, "--thread", "job", *phrase])


def finish(app, reply):
    """Approve everything to the end."""
    for _ in range(30):
        if reply.pause is None:
            return reply
        assert reply.pause.kind != "error_escalated", reply.pause.present
        reply = approve(app, reply)
    raise AssertionError("it did not end")
