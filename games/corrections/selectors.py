"""Data of the pages of corrections: the table before a hand, the preview of an edit, the history of a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import Count, Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.access.names import Names
from league.models import Evening, Player

from .. import engine_bridge
from ..hands.coin_lines import CoinLine, coin_lines
from ..hands.selectors import HandView, SeatView, TableView
from ..models import Correction, Revision, Seat, Table
from . import replay
from .replay import Entry, Played
from .services import HandChange, Plan


def names_of(players: Iterable[int]) -> dict[int, str]:
    """Nicknames by player. One query."""
    return dict(Player.objects.filter(pk__in=set(players)).values_list("pk", "nickname"))


def roster(table: Table, entries: Sequence[Entry]) -> list[tuple[int, str]]:
    """The players who may have sat there, by name: those of the table first, then the others of the club. One query."""
    tonight = {player for entry in entries for player in entry.players}
    known = Player.objects.filter(Q(active=True, main=None) | Q(pk__in=tonight), club_id=table.evening.club_id)
    both = [(player.pk, player.nickname) for player in known]
    return sorted(both, key=lambda pair: (pair[0] not in tonight, pair[1].casefold()))


def before_hand(table: Table, entries: Sequence[Entry], entry: Entry, number: int) -> TableView:
    """The table before hand `number`, with the players of `entry`; the balances are those of this table.

    Raises:
        Refused: 409 where a hand before it no longer replays.
    """
    played = replay.play(table, entries[: number - 1])
    state = replay.after(played[-1]) if played else replay.beginning(table)
    start = replay.start_of(table, entry, state, number)
    names = names_of(entry.players)
    due = engine_bridge.due(start)
    return TableView(
        table=table,
        evening=table.evening,
        game=start.game,
        number=number,
        seats=tuple(
            SeatView(
                seat,
                player,
                names.get(player, "?"),
                sum(p.change_of(player) for p in played),
                seat == start.dealer,
                due.antes[seat],
            )
            for seat, player in enumerate(entry.players)
        ),
        pot_before_minor=start.pot_before,
        pot_minor=due.pot,
        muss=due.muss is True,
        deal_number=start.deal_number,
        dealer_seat=start.dealer,
        rules=engine_bridge.house_rules(start.game, start.rules),
        hands=(),
        start=start,
    )


def as_view(played: Played, names: Mapping[int, str]) -> HandView:
    """The view of a hand that is not stored yet."""
    return HandView(
        number=played.number,
        revision=0,
        voided=False,
        at=timezone.now(),
        author="",
        reason="",
        names=tuple(names.get(player, "?") for player in played.entry.players),
        player_ids=played.entry.players,
        record=played.record,
        result=played.result,
    )


@dataclass(frozen=True)
class Balance:
    """A player's sum at the table, before and after a correction (Rappen)."""

    player: int
    name: str
    before_minor: int
    after_minor: int

    @property
    def difference_minor(self) -> int:
        return self.after_minor - self.before_minor


def balances(sums: Iterable[tuple[int, int, int]], names: Mapping[int, str]) -> tuple[Balance, ...]:
    """Return the sums of players (player, before, after) with their names."""
    return tuple(Balance(player, names.get(player, "?"), before, after) for player, before, after in sums)


@dataclass(frozen=True)
class Changed:
    """A hand before and after; `before` is None for an inserted hand, `after` for one that was taken out."""

    number: int
    before: CoinLine | None
    after: CoinLine | None

    @property
    def number_before(self) -> int | None:
        """The number it had before, if that was another one."""
        number = self.before.view.number if self.before else self.number
        return number if number != self.number else None

    @property
    def others_sat(self) -> bool:
        """True if other players are in its seats."""
        return bool(self.before and self.after and self.before.view.player_ids != self.after.view.player_ids)

    @property
    def content_differs(self) -> bool:
        """True if players, roles or results differ; otherwise only amounts do."""
        return self.before is None or self.after is None or _content(self.before) != _content(self.after)


