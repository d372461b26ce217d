"""The main buttons of a page, read from its HTML: those that a reader sees before opening anything."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "rect"})


class _Reader(HTMLParser):
    """Collects the main buttons, without those in closed `details`, in dialogs, templates, hidden parts, and pictures
    (`inert`)."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        hides = not {"hidden", "popover", "inert"}.isdisjoint(given) or tag in ("dialog", "template", "noscript")
        if tag == "details" and "open" not in given:
            hides = True
        classes = (given.get("class") or "").split()
        shown = not any(hidden for _tag, hidden in self._open) or self._in_first_summary(tag)
        if "btn" in classes and "quiet" not in classes and shown and not hides:
            self.found.append(f"{tag} {given.get('href') or given.get('name') or given.get('value') or ''}".strip())
        if tag not in VOID:
            self._open.append((tag, hides))

    def _in_first_summary(self, tag: str) -> bool:
        """Return True for the summary of a closed part, if nothing else around it is hidden."""
        return tag == "summary" and sum(hidden for _tag, hidden in self._open) == 1 and self._open[-1][0] == "details"

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            if self._open.pop()[0] == tag:
                return


def main_buttons(html: str) -> list[str]:
    """Return the main buttons (`.btn` without `.quiet`) of a page, each with its address or name."""
    reader = _Reader()
    reader.feed(html)
    return reader.found
