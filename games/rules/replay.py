"""Replay a past season under other house rules: the same hands with new amounts. Nothing is stored.

Seats, dealers, declarers, joiners and tricks stay as they were. Antes, payouts, penalties and the pot of the next hand
are computed again, hand by hand along each table. A hand that the rules make impossible (declared blind where that is
not allowed, nobody joining where the last player must, cards that break a rule) is left out: nobody pays or takes
anything in it, and the pot stays. A hand that nobody declared is passed out under any rules, for any number of turned
cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from league import keyset
from league.access.persons import main_players
from league.models import Player, Season
from league.money import format_price

from .. import engine_bridge
from ..engine_bridge import Record, Result
from ..hands import clause_sentences, selectors
from ..models import Revision, Seat
from ..offered import game_of

EXAMPLES = 3
RUNS_AWAY = 50
"""A pot without a limit can double with each hand. Nobody plays on for one that is so many times as high as the highest
of the season, at the same stake."""
HANDS_AT_ONCE = 500


class Place(NamedTuple):
    """Number of the evening, of the table, of the hand: the order in which a season's hands are read."""

    evening: int
    table: int
    hand: int


@dataclass(frozen=True)
class Played:
    """A stored hand: its place, the players by seat, its record and its result."""

    place: Place
    players: tuple[int, ...]
    record: Record
    result: Result


@dataclass
class PlayerSeason:
    """A player's season in Rappen, as it was and under the other rules, including the hands of players merged into this
    one. `left_out_minor` is the old amount of the hands that are left out."""

    player_id: int
    nickname: str = ""
    hands: int = 0
    old_minor: int = 0
    new_minor: int = 0
    left_out_minor: int = 0

    @property
    def difference_minor(self) -> int:
        """The change of the balance by the other rules."""
        return self.new_minor - self.old_minor


@dataclass
class LeftOut:
    """The hands that break one clause under the other rules, with the first few of their places."""

    clause: str
    hands: int = 0
    places: list[Place] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """The reason why they are left out."""
        # The record was valid when it was stored; under other rules only its pot can exceed a limit.
        if self.clause == "R1":
            return _("No hand can begin with the pot that would result.")
        return clause_sentences.sentence(self.clause)


@dataclass(frozen=True)
class Replay:
    """A season under other rules; players by old balance, the highest first. Amounts in Rappen.

    The balances and the pots left at the end of each table add up to zero, under the old and the new rules. The highest
    pots are those that a hand was played for.
    """

    hands: int
    changed: int
    players: list[PlayerSeason]
    left_out: list[LeftOut]
    old_pots_minor: int
    new_pots_minor: int
    old_highest_pot_minor: int
    new_highest_pot_minor: int
    runs_away: bool
    """No limit holds the pot, and it grows to amounts that nobody would have played for."""

    @property
    def hands_left_out(self) -> int:
        """The number of hands that are impossible under the other rules."""
        return sum(each.hands for each in self.left_out)


def season_hands(season: Season, game: str) -> Iterator[Played]:
    """The season's valid hands along each table, evenings by date, with two queries for each page of hands."""
    valid = selectors.newest_revisions().filter(
        kind=Revision.Kind.ENTERED, hand__table__evening__season=season, hand__table__evening__game=game
    )
    place = ("hand__table__evening__number", "hand__table__number", "hand__number")
    order = ("hand__table__evening__held_on", *place)
    for page in keyset.pages(valid.values(*order, "pk", "record", "result"), order, HANDS_AT_ONCE):
        seats = Seat.objects.filter(revision__in=[hand["pk"] for hand in page]).order_by("revision_id", "number")
        rows = groupby(seats.values_list("revision_id", "player_id"), key=itemgetter(0))
        seated = {revision: tuple(player for _, player in sitting) for revision, sitting in rows}
        for hand in page:
            where = Place(*(hand[name] for name in place))
            yield Played(where, seated[hand["pk"]], hand["record"], hand["result"])


