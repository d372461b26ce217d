"""Tables and hands as pages show them. Each call has a fixed number of queries, for any number of hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet, Sum

from league.access import ClubAccess, Right
from league.access.names import Names
from league.models import Club, Evening, EveningScore, Player, ResultRow

from .. import engine_bridge
from ..models import Happening, Place, Revision, Seat, Table
from ..offered import game_of
from . import chain as chains
from .rounds import RoundAt, round_at


@dataclass(frozen=True)
class SeatView:
    """A seat of the next hand. `balance_minor` is the sum of the evening's stored hands, `ante_minor` the ante that the
    player has put into the pot for the next hand, in Rappen."""

    seat: int
    player_id: int
    nickname: str
    balance_minor: int
    deals: bool
    ante_minor: int = 0

    @property
    def tonight_minor(self) -> int:
        """The sum of tonight with the ante that is in the pot: these sums and the pot of the table add up."""
        return self.balance_minor - self.ante_minor


@dataclass(frozen=True)
class HandView:
    """The newest revision of a stored hand, valid or voided, for a line of a page. Amounts in Rappen, by seat."""

    number: int
    revision: int
    voided: bool
    at: datetime
    author: str
    reason: str
    names: tuple[str, ...]
    player_ids: tuple[int, ...]
    record: Mapping[str, Any] = field(repr=False)
    result: Mapping[str, Any] = field(repr=False)
    hand_id: UUID | None = None

    @property
    def start(self) -> engine_bridge.Start:
        """The state before the hand."""
        record = self.record
        return engine_bridge.Start(
            number=self.number,
            game=record["game"],
            rules=record["rules"],
            seats=record["seats"],
            dealer=record["dealer"],
            deal_number=record.get("deal_number", 1),
            pot_before=record["pot_before"],
        )

    @property
    def game(self) -> str:
        """The game of the hand."""
        return str(self.record["game"])

    @property
    def muss(self) -> bool:
        """True if everybody had to play."""
        return self.result["muss"] is True

    @property
    def siebenermuss(self) -> bool:
        """True if a seven made it a Muss."""
        return game_of(self.game).records.is_siebenermuss(self.record, self.result)

    @property
    def game_type(self) -> str | None:
        """The declarer's call: `schlagen`, `oder`, `weiter-oder`; None if nobody called."""
        return game_of(self.game).records.game_type_of(self.record, self.result)

    @property
    def outcome(self) -> str:
        """`played`, `walkover` or `passed_out`."""
        return str(self.result["outcome"])

    @property
    def declarer(self) -> int | None:
        """The declarer's seat."""
        seat: int | None = self.result["declarer"]
        return seat

    @property
    def joiners(self) -> tuple[int, ...]:
        """The joiners' seats."""
        return tuple(self.result["joiners"])

    @property
    def failed(self) -> tuple[int, ...]:
        """Seats that missed their goal (a `pot_limit` may spare them the penalty)."""
        made = (engine_bridge.made_goal(dict(self.record), dict(self.result), s) for s in range(len(self.names)))
        return tuple(seat for seat, reached in enumerate(made) if reached is False)

    @property
    def tricks(self) -> tuple[int, ...] | None:
        """Tricks by seat; None if they were not counted."""
        counted = self.result["tricks"]
        return None if counted is None else tuple(counted)

    @property
    def deltas(self) -> tuple[int, ...]:
        """The change of each seat, antes included."""
        return tuple(self.result["deltas"])

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The coins in the order in which they move: seat, kind, amount (below 0: into the pot)."""
        return list(self.result["lines"])

    @property
    def pot(self) -> int:
        """The pot that was played for."""
        return int(self.result["pot"])

    @property
    def pot_after(self) -> int:
        """The pot after the hand, before the next antes."""
        return int(self.result["pot_after"])

    @property
    def blind(self) -> str | None:
        """`blind`, `double` or None."""
        kind: str | None = self.result["blind"]
        return kind

    @property
    def susi(self) -> int | None:
        """The seat of the Susi, if the house rules name one."""
        seat: int | None = self.result["susi"]
        return seat


@dataclass(frozen=True)
class TableView:
    """A table before its next hand. `pot_minor` is the amount in the pot: it includes the antes of that hand (cuts may
    add to it), but not after the last hand for all. With cuts the dealer is the player who has the pack before them."""

    table: Table
    evening: Evening
    game: str
    number: int
    seats: tuple[SeatView, ...]
    pot_before_minor: int
    pot_minor: int
    muss: bool
    deal_number: int
    dealer_seat: int
    rules: Mapping[str, Any]
    hands: tuple[HandView, ...]
    start: engine_bridge.Start
    last_played: bool = False
    """The hand that was announced as the last one for all is stored."""
    round: RoundAt | None = None
    """The round of a tournament that the table belongs to."""

    @property
    def round_over(self) -> str:
        """The sentence at a table that has played all hands of its round; empty at any other."""
        if self.round is None or not self.round.all_played(self.table.hands):
            return ""
        return self.round.all_played_sentence()

    @property
    def forehand_seat(self) -> int:
        """The seat that speaks first (C3.1)."""
        return (self.dealer_seat + 1) % len(self.seats)

    @property
    def last(self) -> HandView | None:
        """The last hand that was not voided."""
        return next((hand for hand in self.hands if not hand.voided), None)


def sees_table_amounts(access: ClubAccess, evening: Evening) -> bool:
    """True if the reader sees the amounts at the tables of an evening: pages, history and API ask this one function.

    A recorder sees them until the evening is final; in a season of points only, where they are counters, while the
    evening is open. Other readers see them if they see all amounts of the season.
    """
    if access.within(evening.season).sees_money():
        return True
    stage = evening.stage()
    counted = stage == Evening.Stage.OPEN or not evening.season.points_only
    return access.may(Right.RECORD) and stage != Evening.Stage.FINAL and counted


def table_of(*, club: Club, table_id: int) -> Table | None:
    """A table of this club with its evening, season and house rules; None if there is none."""
    tables = Table.objects.select_related("evening__season", "evening__house_rules")
    table = tables.filter(evening__club=club, pk=table_id).first()
    if table is not None:
        table.evening.club = club
    return table


def table_at(*, slug: str, table_id: int) -> Table | None:
    """The same, with the club's short name. One query."""
    tables = Table.objects.select_related("evening__season", "evening__house_rules", "evening__club")
    return tables.filter(evening__club__slug=slug, pk=table_id).first()


