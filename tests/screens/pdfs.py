"""Every PDF of the product: its address and its reader. Pictures of their first pages are taken by the same script as
those of the screens."""

from __future__ import annotations

from dataclasses import dataclass

from league.tournaments.paper.kinds import KINDS
from tests.screens.screen import Who

STATES = {"certificates": "over", "results": "over"}
"""The tournament whose paper of a kind is shown; `drawn` for the others."""


@dataclass(frozen=True)
class Pdf:
    """A PDF. `address` gets its parameters from the world, `route` is the name of the URL."""

    name: str
    route: str
    address: str
    who: Who = "owner"


def _book(name: str) -> Pdf:
    return Pdf(f"book-{name}", "treasury-report", f"/c/krone/treasury/report/?book={name}&for=pdf")


def _paper(kind: str) -> Pdf:
    tournament = STATES.get(kind, "drawn")
    address = f"/c/krone/tournaments/{tournament}/paper/{kind}.pdf"
    return Pdf(f"paper-{kind}", "tournament-paper", address)


PDFS = [
    Pdf("season-report", "season-report", "/c/sternen/s/{sternen_season}/report/?for=pdf"),
    Pdf("season-report-closed", "season-report", "/c/roessli/s/{closed_season}/report/?for=pdf"),
    Pdf("season-report-visitor", "season-report", "/c/roessli/s/{roessli_season}/report/?for=pdf", "visitor"),
    Pdf("season-report-long", "season-report", "/c/krone/s/2026/report/?for=pdf"),
    Pdf("season-report-kratzen", "season-report", "/c/adler/s/{adler_season}/report/?for=pdf"),
    Pdf("statement", "player-statement", "/c/roessli/p/{roessli_player}/statement/?for=pdf"),
    Pdf("statement-long", "player-statement", "/c/krone/p/{long_player}/statement/?for=pdf"),
    Pdf("evening-report", "evening-report", "/c/roessli/e/{roessli_evening}/report/?for=pdf"),
    Pdf("treasurer-list", "treasurer-list", "/c/krone/treasurer/?for=pdf"),
    *(_book(name) for name in ("kitty", "box", "payments", "evenings")),
    Pdf("statements", "statements-pdf", "/c/krone/treasury/statements.pdf"),
    Pdf("bill-mine", "bill-mine-pdf", "/c/krone/bill.pdf"),
    Pdf("evening-sheet", "evening-sheet", "/c/roessli/e/{roessli_evening}/sheet.pdf"),
    Pdf("evening-sheet-a5", "evening-sheet", "/c/roessli/e/{roessli_evening}/sheet.pdf?size=a5"),
    *(_paper(kind) for kind in KINDS),
]
