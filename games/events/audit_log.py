"""Write entries about tables, hands and evenings to the audit log, in the transaction of the action."""

from __future__ import annotations

from collections.abc import Sequence

from league import audit
from league.audit import What
from league.models import Closing, Evening, HouseRules, User

from ..models import Correction, Dispute, Hand, Table


def _hand(table: Table, number: int, kind: str = "") -> audit.Data:
    data: dict[str, str | int] = {"evening": table.evening_id, "table": table.number, "number": number}
    return data | ({"kind": kind} if kind else {})


def hand_corrected(correction: Correction, evening: Evening) -> None:
    """A hand was changed, taken out, inserted or moved, or players were reseated."""
    data = _hand(correction.table, correction.number, str(correction.kind))
    several = [str(hand["number"]) for hand in correction.details.get("hands", ())]
    if len(several) > 1:
        data = {**data, "kind": "several", "numbers": ", ".join(several)}
    about = f"correction:{correction.pk}"
    audit.write(What.HAND_CORRECTED, club=evening.club, actor=correction.author, about=about, data=data)


def hands_left_out(
    table: Table, author: User | None, hands: Sequence[audit.Data], changes: Sequence[audit.Data]
) -> None:
    """Hands and seating changes of a phone were left out in favour of writes of another phone: an entry for each.

    A hand has `number`, and its players as ids: `declarer`, `joiners`, `made` or `tricks` ("id:count"), `blind`. A
    change has `kind` and `who`. An id of 0 is a player who is unknown to the server.
    """
    place = {"evening": table.evening_id, "table": table.number}
    for data in (*hands, *({**change, "seats": True} for change in changes)):
        about = f"table:{table.pk}"
        audit.write(What.HAND_LEFT_OUT, club=table.evening.club, actor=author, about=about, data={**place, **data})


def hand_voided(hand: Hand, table: Table, author: User | None) -> None:
    """The last hand of a table was voided."""
    data = _hand(table, hand.number)
    audit.write(What.HAND_VOIDED, club=table.evening.club, actor=author, about=f"hand:{hand.pk}", data=data)


def hand_disputed(dispute: Dispute, table: Table) -> None:
    """A dispute about a hand was raised, withdrawn or settled."""
    data = _hand(table, dispute.hand.number, str(dispute.kind))
    about = f"hand:{dispute.hand_id}"
    audit.write(What.HAND_DISPUTED, club=table.evening.club, actor=dispute.author, about=about, data=data)


def evening_begun(evening: Evening) -> None:
    """An evening was created."""
    audit.write(What.EVENING_BEGUN, club=evening.club, actor=evening.opened_by, about=f"evening:{evening.pk}")


def payments_marked(evening: Evening, author: User | None, paid: bool, count: int) -> None:
    """`count` payments were marked as paid, or their marks taken back."""
    data: audit.Data = {"paid": paid, "count": count}
    audit.write(What.PAYMENTS_MARKED, club=evening.club, actor=author, about=f"evening:{evening.pk}", data=data)


def evening_closed(closing: Closing, evening: Evening) -> None:
    """An evening was closed or reopened."""
    what = What.EVENING_REOPENED if closing.kind == Closing.Kind.REOPENED else What.EVENING_CLOSED
    audit.write(what, club=evening.club, actor=closing.author, about=f"evening:{evening.pk}")


def rules_changed(rules: HouseRules) -> None:
    """A new version of a club's house rules was stored."""
    data: audit.Data = {"game": rules.game, "version": rules.version}
    audit.write(What.RULES_CHANGED, club=rules.club, actor=rules.author, about=f"rules:{rules.pk}", data=data)