def chain_of(table: Table) -> tuple[chains.Chain, dict[int, str]]:
    """The table's chain, and nicknames by player."""
    places = list(table.places.order_by("seat").values_list("player_id", "player__nickname"))
    return chains.read(table, tuple(player for player, _ in places)), dict(places)


def table_view(table: Table) -> TableView:
    """The data of the table screen. Four queries; one more if the last hand for all was announced, one in a round."""
    chain, names = chain_of(table)
    start = chain.start
    won = dict(
        ResultRow.objects.filter(evening=table.evening, player_id__in=chain.players)
        .order_by()
        .values_list("player_id")
        .annotate(change=Sum("change_minor"))
    )
    round_ = round_at(table.evening)
    ended = table.last_hand and last_played(table)
    over = ended or (round_ is not None and round_.all_played(table.hands))
    antes = antes_in_pot(chain, ended=over)
    return TableView(
        table=table,
        evening=table.evening,
        game=start.game,
        number=start.number,
        seats=tuple(
            SeatView(seat, player, names[player], won.get(player, 0), seat == start.dealer, antes[player])
            for seat, player in enumerate(chain.players)
        ),
        pot_before_minor=start.pot_before,
        pot_minor=start.pot_before + sum(antes.values()),
        muss=engine_bridge.due(start).muss is True,
        deal_number=start.deal_number,
        dealer_seat=start.dealer,
        rules=engine_bridge.house_rules(start.game, start.rules),
        hands=tuple(hands_of([table])[table.pk]),
        start=start,
        last_played=ended,
        round=round_,
    )


def antes_in_pot(chain: chains.Chain, *, ended: bool) -> dict[int, int]:
    """The antes in the pot between two hands, by player, in Rappen; 0 after the last hand for all (`ended`)."""
    return (
        dict.fromkeys(chain.players, 0)
        if ended
        else dict(zip(chain.players, engine_bridge.due(chain.start).antes, strict=True))
    )


def antes_of_tables(evening: Evening, tables: Sequence[Table]) -> dict[int, dict[int, int]]:
    """The antes that are in the pots of an evening, by table and player, in Rappen; none once the evening is closed.

    One query; one more for each table at which the last hand for all was announced.
    """
    if evening.state != Evening.State.OPEN:
        return {}
    players: dict[int, list[int]] = {}
    playing = [table for table in tables if not table.dissolved]
    for table_id, player in (
        Place.objects.filter(table__in=playing).order_by("seat").values_list("table_id", "player_id")
    ):
        players.setdefault(table_id, []).append(player)
    antes = {}
    round_ = round_at(evening)
    for table in playing:
        table.evening = evening
        ended = table.last_hand and last_played(table)
        ended = ended or (round_ is not None and round_.all_played(table.hands))
        antes[table.pk] = antes_in_pot(chains.read(table, tuple(players[table.pk])), ended=ended)
    return antes


