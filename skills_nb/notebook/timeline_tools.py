"""What helps to read a history: a filter, and pages where it is long.

Room: doors (notebook). Only the card changes; the thread is not touched. A page is drawn in no time
whatever the length of the history, and the filter always looks at the whole of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from skills_nb.views import Timeline
from skills_nb.views.threads.timeline import KINDS, narrow_timeline, page_of, pages_of

_ROW = w.Layout(flex_flow="row wrap")
_FITS = w.Layout(width="auto", min_width="5rem")
_LABELS = {"description_width": "initial"}


class TimelineTools:
    """The widgets under one history."""

    def __init__(self, view: Timeline, redraw: Callable[[Timeline], None]) -> None:
        """Build the widgets; the card shows the newest page already.

        Args:
            view: the whole history.
            redraw: draws what is to be seen of it.
        """
        self._whole = self._found = view
        self._redraw = redraw
        self._kind = w.Dropdown(
            options=list(KINDS), description="Show", layout=_FITS, style=_LABELS
        )
        self._words = w.Text(
            description="with the words",
            placeholder="an object, a query id, a name",
            continuous_update=False,
            layout=w.Layout(width="26rem", max_width="98%"),
            style=_LABELS,
        )
        self._page = w.BoundedIntText(
            value=pages_of(view),
            min=1,
            max=pages_of(view),
            description="Page",
            layout=w.Layout(width="9rem"),
            style=_LABELS,
        )
        self._of = w.HTML("")
        self._earlier = self._button("Earlier", "The page before", -1)
        self._later = self._button("Later", "The page after", 1)
        self._pager = w.HBox([self._earlier, self._page, self._of, self._later], layout=_ROW)
        for part, follow in (
            (self._kind, self._narrow),
            (self._words, self._narrow),
            (self._page, self._turn),
        ):
            part.observe(follow, "value")
        filters = w.HBox([self._kind, self._words], layout=_ROW)
        self.parts = (filters, self._pager) if pages_of(view) > 1 else (filters,)
        self._tell()

    def _button(self, text: str, tooltip: str, by: int) -> w.Button:
        button = w.Button(description=text, tooltip=tooltip, layout=_FITS)
        button.on_click(lambda _: self._go(by))
        return button

    def _go(self, by: int) -> None:
        self._page.value += by

    def _narrow(self, _: Any) -> None:
        self._found = narrow_timeline(self._whole, self._kind.value, self._words.value)
        last = pages_of(self._found)
        # One redraw for a new filter, not another for the page that it leads to.
        self._page.unobserve(self._turn, "value")
        self._page.max = self._page.value = last
        self._page.observe(self._turn, "value")
        self._show()

    def _turn(self, _: Any) -> None:
        self._show()

    def _show(self) -> None:
        self._tell()
        self._redraw(page_of(self._found, self._page.value))

    def _tell(self) -> None:
        last = pages_of(self._found)
        self._of.value = f"of {last}"
        self._earlier.disabled = self._page.value <= 1
        self._later.disabled = self._page.value >= last


def newest_page(view: Timeline) -> Timeline:
    """Return what is shown of a history at first: where the thread stands."""
    return page_of(view, pages_of(view))
