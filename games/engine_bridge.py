"""The bridge to the engine: it completes hand records from a table's chain and replays them."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import engine
from engine import sample
from league.ledger import Move
from league.ledger.result_rows import Outcome
from league.models import ResultRow, Transfer

Record = dict[str, Any]
Result = dict[str, Any]

CHRATZE, KRATZEN = "chratze", "kratzen"
GAMES = (CHRATZE, KRATZEN)
GAME = CHRATZE
"""The game if none is given."""
SEATS = {CHRATZE: (2, 7), KRATZEN: (3, 6)}
"""The least and the most players at a table (C1.1, K1.1)."""
MIN_SEATS, MAX_SEATS = 2, 7

Fault = engine.Fault
Effect = engine.Effect
Temper = sample.Temper
play_hand = sample.play_hand


@dataclass(frozen=True)
class Start:
    """The start of a hand by the chain: its number, the dealer (a seat), the deal number, the pot before the antes, the
    house rules that differ from the defaults, and the number of seats. In Kratzen the dealer is the player who has the
    pack before the first cut, and the deal number is always 1."""

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
        return known if self.game == KRATZEN else known | {"deal_number": self.deal_number}

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
    """All house rules of a game with the defaults filled in. Raises `Fault` (R4) for an unknown rule or value."""
    return dict(engine.effective_rules(game, values))


def due(start: Start) -> engine.Due:
    """The amounts due before a hand (in Kratzen before the cuts): `antes` by seat, `muss` (None where the game has no
    Muss) and `pot` with the antes, in Rappen."""
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


def after_cuts(start: Start, cuts: Sequence[Sequence[str]]) -> tuple[int, tuple[int, ...]]:
    """The dealer of a hand of Kratzen after these cuts (K3), finished or not, and the payments for them by seat, in
    Rappen. Raises `Fault` for impossible cuts."""
    dealer, payments = engine.after_cuts(
        start.rules, seats=start.seats, dealer=start.dealer, cuts=[list(cut) for cut in cuts]
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
            walkover=walkover and seat == result["declarer"],
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
    active = [result["declarer"], *result["joiners"]]
    if result["outcome"] != "played" or seat not in active:
        return None
    if result["tricks"] is None:
        return seat in record["made"]
    goal = 2 if seat == result["declarer"] and not is_siebenermuss(record, result) else 1
    return bool(result["tricks"][seat] >= goal)


def game_type_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> str | None:
    """The declarer's call in a hand of Kratzen (K5.2), or None."""
    if "deal" not in record:
        named: str | None = record.get("game_type")
        return named
    return next((call for seat, call in record.get("calls", []) if seat == result["declarer"]), None)


def is_siebenermuss(record: Record, result: Result) -> bool:
    """True if a seven decided the trump, so that one trick is enough for everybody (K4.2, K5.3)."""
    if not result["muss"]:
        return False
    if "deal" not in record:
        return bool(record.get("seven"))
    # A called Muss is one by K5.3; otherwise the turned card decides.
    allowed = house_rules(KRATZEN, record.get("rules", {}))["seven_muss"] != "off"
    return allowed and (bool(record.get("calls")) or record["deal"]["turned"][-1].startswith("7"))


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
