"""The page of an evening: the totals of each player, and each hand in a line."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from league.access import ClubAccess, Right
from league.models import Evening
from league.standings.overview import runs
from league.standings.selectors import evening_totals
from league.web.game_terms import terms_of
from league.web.polling import answer_unless_known, etag_of, poll_headers

from ..disputes.services import unsettled_of_evening
from ..hands import selectors
from ..hands.hand_lines import HandLine, hand_line
from ..hands.selectors import HandView
from ..hands.why_revised import why_revised
from ..models import Table
from ..seating.selectors import Stretch, TimelineEntry, interleave, tables_of, timelines
from .gate import evening_for


@dataclass(frozen=True)
class TableHands:
    """A table with its hands and happenings, newest first; `count` is the number of hands that are not voided.
    `pot_minor` is what is in the pot, with the antes of the next hand."""

    pk: int
    number: int
    count: int
    stretches: Sequence[Stretch[HandLine]]
    sees_pot: bool
    pot_minor: int | None


@dataclass(frozen=True)
class PlayerTotal:
    """The totals of a player on an evening. While it is open `change_minor` is the sum of tonight, with the ante that
    the player has put into the pot. `contested` are the declared hands that somebody joined, `walkovers` the others."""

    player_id: int
    name: str
    hands: int
    contested: int
    declared_made: int
    walkovers: int
    joined: int
    joined_made: int
    musses: int
    musses_made: int
    mine: bool
    sees: bool
    change_minor: int | None


@require_safe
def evening(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The page of an evening with its hands."""
    access, found = evening_for(request, club, evening)
    context = live_context(access, found) | {"may_see_rules": access.may(Right.SEE_RULES)}
    return render(request, "games/evening/evening.html", context)


@require_safe
def evening_live(request: HttpRequest, club: str, evening: int) -> HttpResponseBase:
    """The part of an evening's page that is polled; 304 while nothing changed."""
    access, found = evening_for(request, club, evening)
    return answer_unless_known(
        request,
        _etag(access, found),
        lambda: render(request, "games/evening/_live.html", live_context(access, found)),
    )


@login_required
@require_safe
def evening_record(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """Redirect a recorder to the table of the evening; show a choice where there are several."""
    access, found = evening_for(request, club, evening, Right.RECORD)
    tables = tables_of(found)
    if not tables:
        raise Http404("no table in this evening")
    if len(tables) > 1:
        context = {"access": access, "club": access.club, "evening": found, "tables": tables}
        return render(request, "games/seating/tables.html", context)
    return redirect("table", club=club, table=tables[0].pk)


def _etag(access: ClubAccess, evening: Evening) -> str:
    # Each hand and each void raises the season's mark in its own transaction; seating changes and disputes do not.
    beside = (getattr(evening, "happened", None), getattr(evening, "disputed", None))
    return etag_of(access, evening.pk, evening.season.ledger_mark, evening.stage(), runs(evening), beside)


def live_context(access: ClubAccess, evening: Evening) -> dict[str, Any]:
    """Totals, hands and happenings of an evening. Ten queries at most, however many hands."""
    played = selectors.evening_hands(evening)
    happenings = timelines(
        [at for at, _hands in played],
        amounts=access.sees_money(),
        currency=access.club.currency,
        names=access.names,
    )
    revised = [at.pk for at, hands in played if any(hand.revision > 1 for hand in hands)]
    why = why_revised(revised) if revised else {}
    # Disputes are shown to people of the club only.
    disputed = unsettled_of_evening(evening) if access.role is not None and getattr(evening, "disputed", True) else []
    disputed_hands = {one.hand_id for one in disputed}
    antes = _antes(access, evening, [at for at, _hands in played])
    tables = [
        _table_hands(
            access, table, hands, happenings[table.pk], why, disputed_hands, sum(antes.get(table.pk, {}).values())
        )
        for table, hands in played
    ]
    totals = _totals(access, _rows_with_antes(access, evening_totals(evening), antes))
    return {
        "club": access.club,
        "evening": evening,
        "runs": runs(evening),
        "stage": evening.stage(),
        "may_record": access.may(Right.RECORD),
        "tables": [table for table in tables if table.stretches],
        "disputes": disputed,
        "totals": totals,
        "terms": terms_of([evening.game]),
        "with_muss": any(total.musses for total in totals),
        "with_money": any(total.sees for total in totals),
        "poll_headers": poll_headers(_etag(access, evening)),
    }


def _antes(access: ClubAccess, evening: Evening, tables: Sequence[Table]) -> dict[int, dict[int, int]]:
    """The antes in the pots by table and player; empty for a reader who may see no amount, who needs no query."""
    return selectors.antes_of_tables(evening, tables) if access.sees_money() or access.player_ids else {}


def _rows_with_antes(
    access: ClubAccess, rows: Sequence[Mapping[str, Any]], antes: Mapping[int, Mapping[int, int]]
) -> list[Mapping[str, Any]]:
    """Subtract the antes in the pots from the totals, and add a row for each player who only paid an ante so far. Then
    these sums and the pots of the tables add up."""
    paid = {player: ante for at in antes.values() for player, ante in at.items()}
    new = paid.keys() - {row["player_id"] for row in rows}
    nothing = dict.fromkeys(rows[0], 0) if rows else {}
    names = access.names.of(new) if rows and new else {}
    all_rows = [*rows, *(nothing | {"player_id": player, "nickname": name} for player, name in names.items())]
    changed = [{**row, "change_minor": row["change_minor"] - paid.get(row["player_id"], 0)} for row in all_rows]
    return sorted(changed, key=lambda row: (-row["change_minor"], row["nickname"]))


def _totals(access: ClubAccess, rows: Sequence[Mapping[str, Any]]) -> list[PlayerTotal]:
    totals = []
    for row in rows:
        sees = access.sees_money(row["player_id"])
        totals.append(
            PlayerTotal(
                player_id=row["player_id"],
                name=access.names.show(row["player_id"], row["nickname"]),
                hands=row["hands"],
                contested=row["declared"] - row["walkovers"],
                declared_made=row["declared_made"],
                walkovers=row["walkovers"],
                joined=row["joined"],
                joined_made=row["joined_made"],
                musses=row["musses"],
                musses_made=row["musses_made"],
                mine=row["player_id"] in access.player_ids,
                sees=sees,
                change_minor=row["change_minor"] if sees else None,
            )
        )
    # The order by amount would show who won, so only a reader who sees all amounts gets it.
    return totals if access.sees_money() else sorted(totals, key=lambda total: total.name.casefold())


def _table_hands(
    access: ClubAccess,
    table: Table,
    hands: Sequence[HandView],
    happenings: Sequence[TimelineEntry],
    why: Mapping[tuple[int, int], str],
    disputed: Collection[uuid.UUID],
    antes_minor: int,
) -> TableHands:
    sees = access.sees_money()
    return TableHands(
        pk=table.pk,
        number=table.number,
        count=sum(not hand.voided for hand in hands),
        stretches=interleave(
            [hand_line(access, hand, why.get((table.pk, hand.number)), disputed) for hand in hands],
            happenings,
            lambda line: line.number,
        ),
        sees_pot=sees,
        pot_minor=table.pot_minor + antes_minor if sees else None,
    )