def last_played(table: Table) -> bool:
    """True if a hand was stored since the last hand for all was announced. One query."""
    announced = Happening.objects.filter(table=table, kind=Happening.Kind.LAST).order_by("-created_at").first()
    return announced is not None and table.hands > announced.after


def evening_hands(evening: Evening) -> list[tuple[Table, list[HandView]]]:
    """The evening's tables, each with its hands, newest first."""
    tables = list(evening.tables.order_by("number"))
    hands = hands_of(tables)
    return [(table, hands[table.pk]) for table in tables]


def newest_revisions() -> QuerySet[Revision]:
    """The newest revision of each hand, entered or voided."""
    newer = Revision.objects.filter(hand=OuterRef("hand"), number__gt=OuterRef("number"))
    return Revision.objects.filter(~Exists(newer))


def hands_of(tables: Iterable[Table]) -> dict[int, list[HandView]]:
    """Hands by table, newest first, in two queries."""
    wanted = [table.pk for table in tables]
    shown: dict[int, list[HandView]] = {pk: [] for pk in wanted}
    revisions = list(
        newest_revisions()
        .filter(hand__table__in=wanted)
        .select_related("hand", "author")
        .order_by("hand__table_id", "-hand__number")
    )
    seated: dict[int, list[tuple[int, str]]] = {revision.pk: [] for revision in revisions}
    seats = Seat.objects.filter(revision__in=newest_revisions().filter(hand__table__in=wanted))
    for revision_id, player, name in seats.order_by("revision_id", "number").values_list(
        "revision_id", "player_id", "player__nickname"
    ):
        # A hand that is stored between the two queries has seats, but no revision here.
        if revision_id in seated:
            seated[revision_id].append((player, name))
    for revision in revisions:
        shown[revision.hand.table_id].append(view_of(revision, seated[revision.pk]))
    return shown


def hand_view(table: Table, number: int) -> HandView | None:
    """One hand of a table."""
    revision = (
        newest_revisions().filter(hand__table=table, hand__number=number).select_related("hand", "author").first()
    )
    if revision is None:
        return None
    return view_of(revision, list(revision.seats.order_by("number").values_list("player_id", "player__nickname")))


def view_of(revision: Revision, seated: Sequence[tuple[int, str]]) -> HandView:
    """The view of a revision; `seated` are players and nicknames by seat."""
    return HandView(
        number=revision.hand.number,
        revision=revision.number,
        voided=revision.kind == Revision.Kind.VOIDED,
        at=revision.created_at,
        author=str(revision.author) if revision.author else "",
        reason=revision.reason,
        names=tuple(name for _, name in seated),
        player_ids=tuple(player for player, _ in seated),
        record=revision.record,
        result=revision.result,
        hand_id=revision.hand_id,
    )


@dataclass(frozen=True)
class FirstEntry:
    """The recorder who entered a hand first, and the time."""

    person: str
    at: datetime


def recorder_of(table: Table, number: int) -> FirstEntry | None:
    """The recorder of a hand; None if it was not entered by a signed-in user."""
    first = (
        Revision.objects.filter(hand__table=table, hand__number=number).select_related("recorder").order_by("number")
    )
    revision = first.first()
    return (
        None
        if revision is None or revision.recorder is None
        else FirstEntry(str(revision.recorder), revision.created_at)
    )


def as_reader_sees(hand: HandView, names: Names) -> HandView:
    """The hand with the names that the reader may see."""
    shown = (names.show(player, name) for player, name in zip(hand.player_ids, hand.names, strict=True))
    return replace(hand, names=tuple(shown))


def roster(club_id: int) -> QuerySet[Player]:
    """The active players of the roster, those who played most recently first, by the dates of evenings as last
    counted. Players merged into another one are left out: the main player is chosen instead."""
    played = EveningScore.objects.filter(player=OuterRef("pk"), hands__gt=0).order_by("-evening__held_on")
    last = played.values("evening__held_on")[:1]
    players = Player.objects.filter(club_id=club_id, active=True, main=None).annotate(last_on=last)
    return players.order_by(F("last_on").desc(nulls_last=True), "nickname")
