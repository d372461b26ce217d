"""The page of an evening: its podium, its course, its highlights, and each hand in a line."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import ClubAccess, Right
from league.features import uses
from league.luck.views import EveningPart, evening_parts
from league.models import Evening
from league.standings.overview import runs
from league.web.game_terms import terms_of
from league.web.page_versions import state_of, versioned
from league.web.polling import answer_unless_known, etag_of, poll_headers
from league.web.streamed import streamed

from ..disputes.services import unsettled_of_evening
from ..hands import selectors
from ..hands.hand_lines import hand_line
from ..hands.rounds import round_at
from ..hands.selectors import HandView
from ..hands.why_revised import why_revised
from ..models import Table
from ..seating.selectors import interleave, tables_of, timelines
from .course import evening_course
from .gate import evening_for
from .highlights import biggest_pot, highlights
from .played_hands import PlayedHand, played_hands
from .podium import podium
from .share_text import evening_text
from .tens import Ten, tens
from .versions import evening_state, evening_topics


@dataclass(frozen=True)
class TableHands:
    """A table with its hands by ten, newest first; `count` is the number of hands that are not voided. `pot_minor` is
    the amount in the pot, with the antes of the next hand."""

    pk: int
    number: int
    count: int
    tens: Sequence[Ten]
    sees_pot: bool
    pot_minor: int | None


@dataclass(frozen=True)
class Chip:
    """A player by whom the hands can be filtered, with the number of hands that the filter shows."""

    player_id: int
    name: str
    count: int


@versioned(evening_state)
@require_safe
def evening(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The page of an evening with its hands."""
    access, night = evening_for(request, club, evening, beside=True)
    if night.tournament is not None and uses(access.club, "tournament"):  # type: ignore[attr-defined]
        return redirect("tournament", club=club, tournament=night.tournament)  # type: ignore[attr-defined]
    context = live_context(request, access, night)
    context |= {"may_see_rules": access.sees_rules()}
    return render(request, "games/evening/evening.html", context)


@streamed(evening_topics)
@versioned(evening_state)
@require_safe
def evening_live(request: HttpRequest, club: str, evening: int) -> HttpResponseBase:
    """The part of an evening's page that is polled; 304 while nothing changed."""
    access, night = evening_for(request, club, evening)
    return answer_unless_known(
        request,
        _etag(request, access, night),
        lambda: render(request, "games/evening/_live.html", live_context(request, access, night)),
        shared=True,
    )