@dataclass(frozen=True)
class PlanView:
    """A plan for the page: the players whose sums change, the hands that change, the numbers of those in which only the
    dealer changes, and the pot before the next antes (Rappen). `renumbered` has sentences about hands that get another
    number; `all_else_same`: nothing else changes in these."""

    players: tuple[Balance, ...]
    hands: tuple[Changed, ...]
    only_dealers: tuple[int, ...]
    pot_before_minor: int
    pot_after_minor: int
    seated: tuple[str, ...]
    renumbered: tuple[str, ...]
    all_else_same: bool
    seen: str


def plan_view(plan: Plan) -> PlanView:
    """Build the page's view of a plan. One query."""
    ids = {*plan.before, *plan.after, *(plan.seated or ())}
    names = names_of(ids)
    moved = [change for change in plan.changed if not _only_dealer(change)]
    numbers = {number for _was, number in plan.renumbered}
    return PlanView(
        players=balances(plan.players, names),
        hands=tuple(
            Changed(
                change.number,
                coin_lines([as_view(change.before, names)])[0] if change.before else None,
                coin_lines([as_view(change.after, names)])[0] if change.after else None,
            )
            for change in moved
        ),
        only_dealers=tuple(change.number for change in plan.changed if _only_dealer(change)),
        pot_before_minor=plan.pot_before_minor,
        pot_after_minor=plan.pot_after_minor,
        seated=tuple(names.get(player, "?") for player in plan.seated or ()),
        renumbered=tuple(_renumbered(plan.renumbered)),
        all_else_same=not any(change.after and change.number in numbers for change in plan.changed),
        seen=plan.seen,
    )


def _renumbered(pairs: Sequence[tuple[int, int]]) -> Iterator[str]:
    """One sentence for each run of hands whose numbers change by the same count."""
    for _by, some in groupby(sorted(pairs), key=lambda pair: pair[1] - pair[0]):
        run = list(some)
        (first, to_first), (last, to_last) = run[0], run[-1]
        if first == last:
            yield _("Hand %(number)d becomes hand %(to)d.") % {"number": first, "to": to_first}
        else:
            sentence = _("Hands %(first)d to %(last)d become hands %(to_first)d to %(to_last)d.")
            yield sentence % {"first": first, "last": last, "to_first": to_first, "to_last": to_last}


def _only_dealer(change: HandChange) -> bool:
    """Return True if only the dealer differs."""
    before, after = change.before, change.after
    if before is None or after is None or before.entry.players != after.entry.players:
        return False
    same = {name: value for name, value in before.record.items() if name not in ("dealer", "deal_number")}
    return same == {name: value for name, value in after.record.items() if name not in ("dealer", "deal_number")} and (
        before.result["lines"] == after.result["lines"]
    )


def _content(line: CoinLine) -> tuple[Any, ...]:
    view = line.view
    return (view.names, view.outcome, view.declarer, view.joiners, view.failed, view.blind, view.tricks, view.game_type)


@dataclass(frozen=True)
class Event:
    """One entry of a hand's history: entered, undone or corrected, with the hand before and after it."""

    kind: str
    at: datetime
    author: str
    reason: str
    before: CoinLine | None
    after: CoinLine | None
    correction: CorrectionView | None


@dataclass(frozen=True)
class CorrectionView:
    """A correction for a page or the API; `players` are those whose sums it changed."""

    pk: Any
    table: Table
    number: int
    kind: str
    sentence: str
    at: datetime
    author: str
    reason: str
    players: tuple[Balance, ...]
    hands: int


def corrections_of(evening: Evening, names: Names) -> list[CorrectionView]:
    """The corrections of an evening, newest first, with the names that the reader may see. Two queries."""
    stored = (
        Correction.objects.filter(table__evening=evening)
        .select_related("table", "author")
        .annotate(touched=Count("revisions__hand", distinct=True))
    )
    rows = list(stored.order_by("-created_at", "-pk"))
    known = names.of(_ids(rows))
    return [_correction(correction, known, names) for correction in rows]


def correction_view(correction: Correction, names: Names) -> CorrectionView:
    """Return one correction, with the names that the reader may see. Two queries."""
    view = _correction(correction, names.of(_ids([correction])), names)
    return replace(view, hands=correction.revisions.values("hand").distinct().count())


