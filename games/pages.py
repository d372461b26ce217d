"""The evening's page: who stands where tonight, and every hand in a line."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from league.access import ClubAccess, Right, admit
from league.models import Evening
from league.overview import runs
from league.selectors import night_totals
from league.views import answer_once, etag_of, poll_headers
from league.words import words_of

from . import recording, selectors
from .anew import AGAIN, RECOUNTED, why_anew
from .disputes import open_of_evening, said_count
from .models import Table
from .night.selectors import Stretch, Told, happened, stories, tables_of, woven
from .screens import declares
from .selectors import HandView


@dataclass(frozen=True)
class SeatCell:
    """What a hand meant for one seat, as words; the amount only where the person may see it."""

    name: str
    css: str
    word: str
    mark: str
    said: str
    tricks: int | None
    susi: bool
    sees: bool
    change_minor: int | None


@dataclass(frozen=True)
class HandLine:
    """A hand as a line of the page: those who played, those who did not, and the pot.

    `anew` says why it is not as it was entered first (`games.anew`, in words), empty where it is.
    `idle_each` is what each of those who did not play paid,
    where they need not be named for it. `told`: its cards were written down. `mine`: the reader sat in it and may say
    that it was not so; `disputed`: somebody says that.
    """

    number: int
    game: str
    outcome: str
    voided: bool
    anew: str
    active: Sequence[SeatCell]
    idle: Sequence[SeatCell]
    idle_each: int | None
    sees_pot: bool
    pot_minor: int | None
    note: str
    told: bool
    mine: bool
    disputed: bool


@dataclass(frozen=True)
class TableHands:
    """A table with its hands and what happened between them, newest first; `count` leaves the voided hands out."""

    pk: int
    number: int
    count: int
    stretches: Sequence[Stretch[HandLine]]
    sees_pot: bool
    pot_minor: int | None


@dataclass(frozen=True)
class NightTotal:
    """A player's evening. A walkover counts as declared and won."""

    player_id: int
    name: str
    hands: int
    declared: int
    declared_made: int
    joined: int
    joined_made: int
    musses: int
    musses_made: int
    mine: bool
    sees: bool
    change_minor: int | None


def evening_for(request: HttpRequest, club: str, evening: int, right: Right = Right.READ) -> tuple[ClubAccess, Evening]:
    """The gate of an evening's pages; club and season come with it, in one query. Raises as `admit` does."""
    found = (
        Evening.objects.select_related("club", "season__club", "house_rules")
        .annotate(happened=happened(), disputed=said_count())
        .filter(club__slug=club, pk=evening)
        .first()
    )
    if found is None:
        raise Http404("no such evening")
    access = admit(request.user, found.club, right).within(found.season)
    # A season in points alone has plain counters: a club without a currency.
    found.club = found.season.club = access.club
    return access, found


