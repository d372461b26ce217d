"""The podium of an evening: each player's rank with points, counts and, for those who may see them, amounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubAccess
from league.models import Evening, Season
from league.money import format_count
from league.standings.selectors import evening_totals, season_ranks
from league.web.game_terms import terms_of


@dataclass(frozen=True)
class PlayerTotal:
    """A player on the podium of an evening. While it is open `change_minor` is the sum of tonight, with the ante that
    the player has put into the pot; it is None where the reader may not see it.

    There is no `rank` before the player's first hand. `season_rank` is the rank of the season after the evening,
    `rank_before` the one before it; both are None until they are counted. `parts` are the player's counts:
    `chratzt 7/10`, `metcho 18/21`, `1 alone`.
    """

    player_id: int
    name: str
    rank: int | None
    points: int
    mine: bool
    sees: bool
    change_minor: int | None
    season_rank: int | None
    rank_before: int | None
    parts: Sequence[str]


def podium(
    access: ClubAccess, evening: Evening, antes: Mapping[int, Mapping[int, int]], played: int
) -> list[PlayerTotal]:
    """Return the players of an evening, the best first. Two queries, one more for players who have no hand yet.

    `antes` are those in the pots, by table and player; `played` is the number of hands. In a season that ranks by
    balance the order shows the winner, as the ranks of its standings do; the amounts stay hidden.
    """
    rows = evening_totals(evening)
    paid = {player: ante for at_table in antes.values() for player, ante in at_table.items()}
    new = paid.keys() - {row["player_id"] for row in rows}
    names = access.names.of(new) if rows and new else {}
    nothing = dict.fromkeys(rows[0], 0) | {"rank": None} if rows else {}
    rows += [nothing | {"player_id": player, "nickname": name} for player, name in sorted(names.items())]
    ranks = season_ranks(evening) if _counts(evening) and rows else {}
    return [_total(access, evening, row, paid.get(row["player_id"], 0), ranks, played) for row in rows]


def _parts(evening: Evening, row: Mapping[str, Any], played: int) -> list[str]:
    """A player's counts; the number of hands only if it is not that of the whole evening (`played`)."""
    terms, contested = terms_of([evening.game]), row["declared"] - row["walkovers"]
    tried = [(terms.declares, row["declared_made"], contested), (terms.joins, row["joined_made"], row["joined"])]
    parts = [f"{term} {made}/{of}" for term, made, of in tried if of > 0]
    if row["walkovers"]:
        parts.append(ngettext("%(n)s alone", "%(n)s alone", row["walkovers"]) % {"n": row["walkovers"]})
    if row["musses"]:
        parts.append(f"{terms.forced} {row['musses_made']}/{row['musses']}")
    if evening.is_imported and not played:
        parts.append(ngettext("%(n)s hand", "%(n)s hands", row["hands"]) % {"n": format_count(row["hands"])})
    # At the tables of a round others play other hands.
    elif row["hands"] != played and not evening.season.in_chips:
        parts.append(_("%(n)s of %(of)s hands") % {"n": format_count(row["hands"]), "of": format_count(played)})
    return parts


def _counts(evening: Evening) -> bool:
    """Return True if the evening counts in its season."""
    return evening.season.games in (Season.EVERY_GAME, evening.game)


def _total(
    access: ClubAccess,
    evening: Evening,
    row: Mapping[str, Any],
    ante_minor: int,
    ranks: Mapping[int, tuple[int, int | None]],
    played: int,
) -> PlayerTotal:
    player = row["player_id"]
    sees = access.sees_money(player)
    after, before = ranks.get(player, (None, None))
    return PlayerTotal(
        player_id=player,
        name=access.names.show(player, row["nickname"]),
        rank=row["rank"],
        points=row["points"],
        mine=player in access.player_ids,
        sees=sees,
        change_minor=row["change_minor"] - ante_minor if sees else None,
        season_rank=after,
        rank_before=before,
        parts=_parts(evening, row, played),
    )
