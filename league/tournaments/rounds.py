"""A round in play: its clock, the state of its tables, its end, and its correction. Each call is one transaction."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..ledger.idempotency import keyed
from ..models import Round, Sheet, Tournament, User
from . import clock, messages, tables
from .differing_sheets import MAX_REASON, Counting, counting, round_of
from .formats import Format
from .locking import desk_write, must_be
from .results import player_in

State = Round.State
MAX_MINUTES = 600
TableProgress = Literal["waiting", "playing", "one_sheet", "disagree", "done"]


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of a round: start numbers in order, and its progress.

    `progress`: *waiting* for its first hand or sheet; *playing*; *one_sheet*: the second sheet is missing; *disagree*:
    its sheets differ; *done*. `chips` are net chips by start number, as far as they are known.
    """

    number: int
    seats: tuple[int, ...]
    progress: TableProgress
    hands: int
    pot: int
    chips: Mapping[int, int]
    sheets: tuple[Sheet, ...]
    sheet: Sheet | None
    address: str
    recorder: str = ""
    table_id: int | None = None


def tables_of(current: Round, format: Format) -> list[RoundTable]:
    """Return the tables of a round in the order of their numbers. A fixed number of queries."""
    states = tables.of_games().states(current.evening)
    handed_in: dict[int, list[Sheet]] = defaultdict(list)
    for sheet in current.sheets.select_related("author").order_by("number"):
        handed_in[sheet.table_number].append(sheet)
    round_tables = []
    for table in sorted(current.draw.plan["tables"], key=lambda table: table["number"]):
        number, seats = table["number"], tuple(table["seats"])
        state = states.get(number)
        counted = counting(handed_in[number], format)
        chips: dict[int, int] = {}
        if state is not None and state.hands:
            chips = {seat: state.chips.get(player, 0) for seat, player in zip(seats, state.players, strict=False)}
        elif counted.sheet is not None:
            chips = {int(seat): amount for seat, amount in counted.sheet.chips.items()}
        round_tables.append(
            RoundTable(
                number=number,
                seats=seats,
                progress=_progress(current, format, state, counted),
                hands=state.hands if state else 0,
                pot=state.pot if state and state.hands else counted.sheet.pot if counted.sheet else 0,
                chips=chips,
                sheets=tuple(handed_in[number]),
                sheet=counted.sheet,
                address=state.address if state else "",
                recorder=state.recorder if state else "",
                table_id=state.table_id if state else None,
            )
        )
    return round_tables


def hands_limit(current: Round, format: Format) -> int:
    """Return the number of hands that each table of the round plays; 0 without a limit."""
    return format.final_hands if current.final else format.hands


def _progress(current: Round, format: Format, state: tables.TableState | None, counted: Counting) -> TableProgress:
    hands = state.hands if state else 0
    if not hands:
        if counted.state == "disagree":
            return "disagree"
        if counted.sheet is not None:
            return "done"
        return "one_sheet" if counted.state == "one" else "waiting"
    limit = hands_limit(current, format)
    if current.state == State.FINISHED or (limit and hands >= limit):
        return "done"
    time_left = clock.clock_of(current, format).remaining
    over = format.minutes > 0 and time_left is not None and time_left <= 0
    return "done" if over else "playing"


_keyed = keyed(lambda _first, *, tournament, number, **_given: Round.objects.get(tournament=tournament, number=number))


@_keyed
def round_start(*, tournament: Tournament, author: User | None, number: int, key: uuid.UUID | None = None) -> Round:
    """Begin a drawn round: the clock runs. Raises Refused (409) for a round that has begun or is finished."""
    with _change(tournament, author, number, "started", key) as current:
        _must(current, State.DRAWN, State.PLAYING)
        if current.state == State.DRAWN:
            messages.round_started(current.tournament, current)
        current.state = State.PLAYING
        if current.running_since is None:
            clock.run(current)
        return current


@_keyed
def start_take_back(*, tournament: Tournament, author: User | None, number: int, key: uuid.UUID | None = None) -> Round:
    """Take the beginning of a round back while no table has a hand or a sheet: the clock is at zero again.

    Raises:
        Refused: 409 for a round that is not being played, or where a table has begun.
    """
    with _change(tournament, author, number, "unstarted", key) as current:
        _must(current, State.PLAYING)
        known = tables_of(current, Format.read(current.tournament.format))
        begun = [round_table.number for round_table in known if round_table.hands or round_table.sheets]
        if begun:
            raise _open_tables("begun", _("These tables have begun: %(tables)s."), begun)
        current.state, current.started_at, current.running_since, current.running_ticks = State.DRAWN, None, None, None
        current.elapsed_seconds = 0
        return current


def clock_pause(*, tournament: Tournament, author: User | None, number: int) -> Round:
    """Stop the clock. A stopped clock stays as it is."""
    with _change(tournament, author, number, "paused") as current:
        _must(current, State.PLAYING)
        if current.running_since is not None:
            clock.stop(current)
        return current


def clock_resume(*, tournament: Tournament, author: User | None, number: int) -> Round:
    """Let the clock run on. A running clock stays as it is."""
    with _change(tournament, author, number, "resumed") as current:
        _must(current, State.PLAYING)
        if current.running_since is None:
            clock.run(current)
        return current


@_keyed
def minutes_add(
    *, tournament: Tournament, author: User | None, number: int, minutes: int, key: uuid.UUID | None = None
) -> Round:
    """Add minutes to the time of the round, or take some away (below 0).

    Raises:
        Refused: 422 for minutes that are no whole number from -600 to 600; 409 for a finished round.
    """
    if type(minutes) is not int or not 0 < abs(minutes) <= MAX_MINUTES:
        sentence = _("Give whole minutes, at most %(most)d.") % {"most": MAX_MINUTES}
        raise Refused(status=422, code="minutes", sentence=sentence, at="minutes")

    with _change(tournament, author, number, f"minutes {minutes}", key) as current:
        _must(current, State.DRAWN, State.PLAYING)
        current.added_seconds += 60 * minutes
        return current