@login_required
@require_safe
def evening_record(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """Redirect a recorder to the table of the evening; show a choice where there are several."""
    access, night = evening_for(request, club, evening, Right.RECORD)
    tables = tables_of(night)
    if not tables:
        raise Http404("no table in this evening")
    if len(tables) > 1:
        context = {"access": access, "club": access.club, "evening": night, "tables": tables}
        return render(request, "games/seating/tables.html", context)
    return redirect("table", club=club, table=tables[0].pk)


def _etag(request: HttpRequest, access: ClubAccess, evening: Evening) -> str:
    state = state_of(request, evening_state, club=access.club.slug, evening=evening.pk)
    return etag_of(access, state and state.numbers)


def live_context(request: HttpRequest, access: ClubAccess, evening: Evening) -> dict[str, Any]:
    """Podium, course, highlights, hands and happenings of an evening. Ten queries at most, for any number of hands.

    With the id of a player as the parameter `player` only the hands that this player played are listed.
    """
    chosen = request.GET.get("player", "")
    tables = selectors.evening_hands(evening)
    played = played_hands(evening, tables)
    antes = _antes(access, evening, [card_table for card_table, _hands in tables])
    totals = podium(access, evening, antes, len(played))
    chips = _chips(access, played)
    player = next((chip.player_id for chip in chips if str(chip.player_id) == chosen), None)
    # Disputes are shown to people of the club only.
    shows = access.role is not None and uses(access.club, "hand-dispute")
    disputed = unsettled_of_evening(evening) if shows and getattr(evening, "disputed", True) else []
    played_round = round_at(evening)
    link = request.build_absolute_uri(evening.get_absolute_url())
    return {
        "access": access,
        "club": access.club,
        "evening": evening,
        "runs": runs(evening),
        "stage": evening.stage(),
        "may_record": access.may(Right.RECORD),
        "tables": _tables(access, evening, tables, played, antes, player, {dispute.hand_id for dispute in disputed}),
        "disputes": disputed,
        "totals": totals,
        "by_points": by_points(evening),
        "sees_all": access.sees_money(),
        "round": played_round,
        "share_text": evening_text(access, evening, totals, link, played_round),
        "count": len(played),
        "terms": terms_of([evening.game]),
        "course": evening_course(access, evening, played, [total.player_id for total in totals], player),
        "highlights": highlights(access, evening, played),
        "chips": chips,
        "chosen": player,
        "late": entered_late(evening, played),
        "luck": _luck(access, evening),
        "poll_headers": poll_headers(request, _etag(request, access, evening)),
    }


def _luck(access: ClubAccess, evening: Evening) -> list[EveningPart]:
    """The luck of the reader's own players, of an evening that is final."""
    shown = evening.stage() == Evening.Stage.FINAL and uses(access.club, "season-luck")
    return evening_parts(access, evening) if shown and not evening.season.in_chips else []


def by_points(evening: Evening) -> bool:
    """Return True if the evening ranks by points."""
    return evening.season.by_points


def entered_late(evening: Evening, played: Sequence[PlayedHand]) -> bool:
    """Return True if the hands were entered on a later day than the day after the evening: their times have no
    meaning."""
    return any(timezone.localdate(played_hand.at) - timedelta(days=1) > evening.held_on for played_hand in played[:1])


def _antes(access: ClubAccess, evening: Evening, tables: Sequence[Table]) -> dict[int, dict[int, int]]:
    """The antes in the pots by table and player; empty for a reader who may see no amount, who needs no query."""
    return selectors.antes_of_tables(evening, tables) if access.sees_money() or access.player_ids else {}


def _chips(access: ClubAccess, played: Sequence[PlayedHand]) -> list[Chip]:
    """The players who played a hand, by name, with the number of hands that they played."""
    names: dict[int, str] = {}
    count: Counter[int] = Counter()
    for played_hand in played:
        for seat in played_hand.shown_for:
            player = played_hand.hand.player_ids[seat]
            names[player] = access.names.show(player, played_hand.hand.names[seat])
            count[player] += 1
    return sorted(
        (Chip(player, name, count[player]) for player, name in names.items()), key=lambda c: c.name.casefold()
    )


def _tables(
    access: ClubAccess,
    evening: Evening,
    tables: Sequence[tuple[Table, Sequence[HandView]]],
    played: Sequence[PlayedHand],
    antes: Mapping[int, Mapping[int, int]],
    player: int | None,
    disputed: Collection[uuid.UUID],
) -> list[TableHands]:
    """The tables that have hands or happenings, each with its hands by ten."""
    happened = [card_table for card_table, _hands in tables] if getattr(evening, "happened", True) else []
    happenings = (
        timelines(happened, amounts=access.sees_money(), currency=access.club.currency, names=access.names)
        if happened
        else {}
    )
    revised = [card_table.pk for card_table, hands in tables if any(hand.revision > 1 for hand in hands)]
    why = why_revised(revised) if revised else {}
    counting = {played_hand.key: played_hand for played_hand in played}
    pot = biggest_pot(played)
    shown = []
    for card_table, hands in tables:
        here = {number: played_hand for (table, number), played_hand in counting.items() if table == card_table.number}
        lines = [
            hand_line(
                access, hand, why.get((card_table.pk, hand.number)), disputed, _points(evening, here.get(hand.number))
            )
            for hand in hands
            if player is None or (hand.number in here and player in here[hand.number].players_shown)
        ]
        stretches = interleave(
            lines, happenings.get(card_table.pk, []) if player is None else [], lambda line: line.number
        )
        if not stretches:
            continue
        shown.append(
            TableHands(
                pk=card_table.pk,
                number=card_table.number,
                count=len(here) if player is None else len(lines),
                tens=tens(
                    stretches,
                    here,
                    gains=_gains(access, evening),
                    show=access.names.show,
                    pot=pot.hand.number if pot and pot.table == card_table.number else None,
                    all_open=player is not None,
                ),
                sees_pot=access.sees_money(),
                pot_minor=card_table.pot_minor + sum(antes.get(card_table.pk, {}).values())
                if access.sees_money()
                else None,
            )
        )
    return shown


def _points(evening: Evening, played_hand: PlayedHand | None) -> Sequence[int]:
    return played_hand.points if played_hand and by_points(evening) else ()


def _gains(access: ClubAccess, evening: Evening) -> Callable[[PlayedHand], Sequence[int]] | None:
    """The gain of each seat in a hand: points or, in a season by balance, amounts that the reader sees; else None."""
    if by_points(evening):
        return lambda played_hand: played_hand.points
    return (lambda played_hand: played_hand.hand.deltas) if access.sees_money() else None
