"""The headings of CSV columns for Excel, by the name of the column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import pgettext_lazy as _p

from ..money import unit
from .report_table import Column, Kind

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

AMOUNT = "_minor"
"""The end of the name of a column of amounts."""

COUNTS = frozenset(
    (
        "evenings", "hands", "declared", "declared_made", "joined", "joined_made", "out", "blinds", "blinds_made",
        "walkovers", "musses", "musses_made", "tricks", "players",
    )
)  # fmt: skip
POINTS = frozenset(("points", "best_night_points", "worst_night_points"))
NUMBERS = frozenset(
    (
        "rank", "rank_before", "team", "team_rank", "player_id", "evening", "evening_id", "revision", "seat", "made",
        "walkover", "passed_out", "muss", "counts_for_id", "imported", "transfer_id", "from_account_id",
        "to_account_id", "table", "hand", "siebenermuss", "dealer", "payer_id", "payee_id", "entry_id",
        "night_rank",
    )
)  # fmt: skip
"""Columns of ranks, of numbers that only name something, and of yes and no (1 and 0). `susi` is a count in standings
and yes or no elsewhere."""
DAYS = frozenset(("held_on", "paid_on"))

HEADINGS: dict[str, _StrPromise] = {
    "rank": _p("column", "Rank"),
    "rank_before": _p("column", "Rank before"),
    "player_id": _p("column", "Player no."),
    "player": _p("column", "Player"),
    "points": _p("column", "Points"),
    "balance_minor": _p("column", "Balance"),
    "evenings": _p("column", "Evenings"),
    "hands": _p("column", "Hands"),
    "declared": _p("column", "Declared"),
    "declared_made": _p("column", "Declared and made"),
    "joined": _p("column", "Joined"),
    "joined_made": _p("column", "Joined and made"),
    "out": _p("column", "Out"),
    "blinds": _p("column", "Blind"),
    "blinds_made": _p("column", "Blind and made"),
    "walkovers": _p("column", "Walkovers"),
    "susi": _p("column", "Susi"),
    "biggest_pot_minor": _p("column", "Biggest pot won"),
    "best_night_minor": _p("column", "Best evening"),
    "worst_night_minor": _p("column", "Worst evening"),
    "best_night_points": _p("column", "Best evening, points"),
    "worst_night_points": _p("column", "Worst evening, points"),
    "musses": _p("column", "Muss hands"),
    "musses_made": _p("column", "Muss hands made"),
    "team": _p("column", "Team no."),
    "team_name": _p("column", "Team"),
    "team_rank": _p("column", "Team, rank"),
    "counted_minor": _p("column", "Counted amount"),
    "unranked": _p("column", "Not ranked because of"),
    "evening": _p("column", "Evening"),
    "held_on": _p("column", "Date"),
    "evening_id": _p("column", "Evening, address"),
    "hand_id": _p("column", "Hand, key"),
    "revision": _p("column", "Revision"),
    "seat": _p("column", "Seat"),
    "role": _p("column", "Role"),
    "made": _p("column", "Made"),
    "tricks": _p("column", "Tricks"),
    "walkover": _p("column", "Walkover"),
    "passed_out": _p("column", "Passed out"),
    "blind": _p("column", "Blind"),
    "pot_won_minor": _p("column", "Won from the pot"),
    "change_minor": _p("column", "Change"),
    "muss": _p("column", "Muss"),
    "counts_for_id": _p("column", "Counts for no."),
    "imported": _p("column", "Imported"),
    "paid_on": _p("column", "Paid on"),
    "transfer_id": _p("column", "Transfer no."),
    "posting_id": _p("column", "Posting no."),
    "posted_at": _p("column", "Posted at"),
    "reverses": _p("column", "Reverses posting no."),
    "kind": _p("column", "Kind"),
    "from_account_id": _p("column", "From account no."),
    "from_kind": _p("column", "From"),
    "from_player": _p("column", "From player"),
    "to_account_id": _p("column", "To account no."),
    "to_kind": _p("column", "To"),
    "to_player": _p("column", "To player"),
    "amount_minor": _p("column", "Amount"),
    "author": _p("column", "Author"),
    "reason": _p("column", "Reason"),
    "table": _p("column", "Table"),
    "hand": _p("column", "Hand"),
    "state": _p("column", "State"),
    "outcome": _p("column", "Outcome"),
    "pot_minor": _p("column", "Pot"),
    "pot_after_minor": _p("column", "Pot after"),
    "entered_at": _p("column", "Entered at"),
    "game": _p("column", "Game"),
    "game_type": _p("column", "Game type"),
    "siebenermuss": _p("column", "Siebenermuss"),
    "cuts": _p("column", "Cuts"),
    "dealer": _p("column", "Dealer"),
    "payment_id": _p("column", "Payment, key"),
    "season": _p("column", "Season"),
    "payer_kind": _p("column", "Payer, kind"),
    "payer_id": _p("column", "Payer no."),
    "payer": _p("column", "Payer"),
    "payee_kind": _p("column", "Payee, kind"),
    "payee_id": _p("column", "Payee no."),
    "payee": _p("column", "Payee"),
    "stage": _p("column", "Stage"),
    "final_at": _p("column", "Final from"),
    "entry_id": _p("column", "Entry no."),
    "at": _p("column", "At"),
    "who": _p("column", "Who"),
    "what": _p("column", "What"),
    "said": _p("column", "Entry"),
    "about": _p("column", "About"),
    "night_rank": _p("column", "Rank of the evening"),
    "players": _p("column", "Players"),
}


def heading(column: str, currency: str) -> str:
    """Return the heading in the reader's language; that of an amount names the currency."""
    text = str(HEADINGS[column])
    return f"{text} ({unit(currency)})" if column.endswith(AMOUNT) and currency else text


def column_of(name: str, *, summed: bool = False) -> Column:
    """Return the column of a list in an XLSX file; `summed`: the row of sums adds it up."""
    kinds = ((COUNTS, Kind.COUNT), (POINTS, Kind.POINTS), (NUMBERS | {"susi"}, Kind.NUMBER), (DAYS, Kind.DATE))
    kind = Kind.AMOUNT if name.endswith(AMOUNT) else next((kind for names, kind in kinds if name in names), Kind.TEXT)
    return Column(name, HEADINGS[name], kind, summed=summed)