@require_safe
def evening(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """An evening with its hands."""
    access, found = evening_for(request, club, evening)
    context = live_context(access, found) | {"may_see_rules": access.may(Right.SEE_RULES)}
    return render(request, "games/evening.html", context)


@require_safe
def evening_live(request: HttpRequest, club: str, evening: int) -> HttpResponseBase:
    """The part of an evening's page that renews itself: 304 while no hand came."""
    access, found = evening_for(request, club, evening)
    return answer_once(
        request,
        _etag(access, found),
        lambda: render(request, "games/_evening_live.html", live_context(access, found)),
    )


@login_required
@require_safe
def evening_record(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """On to the evening's table, for whoever writes down; a choice where several play."""
    access, found = evening_for(request, club, evening, Right.RECORD)
    tables = tables_of(found)
    if not tables:
        raise Http404("no table in this evening")
    if len(tables) > 1:
        context = {"access": access, "club": access.club, "evening": found, "tables": tables}
        return render(request, "games/night_tables.html", context)
    return redirect("table", club=club, table=tables[0].pk)


def _etag(access: ClubAccess, evening: Evening) -> str:
    # Every hand and every void raises the season's mark in its own transaction; who comes and goes, and what is
    # disputed, does not.
    beside = (getattr(evening, "happened", None), getattr(evening, "disputed", None))
    return etag_of(access, evening.pk, evening.season.ledger_mark, evening.standing(), runs(evening), beside)


def live_context(access: ClubAccess, evening: Evening) -> dict[str, Any]:
    """Totals, hands and story of an evening. Ten queries at most, however many hands."""
    played = selectors.evening_hands(evening)
    told = stories(
        [at for at, _hands in played],
        amounts=access.sees_money(),
        currency=access.club.currency,
        names=access.names,
    )
    again = [at.pk for at, hands in played if any(hand.revision > 1 for hand in hands)]
    why = why_anew(again) if again else {}
    # What people of the club say of each other's hands is for people of the club.
    disputed = open_of_evening(evening) if access.role is not None else []
    which = {one.hand_id for one in disputed}
    tables = [_table_hands(access, table, hands, told[table.pk], why, which) for table, hands in played]
    totals = _totals(access, night_totals(evening))
    return {
        "club": access.club,
        "evening": evening,
        "runs": runs(evening),
        "standing": evening.standing(),
        "may_record": access.may(Right.RECORD),
        "tables": [table for table in tables if table.stretches],
        "disputes": disputed,
        "totals": totals,
        "words": words_of([evening.game]),
        "with_muss": any(total.musses for total in totals),
        "with_money": any(total.sees for total in totals),
        "poll_headers": poll_headers(_etag(access, evening)),
    }


def _totals(access: ClubAccess, rows: Sequence[Mapping[str, Any]]) -> list[NightTotal]:
    totals = []
    for row in rows:
        sees = access.sees_money(row["player_id"])
        totals.append(
            NightTotal(
                player_id=row["player_id"],
                name=access.names.show(row["player_id"], row["nickname"]),
                hands=row["hands"],
                declared=row["declared"],
                declared_made=row["declared_made"] + row["walkovers"],
                joined=row["joined"],
                joined_made=row["joined_made"],
                musses=row["musses"],
                musses_made=row["musses_made"],
                mine=row["player_id"] in access.player_ids,
                sees=sees,
                change_minor=row["change_minor"] if sees else None,
            )
        )
    # In the order of the amounts it would say who won how the evening went; that is for those who see them all.
    return totals if access.sees_money() else sorted(totals, key=lambda total: total.name.casefold())


def _table_hands(
    access: ClubAccess,
    table: Table,
    hands: Sequence[HandView],
    told: Sequence[Told],
    why: Mapping[tuple[int, int], str],
    disputed: Collection[uuid.UUID],
) -> TableHands:
    sees = access.sees_money()
    return TableHands(
        pk=table.pk,
        number=table.number,
        count=sum(not hand.voided for hand in hands),
        stretches=woven(
            [hand_line(access, hand, why.get((table.pk, hand.number)), disputed) for hand in hands],
            told,
            lambda line: line.number,
        ),
        sees_pot=sees,
        pot_minor=table.pot_minor if sees else None,
    )


ANEW: Mapping[str, Callable[[], str]] = {
    AGAIN: lambda: _("entered anew"),
    RECOUNTED: lambda: _("recounted"),
    "changed": lambda: _("corrected"),
    "inserted": lambda: _("put in"),
    "moved": lambda: _("moved"),
    "seats": lambda: _("seats put right"),
}
"""Why a hand is not as it was entered first, for its line."""


def hand_line(
    access: ClubAccess, hand: HandView, why: str | None = None, disputed: Collection[uuid.UUID] = ()
) -> HandLine:
    """A hand as the reader sees it; `why` it is not as it was entered first, `disputed` the hands that somebody says
    were not so."""
    active = [] if hand.declarer is None else [hand.declarer, *hand.joiners]
    sees = access.sees_money()
    idle, each = _idle(access, hand, [seat for seat in range(len(hand.names)) if seat not in active])
    return HandLine(
        number=hand.number,
        game=hand.game,
        outcome=hand.outcome,
        voided=hand.voided,
        anew=ANEW[why]() if why and not hand.voided else "",
        active=[_cell(access, hand, seat) for seat in active],
        idle=idle,
        idle_each=each,
        sees_pot=sees,
        pot_minor=hand.pot if sees else None,
        note=_void_note(hand) if access.may(Right.RECORD) else "",
        told=recording.is_told(hand.record),
        mine=any(access.may_own(Right.DISPUTE, player) for player in hand.player_ids if player in access.player_ids),
        disputed=hand.hand_id in disputed,
    )


def _idle(access: ClubAccess, hand: HandView, seats: Sequence[int]) -> tuple[list[SeatCell], int | None]:
    """Of those who did not play, the ones to be named, and what all of them paid where that can be said at once.

    There is nothing to tell of them but Susi and the amounts that the person may see.
    """
    paid = {hand.deltas[seat] for seat in seats}
    if access.sees_money() and len(paid) == 1 and len(seats) > 1:
        susi = [replace(_cell(access, hand, seat), sees=False) for seat in seats if seat == hand.susi]
        return susi, paid.pop()
    told = [seat for seat in seats if seat == hand.susi or access.sees_money(hand.player_ids[seat])]
    return [_cell(access, hand, seat) for seat in told], None


def _void_note(hand: HandView) -> str:
    if not hand.voided or not hand.author:
        return ""
    if hand.reason:
        return _("voided by %(author)s: %(reason)s") % {"author": hand.author, "reason": hand.reason}
    return _("voided by %(author)s") % {"author": hand.author}


def _cell(access: ClubAccess, hand: HandView, seat: int) -> SeatCell:
    word, mark, said = _part(hand, seat)
    sees = access.sees_money(hand.player_ids[seat])
    counted = hand.tricks is not None and hand.outcome == "played" and seat in (hand.declarer, *hand.joiners)
    return SeatCell(
        name=access.names.show(hand.player_ids[seat], hand.names[seat]),
        css={"✓": "made", "✕": "failed"}.get(mark, ""),
        word=word,
        mark=mark,
        said=said,
        tricks=hand.tricks[seat] if counted and hand.tricks is not None else None,
        susi=seat == hand.susi,
        sees=sees,
        change_minor=hand.deltas[seat] if sees else None,
    )


def _word(hand: HandView, seat: int) -> str:
    if seat != hand.declarer:
        return "" if hand.muss else "mit" if hand.game == recording.KRATZEN else "metcho"
    if hand.muss:
        return _("deals, Siebenermuss") if hand.siebenermuss else _("deals, Muss")
    return {"blind": _("chratzt blind"), "double": _("chratzt double blind")}.get(hand.blind or "", declares(hand))


def _part(hand: HandView, seat: int) -> tuple[str, str, str]:
    """What the seat did, in the game's words, with the mark of how it ended and what that mark says."""
    if seat not in (hand.declarer, *hand.joiners):
        return "", "", ""
    word = _word(hand, seat)
    if hand.outcome == "walkover":
        if hand.game == recording.KRATZEN:
            return pgettext("hand", "%(declares)s, nobody says mit") % {"declares": word}, "", ""
        return pgettext("hand", "%(declares)s, nobody joins") % {"declares": word}, "", ""
    failed = seat in hand.failed
    return word, "✕" if failed else "✓", _("failed") if failed else _("made it")
