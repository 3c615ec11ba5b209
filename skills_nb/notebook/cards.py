"""A view as what a front end shows: HTML with plain text beside it.

Room: doors (notebook).
"""

from __future__ import annotations

from typing import Any

from IPython.display import DisplayHandle, display

from skills_nb.views import Badge, View, render_html, render_text

PROMPT = "%skill"


def bundle(view: View, account: Badge | None = None) -> dict[str, Any]:
    """Return the MIME bundle of a view under its account; the same view gives the same bundle."""
    return {
        "text/html": render_html(view, PROMPT, account),
        "text/plain": render_text(view, prompt=PROMPT, account=account),
    }


def show(view: View, account: Badge | None = None) -> None:
    """Show a view once; nothing updates it later."""
    display(bundle(view, account), raw=True)


def show_live(view: View, account: Badge | None = None) -> DisplayHandle:
    """Show a view that is going to be updated."""
    handle: DisplayHandle = display(bundle(view, account), raw=True, display_id=True)
    return handle


def update(handle: DisplayHandle, view: View, account: Badge | None = None) -> None:
    """Replace what a handle shows."""
    handle.update(bundle(view, account), raw=True)