@_keyed
def round_finish(
    *,
    tournament: Tournament,
    author: User | None,
    number: int,
    despite_open: bool = False,
    key: uuid.UUID | None = None,
) -> Round:
    """Finish a round: its results are posted and count.

    `despite_open`: finish although tables are still playing; their recorded hands count, and an entrant without a
    result has
    missed the round.

    Raises:
        Refused: 409 while tables play or have no result (`details`: their numbers), or where sheets differ; and for a
            round that is finished.
    """
    with _change(tournament, author, number, "finished", key, confirmed=despite_open) as current:
        _must(current, State.DRAWN, State.PLAYING)
        format = Format.read(current.tournament.format)
        known = tables_of(current, format)
        _check_done(known, despite_open)
        if current.running_since is not None:
            clock.stop(current)
        current.state, current.finished_at = State.FINISHED, timezone.now()
        _post(current, format, known, author)
        messages.round_finished(current.tournament, current, "finished")
        return current


@_keyed
def round_reopen(
    *, tournament: Tournament, author: User | None, number: int, reason: str, key: uuid.UUID | None = None
) -> Round:
    """Open the last finished round again, while no round was drawn after it: its posting is reversed.

    Raises:
        Refused: 409 for a round that is not the last one, or not finished; 422 without a reason.
    """
    with _change(tournament, author, number, "reopened", key, reason=reason) as current:
        _must(current, State.FINISHED)
        if not reason.strip():
            sentence = _("Give a reason: a finished round is opened again only with one, and it is kept.")
            raise Refused(status=422, code="reason", sentence=sentence, at="reason")
        if current.tournament.rounds.filter(number__gt=number).exists():
            sentence = _("The next round is drawn already. Correct a sheet or a hand of this round instead.")
            raise Refused(status=409, code="later", sentence=sentence)
        tables.of_games().reopen(current.evening, author=author, reason=reason[:MAX_REASON])
        current.state, current.finished_at = State.PLAYING, None
        return current


def post_again(now: Tournament, current: Round, *, author: User | None, reason: str) -> None:
    """Reverse the posting of a finished round, and post its results with the sheets that count now."""
    format = Format.read(now.format)
    tables.of_games().reopen(current.evening, author=author, reason=reason[:MAX_REASON])
    current.evening.refresh_from_db()
    _post(current, format, tables_of(current, format), author)


def post(current: Round, *, author: User | None) -> None:
    """Post the results of a round with the sheets that count now. The caller stores the round as finished."""
    format = Format.read(current.tournament.format)
    _post(current, format, tables_of(current, format), author)


def _post(current: Round, format: Format, known: Sequence[RoundTable], author: User | None) -> None:
    entrants = current.tournament.entrants.prefetch_related("substitutions")
    players = {entrant.number: player_in(entrant, current.number) for entrant in entrants}
    counted = {
        round_table.number: tables.SheetResult(
            source=uuid.uuid5(uuid.NAMESPACE_OID, f"sheets of table {round_table.number} of round {current.pk}"),
            revision=round_table.sheet.number,
            chips={players[int(seat)]: chips for seat, chips in round_table.sheet.chips.items()},
            pot=round_table.sheet.pot,
        )
        for round_table in known
        if round_table.sheet is not None and not round_table.hands
    }
    tables.of_games().close(current.evening, divide_pots=format.pot == "divided", sheets=counted, author=author)


def _check_done(known: Sequence[RoundTable], despite_open: bool) -> None:
    differ = [round_table.number for round_table in known if round_table.progress == "disagree"]
    if differ:
        sentence = _("The sheets of these tables differ: %(tables)s. Decide which one counts.")
        raise _open_tables("disagree", sentence, differ)
    missing = [round_table.number for round_table in known if round_table.progress != "done"]
    if missing and not despite_open:
        sentence = _("These tables are not done: %(tables)s. Finish the round all the same?")
        raise _open_tables("playing", sentence, missing)


def _open_tables(code: str, sentence: str, numbers: list[int]) -> Refused:
    values = {"tables": ", ".join(str(number) for number in numbers)}
    return Refused(status=409, code=code, sentence=sentence % values, details={"tables": numbers})


def _must(current: Round, *states: str) -> None:
    if current.state in states:
        return
    sentences = {
        State.DRAWN: _("Round %(round)d has not begun."),
        State.PLAYING: _("Round %(round)d is being played."),
        State.FINISHED: _("Round %(round)d is finished."),
    }
    sentence = sentences[State(current.state)] % {"round": current.number}
    raise Refused(status=409, code="round", sentence=sentence)


@contextmanager
def _change(
    tournament: Tournament,
    author: User | None,
    number: int,
    did: str,
    key: uuid.UUID | None = None,
    *,
    confirmed: bool = False,
    reason: str = "",
) -> Iterator[Round]:
    """Store what the block changes in a round of the locked tournament."""
    with desk_write(tournament, author, key, ("round", number, did, confirmed, reason)) as desk:
        must_be(desk.now, Tournament.State.RUNNING)
        current = round_of(desk.now, number)
        yield current
        current.save()
        data: audit.Data = {"did": did.partition(" ")[0], "round": number}
        about = f"tournament:{desk.now.pk}"
        audit.write(What.ROUND_CHANGED, club=desk.now.club, actor=author, about=about, data=data)
