"""The bridge to the engine: it completes hand records from a table's chain and replays them."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import engine
from engine import games, hand_worth, sample
from engine.games import game_of
from league.ledger import Move
from league.ledger.result_rows import Outcome
from league.models import ResultRow, Transfer

Record = dict[str, Any]
Result = dict[str, Any]


GAMES = engine.GAMES
GAME = games.DEFAULT
"""The game if none is given."""
SEATS = {game.name: (game.fewest_seats, game.most_seats) for game in games.BY_NAME.values()}
"""The least and the most players at a table, by game."""
MIN_SEATS, MAX_SEATS = min(least for least, _most in SEATS.values()), max(most for _least, most in SEATS.values())

Fault = engine.Fault
Effect = engine.Effect
Temper = sample.Temper
play_hand = sample.play_hand
HandTable = hand_worth.Table
Chances = hand_worth.Chances
MOST_ACTIVE = {game: pack.most_players for game, pack in hand_worth.PACKS.items()}
BEFORE, AFTER = hand_worth.BEFORE, hand_worth.AFTER


@dataclass(frozen=True)
class Start:
    """The start of a hand by the chain: its number, the dealer (a seat), the deal number, the pot before the antes, the
    house rules that differ from the defaults, and the number of seats. In a game with cuts the dealer is the player who
    has the pack before the first cut; where deals are not counted the deal number is always 1."""

    number: int
    game: str
    rules: Mapping[str, Any]
    seats: int
    dealer: int
    deal_number: int
    pot_before: int

    def fields(self) -> Record:
        """The fields of the hand record that the chain decides."""
        known: Record = {
            "game": self.game,
            "rules": dict(self.rules),
            "seats": self.seats,
            "dealer": self.dealer,
            "pot_before": self.pot_before,
        }
        return known | {"deal_number": self.deal_number} if counts_deals(self.game) else known

    def after(self, result: Result) -> Start:
        """The start of the next hand after this result."""
        following = result["next"]
        return replace(
            self,
            number=self.number + 1,
            dealer=following["dealer"],
            deal_number=following["deal_number"],
            pot_before=result["pot_after"],
        )


def complete(start: Start, sent: Mapping[str, Any]) -> tuple[Record, str | None]:
    """The sent record, completed from the chain, and the first sent field that differs from the chain (or None)."""
    known = start.fields()
    for name, value in known.items():
        if name in sent and not _same(name, sent[name], value, start.game):
            return {**sent, **known}, name
    return {**sent, **known}, None


def _same(name: str, sent: Any, known: Any, game: str) -> bool:
    if name != "rules":
        return type(sent) is type(known) and sent == known
    try:
        return isinstance(sent, Mapping) and house_rules(game, sent) == house_rules(game, known)
    except engine.Fault:
        return False


def replay(record: Mapping[str, Any]) -> Result:
    """Replay a complete record: a result, or an error object with clause, place and message."""
    result: Result = engine.replay(dict(record))
    if result["ok"]:
        engine.check_balanced(result)
    return result


def house_rules(game: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """All house rules of a game with the defaults filled in. Raises `Fault`: R1 for an unknown game, R4 for an unknown
    rule or value."""
    return dict(engine.effective_rules(game, values))


def due(start: Start) -> engine.Due:
    """The amounts due before a hand, before the cuts if there are any: `antes` by seat, `muss` (None where the game has
    no Muss) and `pot` with the antes, in Rappen."""
    return engine.due(
        start.game,
        start.rules,
        seats=start.seats,
        dealer=start.dealer,
        pot_before=start.pot_before,
        deal_number=start.deal_number,
    )


def pot_in_play(start: Start) -> int:
    """The pot with this hand's antes, in Rappen."""
    return due(start).pot


def after_cuts(start: Start, cuts: Sequence[Any]) -> tuple[int, tuple[int, ...]]:
    """The dealer of a hand after these cuts, finished or not, and the payments for them by seat, in Rappen. Raises
    `Fault` for impossible cuts, and in a game without cuts."""
    dealer, payments = engine.after_cuts(
        start.rules, seats=start.seats, dealer=start.dealer, cuts=cuts, game=start.game
    )
    return int(dealer), tuple(payments)


def coins_of(result: Mapping[str, Any]) -> dict[int, int]:
    """The coins of each seat without antes, in Rappen (below 0: into the pot), in the order in which they move."""
    coins: dict[int, int] = {}
    for line in result["lines"]:
        if line["kind"] != "ante":
            coins[line["seat"]] = coins.get(line["seat"], 0) + int(line["amount"])
    return coins


