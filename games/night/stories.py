"""The stored hands of a table from a hand on, as data for a phone that recorded others meanwhile (docs/night.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from league.access import ClubAccess, Right

from ..hands import rounds, selectors, why_revised
from ..hands.hand_lines import REVISED
from ..hands.selectors import HandView, TableView
from ..hands.tally import tally_of
from ..models import Revision, Table
from ..seating.selectors import sums_of, timelines
from ..table.snapshot import snapshot

FORMAT = 1

Data = dict[str, Any]


def story(access: ClubAccess, table: Table, first: int) -> Data:
    """Return the stored hands of a table from hand `first` on, as plain data: amounts in Rappen, times in ms since
    1970.

    `from` is at most the number of the next hand. `was` is the state after the hand before it: pot, dealer (a player),
    deal number, players. `hands` have the tally of each record, without the fields of the chain. `keys` are the keys of
    all writes of these hands, by key the number: a phone whose answer was lost finds its hands there. The caller has
    checked that the reader may see the amounts of the table.
    """
    view = selectors.table_view(table)
    first = min(first, table.hands + 1)
    shown = [hand for hand in reversed(view.hands) if hand.number >= first]
    stored = _stored(table, first)
    names: dict[int, str] = {}
    for hand in view.hands:
        names |= dict(zip(hand.player_ids, hand.names, strict=True))
    reasons = why_revised.why_revised([table.pk])
    return {
        "format": FORMAT,
        "from": first,
        "was": _before(view, first),
        "hands": [_hand(hand, stored, reasons.get((table.pk, hand.number), "")) for hand in shown],
        "happenings": _happenings(access, table, first),
        "keys": {str(key): number for number, key, *_rest in stored if key is not None},
        "names": {str(player): name for player, name in names.items()},
        "sums": {str(player): amount for player, amount in sums_of(table.evening).items()},
        "moved": table.moved_minor,
        "dealer_named": table.dealer_set,
        "final": rounds.why_final(table.evening),
        "snapshot": snapshot(access, view),
        "urls": _urls(access, table),
    }


_Stored = tuple[int, Any, int, bool]


def _stored(table: Table, first: int) -> list[_Stored]:
    """Number, key, coins that came before it, and whether its dealer was named, of each revision. One query."""
    revisions = Revision.objects.filter(hand__table=table, hand__number__gte=first).order_by("hand__number", "number")
    return list(revisions.values_list("hand__number", "submission__key", "moved_minor", "dealer_set"))


def _before(view: TableView, first: int) -> Data:
    before = next((hand for hand in view.hands if not hand.voided and hand.number == first - 1), None)
    if before is None:
        return {"pot": 0, "dealer": view.table.first_dealer_id, "deal_number": 1, "players": []}
    following = before.result["next"]
    return {
        "pot": before.pot_after,
        "dealer": before.player_ids[following["dealer"]],
        "deal_number": following["deal_number"],
        "players": list(before.player_ids),
    }


def _hand(hand: HandView, stored: Sequence[_Stored], why: str) -> Data:
    newest = next(row for row in reversed(stored) if row[0] == hand.number)
    return {
        "number": hand.number,
        "revision": hand.revision,
        "voided": hand.voided,
        "revised": REVISED[why]() if why and not hand.voided else "",
        "by": hand.author,
        "at": int(hand.at.timestamp() * 1000),
        "players": list(hand.player_ids),
        "dealer": hand.record["dealer"],
        "record": tally_of(hand),
        "result": {name: hand.result[name] for name in ("outcome", "muss", "lines", "deltas", "pot_after", "next")},
        "moved": newest[2],
        "dealer_named": newest[3],
    }


def _happenings(access: ClubAccess, table: Table, first: int) -> list[Data]:
    """The seating changes after the hand before `first`, oldest first."""
    entries = timelines([table], amounts=True, currency=access.club.currency)[table.pk]
    return [
        {
            "after": entry.after,
            "kind": entry.kind,
            "sentence": entry.sentence,
            "by": entry.author,
            "at": int(entry.at.timestamp() * 1000),
        }
        for entry in reversed(entries)
        if entry.after >= first - 1
    ]


def _urls(access: ClubAccess, table: Table) -> Mapping[str, str]:
    club, kwargs = {"club": access.club.slug}, {"club": access.club.slug, "table": table.pk}
    evening = club | {"evening": table.evening_id}
    return {
        "table": reverse("table", kwargs=kwargs),
        "corrections": reverse("evening-corrections", kwargs=evening),
        "log": reverse("club-log", kwargs=club) if access.may(Right.SEE_LOG) else "",
    }
