"""The draw of a round: proposed, changed by hand, published, drawn again, taken back. Each call is one transaction.

A draw is stored before it is published and is never changed: a change by the desk is a further draw of the same round.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from django.db.models import Max, ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

import draw

from .. import audit
from ..audit import What
from ..errors import Refused
from ..ledger.idempotency import keyed
from ..models import Draw, Entrant, Evening, Round, Tournament, User
from . import messages, tables
from .draw_package import (
    draw_by_slips,
    draw_people,
    drawn_round,
    entrants_drawn,
    mode_of,
    past_rounds,
    possible,
    present,
    sizes_in,
)
from .formats import LEAST_ENTRANTS, MODES, Format
from .locking import DeskWrite, desk_write, must_be
from .results import player_in
from .services import MAX_SEED

State = Tournament.State
SLIPS = "slips"
_keyed = keyed(lambda first, **_given: Draw.objects.get(submission=first))


@_keyed
def draw_propose(
    *,
    tournament: Tournament,
    author: User | None,
    mode: draw.Mode | None = None,
    seed: int | None = None,
    left_out: Sequence[int] = (),
    despite_open: bool = False,
    key: uuid.UUID | None = None,
) -> Draw:
    """Draw the next round, or draw it once more before it is published. Only the desk sees it.

    `left_out`: start numbers that sit out. `despite_open`: although the round before is not finished.

    Raises:
        Refused: 409 for a round too many, or while the round before is played; 422 for too few people, an invalid mode
            or seed, or an absent person named to sit out.
    """
    if mode is not None and mode not in MODES:
        raise Refused(status=422, code="mode", sentence=_("Choose one of the values that are offered."), at="mode")
    if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
        sentence = _("The seed is a whole number from 0 to %(most)d.") % {"most": MAX_SEED}
        raise Refused(status=422, code="seed", sentence=sentence, at="seed")

    with desk_write(tournament, author, key, ("propose", mode, seed, list(left_out), despite_open)) as desk:
        now = desk.now
        must_be(now, State.OPEN, State.RUNNING)
        format = Format.read(now.format)
        while_played = _("Round %(round)d is still being played. Draw all the same?")
        number = _next_round(now, format, despite_open, while_played)
        people = present(now, format, number)
        _check_left_out(people, left_out)
        _check_count(len(people) - len(left_out), format, final=number > format.rounds)
        chosen: str = mode or format.mode
        used = secrets.randbelow(MAX_SEED) + 1 if seed is None else seed
        if number == 1 and format.slips and mode is None:
            drawn, chosen, kind = draw_by_slips(now, people, format, used, left_out), SLIPS, Draw.Kind.SLIPS
        else:
            drawn = draw_people(now, people, format, number, mode or format.mode, used, left_out)
            kind = Draw.Kind.DRAWN
        return _store(desk, number, kind, chosen, used, drawn, left_out=list(left_out))


@_keyed
def draw_again(
    *, tournament: Tournament, author: User | None, seed: int | None = None, key: uuid.UUID | None = None
) -> Draw:
    """Redraw the published round before it is played: only the necessary changes, for entrants who came or left since.
    Those whom the desk named to sit out, and who do, go on sitting out.

    Raises:
        Refused: 409 where no round waits for its beginning.
    """
    with desk_write(tournament, author, key, ("again", seed)) as desk:
        now = desk.now
        must_be(now, State.RUNNING)
        current = now.rounds.exclude(state=Round.State.FINISHED).select_related("draw").order_by("number").last()
        if current is None or current.state != Round.State.DRAWN:
            raise Refused(status=409, code="begun", sentence=_("No drawn round waits for its beginning."))
        format = Format.read(now.format)
        people = present(now, format, current.number)
        final = current.number > format.rounds
        named = set(current.draw.left_out) & set(current.draw.plan["out"])
        left_out = [person.number for person in people if person.number in named]
        _check_count(len(people) - len(left_out), format, final=final)
        used = current.draw.seed if seed is None else seed
        mode = mode_of(current.draw)
        with possible():
            drawn, changes = draw.redraw_round(
                drawn_round(current.draw),
                entrants_drawn(now, people, current.number),
                past_rounds(now, current.number),
                sizes_in(format, final, len(people)),
                mode=mode,
                seed=used,
                out=left_out,
                closed_tables=frozenset(now.closed_tables),
                order=format.order,
            )
        return _store(
            desk,
            current.number,
            Draw.Kind.REDRAWN,
            mode,
            used,
            drawn,
            changes=_stored_changes(changes),
            left_out=left_out,
        )


@_keyed
def draw_swap(
    *, tournament: Tournament, author: User | None, proposed: Draw, a: int, b: int, key: uuid.UUID | None = None
) -> Draw:
    """Exchange the places of two entrants in a draw: a further draw, whose report has its cost.

    Raises:
        Refused: 409 where a newer draw of this round exists; 422 for two who are not both in it.
    """
    with desk_write(tournament, author, key, ("swap", proposed.pk, a, b)) as desk:
        now = desk.now
        newest = _newest(now, proposed)
        inside = {seat for table in newest.plan["tables"] for seat in table["seats"]} | set(newest.plan["out"])
        if a == b or a not in inside or b not in inside:
            raise Refused(status=422, code="swap", sentence=_("Choose two people of this draw."), at="a")
        format = Format.read(now.format)
        people = present(now, format, newest.round)
        with possible():
            drawn, before, _after = draw.swap(
                drawn_round(newest),
                a,
                b,
                past_rounds(now, newest.round),
                entrants=entrants_drawn(now, people, newest.round),
                sizes=sizes_in(format, newest.round > format.rounds, len(people)),
                order=format.order,
            )
        changes = [{"swapped": [a, b], "repeats_before": before.repeats, "most_before": before.most}]
        return _store(
            desk,
            newest.round,
            Draw.Kind.SWAPPED,
            newest.mode,
            newest.seed,
            drawn,
            changes=[*newest.changes, *changes],
            left_out=newest.left_out,
        )


@keyed(
    lambda _first, *, tournament, proposed, **_given: Round.objects.get(tournament=tournament, number=proposed.round)
)
def draw_publish(
    *,
    tournament: Tournament,
    author: User | None,
    proposed: Draw,
    despite_open: bool = False,
    key: uuid.UUID | None = None,
) -> Round:
    """Publish a draw: its tables are open, everybody sees the seats. With the first one the tournament runs.

    `despite_open`: although the round before is not finished.

    Raises:
        Refused: 409 where a newer draw exists, where somebody came or left since, where another round is the next one,
            while the round before is played, or where the people of a table with a hand or a sheet would change.
    """
    with desk_write(tournament, author, key, ("publish", proposed.pk, despite_open)) as desk:
        now = desk.now
        must_be(now, State.OPEN, State.RUNNING)
        chosen = _newest(now, proposed)
        format = Format.read(now.format)
        _check_same_people(now, format, chosen)
        current = now.rounds.filter(number=chosen.round).select_related("evening").first()
        if current is None:
            _check_follows(now, format, chosen, despite_open)
        if now.state == State.OPEN:
            kept = Evening.objects.filter(season=now.season).select_related("house_rules").order_by("number").first()
            now.house_rules = kept.house_rules if kept else tables.of_games().house_rules(now.club_id, now.game)
            now.state = State.RUNNING
            now.save(update_fields=["state", "house_rules"])
        seatings = _seatings(now, chosen)
        if current is not None and current.draw_id == chosen.pk:
            return current
        if current is None:
            current = _begin_round(now, format, chosen, author, seatings)
        else:
            _check_sheets_stay(current, chosen)
            _reseat(current, seatings)
            current.draw = chosen
            current.save(update_fields=["draw"])
        seated = [*_seated(chosen), *chosen.plan["out"]]
        now.entrants.filter(number__in=seated, joined_round=None).update(joined_round=chosen.round)
        # Somebody of the draw before may not be in this one, for example after a check-in by mistake.
        now.entrants.filter(joined_round=chosen.round).exclude(number__in=seated).update(joined_round=None)
        data: audit.Data = {"did": "published", "round": chosen.round, "count": len(seatings)}
        audit.write(What.ROUND_CHANGED, club=now.club, actor=author, about=f"tournament:{now.pk}", data=data)
        messages.draw_published(now, chosen)
        return current


@keyed(lambda _first, **_given: None)
def draw_take_back(*, tournament: Tournament, author: User | None, key: uuid.UUID | None = None) -> None:
    """Take the published draw of a round back before its first hand or sheet. After the first round's the tournament
    is open for entries again.

    An evening with append-only records, for example of a voided hand, is kept for the next draw of this round.

    Raises:
        Refused: 409 where no round waits for its beginning, or where a table has begun.
    """
    with desk_write(tournament, author, key, ("take back",)) as desk:
        now = desk.now
        must_be(now, State.RUNNING)
        current = now.rounds.select_related("evening").order_by("number").last()
        if current is None or current.state != Round.State.DRAWN or current.sheets_in:
            raise Refused(status=409, code="begun", sentence=_("No drawn round waits for its beginning."))
        _reseat(current, ())
        evening = current.evening
        current.delete()
        with suppress(ProtectedError):
            evening.delete()
        now.entrants.filter(joined_round=current.number).update(joined_round=None)
        if current.number == 1:
            now.state = State.OPEN
            now.save(update_fields=["state"])
        data: audit.Data = {"did": "taken_back", "round": current.number}
        audit.write(What.ROUND_CHANGED, club=now.club, actor=author, about=f"tournament:{now.pk}", data=data)


def _check_follows(now: Tournament, format: Format, chosen: Draw, despite_open: bool) -> None:
    """Refuse to begin a round that is not the next one, for example after the round before was taken back."""
    sentence = _("Round %(round)d is still being played. Publish the next draw all the same?")
    following = _next_round(now, format, despite_open, sentence)
    if chosen.round != following:
        sentence = _("The next round is round %(round)d. Draw that one first.") % {"round": following}
        raise Refused(status=409, code="order", sentence=sentence)


def _next_round(now: Tournament, format: Format, despite_open: bool, while_played: str) -> int:
    last = now.rounds.order_by("number").last()
    if last is None:
        return 1
    if last.state == Round.State.DRAWN:
        sentence = _("Round %(round)d is drawn and has not begun. Draw it again, or take it back.")
        raise Refused(status=409, code="drawn", sentence=sentence % {"round": last.number})
    if last.state != Round.State.FINISHED and not despite_open:
        sentence = while_played % {"round": last.number}
        raise Refused(status=409, code="playing", sentence=sentence, details={"may_confirm": True})
    if last.number >= format.all_rounds:
        raise Refused(status=409, code="rounds", sentence=_("All rounds of this tournament are drawn."))
    final_next = last.number == format.rounds
    if final_next and last.state != Round.State.FINISHED:
        sentence = _("The finalists are known once all rounds are finished.")
        raise Refused(status=409, code="final", sentence=sentence)
    return last.number + 1


def _check_left_out(people: Sequence[Entrant], left_out: Sequence[int]) -> None:
    here = {entrant.number for entrant in people}
    for number in left_out:
        if number not in here:
            sentence = _("Number %(number)s is not here and sits out anyway.") % {"number": number}
            raise Refused(status=422, code="left_out", sentence=sentence, at="left_out")


def _check_count(count: int, format: Format, *, final: bool) -> None:
    if final and count >= format.least:
        return
    if format.takes(count):
        return
    sentence = _(
        "A round needs at least %(least)d people, or as many as one table takes (%(low)d to %(high)d). "
        "Checked in: %(count)d."
    )
    values = {"least": max(LEAST_ENTRANTS, format.least), "low": format.least, "high": format.most, "count": count}
    raise Refused(status=422, code="too_few", sentence=sentence % values)


def _store(
    desk: DeskWrite,
    number: int,
    kind: str,
    mode: str,
    seed: int,
    drawn: draw.Round,
    *,
    changes: list[Any] | None = None,
    left_out: list[int] | None = None,
) -> Draw:
    last = desk.now.draws.filter(round=number).aggregate(last=Max("number"))["last"] or 0
    return Draw.objects.create(
        tournament=desk.now,
        round=number,
        number=last + 1,
        kind=kind,
        mode=mode,
        seed=seed,
        plan={
            "tables": [{"number": table.number, "seats": list(table.seats)} for table in drawn.tables],
            "out": list(drawn.out),
        },
        report=asdict(drawn.report),
        changes=changes or [],
        left_out=left_out or [],
        submission=desk.submission,
        author=desk.author,
    )


def _stored_changes(changes: draw.Changes) -> list[dict[str, Any]]:
    moved: list[dict[str, Any]] = [asdict(move) for move in changes.moves]
    moved += [{"number": number, "arrived": True} for number in changes.arrived]
    moved += [{"number": number, "withdrawn": True} for number in changes.withdrawn]
    moved += [{"table": number, "new": True} for number in changes.new_tables]
    moved += [{"table": number, "closed": True} for number in changes.closed_tables]
    return moved


def _newest(now: Tournament, proposed: Draw) -> Draw:
    newest = now.draws.filter(round=proposed.round).order_by("number").last()
    if newest is None or newest.pk != proposed.pk:
        sentence = _("Somebody at the desk has drawn this round again meanwhile. Look at the new draw.")
        raise Refused(status=409, code="newer", sentence=sentence)
    if now.rounds.filter(number=proposed.round, state=Round.State.FINISHED).exists():
        sentence = _("Round %(round)d is finished.") % {"round": proposed.round}
        raise Refused(status=409, code="finished", sentence=sentence)
    return newest


def _check_same_people(now: Tournament, format: Format, chosen: Draw) -> None:
    inside = {*_seated(chosen), *chosen.plan["out"]}
    here = {entrant.number for entrant in present(now, format, chosen.round)}
    if inside == here:
        return
    sentence = _("Since this draw somebody came or left: %(numbers)s. Draw again.")
    numbers = ", ".join(str(number) for number in sorted(inside ^ here))
    raise Refused(status=409, code="changed", sentence=sentence % {"numbers": numbers})


def _begin_round(
    now: Tournament, format: Format, chosen: Draw, author: User | None, seatings: Sequence[tables.Seating]
) -> Round:
    """Begin a round: its evening and its tables. The evening of a draw that was taken back may have been kept."""
    evening = Evening.objects.filter(season=now.season, number=chosen.round).first()
    if evening is not None:
        tables.of_games().reseat(evening, seatings)
    else:
        evening = Evening.objects.create(
            club=now.club,
            season=now.season,
            number=chosen.round,
            held_on=max(now.starts_on, min(timezone.localdate(), now.ends_on or now.starts_on)),
            game=now.game,
            house_rules=now.house_rules,
            settling="end",
            opened_by=author,
        )
        tables.of_games().open(evening, seatings)
    return Round.objects.create(
        tournament=now, number=chosen.round, final=chosen.round > format.rounds, draw=chosen, evening=evening
    )


def _reseat(current: Round, seatings: Sequence[tables.Seating]) -> None:
    try:
        tables.of_games().reseat(current.evening, seatings)
    except tables.TableBegun as begun:
        raise _has_begun(begun.number) from begun


def _check_sheets_stay(current: Round, chosen: Draw) -> None:
    """Refuse a draw in which a table with a sheet has other people: a sheet is never handed over to others."""
    people = {table["number"]: {str(number) for number in table["seats"]} for table in chosen.plan["tables"]}
    for sheet in current.sheets.order_by("table_number", "number"):
        if people.get(sheet.table_number) != set(sheet.chips):
            raise _has_begun(sheet.table_number)


def _has_begun(table: int) -> Refused:
    sentence = _("Table %(table)d has begun: its people stay where they are.") % {"table": table}
    return Refused(status=409, code="begun", sentence=sentence)


def _seatings(now: Tournament, chosen: Draw) -> list[tables.Seating]:
    entrants = now.entrants.prefetch_related("substitutions")
    players = {entrant.number: player_in(entrant, chosen.round) for entrant in entrants}
    return [
        tables.Seating(table["number"], tuple(players[number] for number in table["seats"]))
        for table in chosen.plan["tables"]
    ]


def _seated(chosen: Draw) -> list[int]:
    return [number for table in chosen.plan["tables"] for number in table["seats"]]