def effects(record: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[Effect, ...]:
    """The house rules that changed the amounts of a hand: half of the pot, limit, rounding, remainder."""
    return engine.effects(record, result)


def moves(result: Result, accounts: Sequence[int], pot_account: int) -> list[Move]:
    """The lines of a result as moves between the accounts (by seat) and the pot, in the order in which coins move."""
    return [
        Move(accounts[line["seat"]], pot_account, -line["amount"], _kind(line["kind"]))
        if line["amount"] < 0
        else Move(pot_account, accounts[line["seat"]], line["amount"], _kind(line["kind"]))
        for line in result["lines"]
    ]


def _kind(kind: str) -> str:
    return Transfer.Kind(kind).value


def outcomes(record: Record, result: Result, players: Sequence[int]) -> list[Outcome]:
    """The result row of each seat."""
    won = {line["seat"]: line["amount"] for line in result["lines"] if line["kind"] == "payout"}
    walkover = result["outcome"] == "walkover"
    return [
        Outcome(
            player_id=player,
            seat=seat,
            role=role_of(result, seat),
            made=made_goal(record, result, seat),
            tricks=result["tricks"][seat] if result["tricks"] is not None and not walkover else None,
            change_minor=result["deltas"][seat],
            pot_won_minor=won.get(seat, 0),
            walkover=walkover and seat in active_seats(result),
            passed_out=result["outcome"] == "passed_out",
            blind=(result["blind"] or "") if seat == result["declarer"] else "",
            susi=seat == result["susi"],
            muss=result["muss"] is True,
        )
        for seat, player in enumerate(players)
    ]


def role_of(result: Result, seat: int) -> str:
    """The role of a seat, one of `ResultRow.Role`."""
    if seat == result["declarer"]:
        return ResultRow.Role.DECLARER
    return ResultRow.Role.JOINER if seat in result["joiners"] else ResultRow.Role.OUT


def shown_role(result: Result, seat: int) -> str | None:
    """The role of a seat in files and answers; None in a hand that nobody declared: there nobody was out."""
    return None if result["outcome"] == "passed_out" else str(role_of(result, seat))


def made_goal(record: Record, result: Result, seat: int) -> bool | None:
    """True if a seat reached its goal (C6.1, K8.1); None if it had none: out, passed out, or nobody joined."""
    if result["outcome"] != "played" or seat not in active_seats(result):
        return None
    if result["tricks"] is None:
        return seat in record["made"]
    return bool(result["tricks"][seat] >= goal_of(record, result, seat))


def active_seats(result: Mapping[str, Any]) -> list[int]:
    """The seats that play: the declarer, if there is one, and those who joined."""
    declarer: int | None = result["declarer"]
    return [*([] if declarer is None else [declarer]), *result["joiners"]]


def counts_deals(game: str) -> bool:
    """True in a game whose records say how often the dealer has dealt in a row."""
    return game_of(game).ante_of_deal is not None


def has_cuts(game: str) -> bool:
    """True in a game where the pack is cut for the dealer before the deal."""
    return game_of(game).after_cuts is not None


def has_declarer(game: str) -> bool:
    """True in a game where one of those who play declares, with a goal of their own."""
    return game_of(game).declarer_goal is not None


def plain_ranks(game: str) -> str:
    """The ranks of a suit in a game with a table of hands."""
    return hand_worth.PACKS[game].plain_ranks


def always_trump(game: str) -> str | None:
    """The card that belongs to the trump suit whatever it is, in a game with a table of hands."""
    card = hand_worth.PACKS[game].always_trump
    return card[0] if card else None


def tricks_of(game: str) -> int:
    """The tricks of a hand."""
    return game_of(game).tricks


def goal_of(record: Mapping[str, Any], result: Mapping[str, Any], seat: int) -> int:
    """The tricks that a seat needs in a settled hand (C6.1, K8.1, Z4.2)."""
    return game_of(record["game"]).goal_of(record, result, seat)


def has_hand_worth(game: str) -> bool:
    """True in a game with a table of what a hand is worth."""
    return game in MOST_ACTIVE


def seats_clause(game: str) -> str:
    """The clause on the number of seats."""
    return game_of(game).seats_clause


def has_cards(record: Mapping[str, Any]) -> bool:
    """True if a record has its cards, so that the hand can be played through step by step."""
    return "deal" in record


def body_hash(body: Any) -> str:
    """SHA-256 of a request body; the order of its keys makes no difference."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def new_key() -> uuid.UUID:
    """A new idempotency key."""
    return uuid.uuid4()
