"""Players on the lists of cups: what forgetting and merging change there."""

from __future__ import annotations

from collections.abc import Collection

from ..models import Cup, CupPerson, CupPlayer, Player


def listed_forget(players: Collection[Player]) -> None:
    """Take forgotten players off the lists of all cups. The caller holds the transaction."""
    rows = CupPlayer.objects.filter(player__in=players).select_related("cup")
    cups = {row.cup_id: row.cup for row in rows}
    CupPlayer.objects.filter(player__in=players).delete()
    for cup in cups.values():
        tidy(cup)


def listed_move(*, player: Player, main: Player) -> None:
    """Put the main player in the place of a merged one on the lists of cups. Where both are on one, the place of the
    main player stays. The caller holds the transaction."""
    known = set(CupPlayer.objects.filter(player=main).values_list("cup_id", flat=True))
    for row in CupPlayer.objects.filter(player=player).select_related("cup"):
        if row.cup_id in known:
            row.delete()
            tidy(row.cup)
        else:
            row.player = main
            row.save(update_fields=["player"])


def tidy(cup: Cup) -> None:
    """Delete the people of a list under whom there is no player."""
    CupPerson.objects.filter(cup=cup, players=None).delete()