class _Chain:
    """One table under the other rules: the state with which its next hand starts."""

    def __init__(self, rules: Mapping[str, Any], first: Record) -> None:
        self.rules = dict(rules)
        self.pot = self.old_pot = int(first["pot_before"])
        self.deal_number = 1

    def hand(self, record: Record, old: Result) -> Result:
        """The hand under the other rules: a result, or an error object where they make it impossible."""
        # Coins that came into the pot or left it between two hands do so under any rules.
        self.pot = max(0, self.pot + record["pot_before"] - self.old_pot)
        self.old_pot = old["pot_after"]
        result = engine_bridge.replay(self._record(record, old))
        if result["ok"]:
            self.pot, self.deal_number = result["pot_after"], result["next"]["deal_number"]
        else:
            self.deal_number = 1
        return result

    def _record(self, record: Record, old: Result) -> Record:
        now: Record = {"rules": self.rules, "pot_before": self.pot}
        contract = game_of(record["game"]).texts.contract
        if "deal_number" in record:
            now["deal_number"] = self.deal_number
        if old["outcome"] == "passed_out" and "deal" in record:
            # Under rules that turn fewer cards the hand is passed out sooner, so its cards are left out of the record.
            common = ("game", "seats", "dealer", "cuts")
            kept = {name: record[name] for name in common if name in record} | dict(contract.passed_out)
        else:
            kept = {name: value for name, value in record.items() if name != "claimed"}
        return contract.under(kept | now, self.rules, old)


class _Highest:
    """The highest pots of a season, in Rappen: as it was, under the other rules, and as it was at their stake."""

    def __init__(self, game: str, rules: Mapping[str, Any]) -> None:
        self.name = game_of(game).ante_rule
        self.usual = engine_bridge.house_rules(game, {})[self.name]
        self.stake, self.limited = rules[self.name], rules["pot_limit"] is not None
        self.old = self.new = self.at_this_stake = 0

    def add(self, hand: Played, result: Result) -> None:
        old = hand.result["pot"]
        self.old = max(self.old, old)
        self.new = max(self.new, result.get("pot", 0))
        stake = hand.record["rules"].get(self.name, self.usual)
        self.at_this_stake = max(self.at_this_stake, old * self.stake // stake)

    @property
    def runs_away(self) -> bool:
        return not self.limited and self.new > RUNS_AWAY * self.at_this_stake > 0


def replay_season(season: Season, game: str, rules: Mapping[str, Any]) -> Replay:
    """Replay the season's hands of one game under `rules`, the rules that differ from the defaults. Stores nothing.

    Raises:
        engine_bridge.Fault: R4 for impossible rules.
    """
    rules = engine_bridge.house_rules(game, rules)
    one_person = main_players(season.club_id)
    players: dict[int, PlayerSeason] = {}
    left_out: dict[str, LeftOut] = {}
    pots: Counter[str] = Counter()
    highest = _Highest(game, rules)
    hands = changed = 0
    for _table, played in groupby(season_hands(season, game), key=lambda hand: hand.place[:2]):
        chain: _Chain | None = None
        for hand in played:
            chain = chain or _Chain(rules, hand.record)
            result = chain.hand(hand.record, hand.result)
            hands += 1
            highest.add(hand, result)
            if not result["ok"]:
                _leave_out(left_out, result["error"]["clause"], hand.place)
            changed += result.get("deltas") != hand.result["deltas"]
            _add(players, one_person, hand, result)
        if chain is not None:
            pots["old"] += chain.old_pot
            pots["new"] += chain.pot
    names = dict(Player.objects.filter(club_id=season.club_id).values_list("pk", "nickname"))
    for player in players.values():
        player.nickname = names.get(player.player_id, "")
    return Replay(
        hands=hands,
        changed=changed,
        players=sorted(players.values(), key=lambda player: (-player.old_minor, player.nickname.casefold())),
        left_out=sorted(left_out.values(), key=lambda each: (-each.hands, each.clause)),
        old_pots_minor=pots["old"],
        new_pots_minor=pots["new"],
        old_highest_pot_minor=highest.old,
        new_highest_pot_minor=highest.new,
        runs_away=highest.runs_away,
    )


def warning(played: Replay, currency: str) -> str:
    """The sentence that stands before the figures of a replay in which the pot runs away; else empty."""
    if not played.runs_away:
        return ""
    return _(
        "Without a limit it would have grown to %(new)s; the highest pot of this season was %(old)s. Nobody would have "
        "gone on playing for that, so the figures say little."
    ) % {
        "new": format_price(played.new_highest_pot_minor, currency),
        "old": format_price(played.old_highest_pot_minor, currency),
    }


def _leave_out(left_out: dict[str, LeftOut], clause: str, place: Place) -> None:
    entry = left_out.setdefault(clause, LeftOut(clause))
    entry.hands += 1
    if len(entry.places) < EXAMPLES:
        entry.places.append(place)


def _add(players: dict[int, PlayerSeason], one_person: Mapping[int, int], hand: Played, result: Result) -> None:
    for seat, sat in enumerate(hand.players):
        main = one_person.get(sat, sat)
        player = players.setdefault(main, PlayerSeason(main))
        player.hands += 1
        player.old_minor += hand.result["deltas"][seat]
        if result["ok"]:
            player.new_minor += result["deltas"][seat]
        else:
            player.left_out_minor += hand.result["deltas"][seat]