def history_of(table: Table, number: int, names: Names) -> list[Event]:
    """The history of a hand, newest first, with the names that the reader may see; empty if there is no such hand.
    Three queries."""
    seats = Prefetch("seats", queryset=Seat.objects.select_related("player"))
    revisions = list(
        Revision.objects.filter(hand__table=table, hand__number=number)
        .select_related("hand", "author", "correction__author", "correction__table")
        .prefetch_related(seats)
        .order_by("number")
    )
    known = names.of(_ids([r.correction for r in revisions if r.correction]))
    events: list[Event] = []
    for revision in revisions:
        line = _line(revision, names)
        entered = revision.kind == Revision.Kind.ENTERED
        newest = events[-1] if events else None
        if newest and newest.correction and revision.correction and newest.correction.pk == revision.correction_id:
            # The same correction voided the hand and entered it again: one entry of the history.
            events[-1] = Event(**{**vars(newest), "after": line})
            continue
        events.append(
            Event(
                kind="corrected" if revision.correction else "entered" if entered else "undone",
                at=revision.created_at,
                author=names.free_text(str(revision.author or "")),
                reason=names.free_text(revision.reason),
                before=None if entered else line,
                after=line if entered else None,
                correction=_correction(revision.correction, known, names) if revision.correction else None,
            )
        )
    return events[::-1]


def _line(revision: Revision, names: Names) -> CoinLine:
    seated = sorted(revision.seats.all(), key=lambda seat: seat.number)
    view = HandView(
        number=revision.hand.number,
        revision=revision.number,
        voided=False,
        at=revision.created_at,
        author="",
        reason="",
        names=tuple(names.show(seat.player_id, seat.player.nickname) for seat in seated),
        player_ids=tuple(seat.player_id for seat in seated),
        record=revision.record,
        result=revision.result,
    )
    return coin_lines([view])[0]


def _ids(corrections: Iterable[Correction]) -> set[int]:
    """The ids of all players that the corrections name."""
    ids: set[int] = set()
    for correction in corrections:
        ids |= {int(player) for player in (*correction.before, *correction.after)}
        ids |= {player for pair in correction.details.get("who", []) for player in pair}
    return ids


def _correction(correction: Correction, known: Mapping[int, str], names: Names) -> CorrectionView:
    sums = [
        (int(p), correction.before.get(p, 0), correction.after.get(p, 0))
        for p in sorted({*correction.before, *correction.after}, key=int)
    ]
    return CorrectionView(
        pk=correction.pk,
        table=correction.table,
        number=correction.number,
        kind=correction.kind,
        sentence=sentence(correction, known),
        at=correction.created_at,
        author=names.free_text(str(correction.author or "")),
        reason=names.free_text(correction.reason),
        players=balances((row for row in sums if row[1] != row[2]), known),
        hands=getattr(correction, "touched", 0),
    )


def sentence_of(correction: Correction) -> str:
    """The sentence of a correction; reads the names. One query."""
    return sentence(correction, names_of(_ids([correction])))


def sentence(correction: Correction, names: Mapping[int, str]) -> str:
    """A short sentence about a correction."""
    number = {"number": correction.number}
    if correction.kind == Correction.Kind.SEATS:
        who = ", ".join(
            f"{names.get(was, '?')} → {names.get(sat, '?')}" for was, sat in correction.details.get("who", [])
        )
        values = number | {"last": correction.details.get("last", correction.number), "who": who}
        return _("Hands %(number)d to %(last)d, who sat there: %(who)s") % values
    changed = [hand["number"] for hand in correction.details.get("hands", ())]
    if len(changed) > 1:
        return _("Hands %(numbers)s corrected") % {"numbers": ", ".join(map(str, changed))}
    sentences = {
        Correction.Kind.CHANGED: _("Hand %(number)d corrected"),
        Correction.Kind.VOIDED: _("Hand %(number)d removed"),
        Correction.Kind.INSERTED: _("Hand %(number)d added"),
        Correction.Kind.MOVED: _("Hand %(number)d moved, now hand %(to)d"),
    }
    return sentences[Correction.Kind(correction.kind)] % (
        number | {"to": correction.details.get("to", correction.number)}
    )
