"""Hands to try things with: a simple player who deals, bids, exchanges and plays legal hands of either game.

Everything comes from the random generator given, so the same seed gives the same evening. The player is no
master: it counts what its cards are likely to bring, is careful where the pot is large, and errs the more the less
skill it has.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.chratze.players import FEWEST_SEATS, MOST_SEATS
from engine.kratzen.players import FEWEST_SEATS as KRATZEN_FEWEST
from engine.kratzen.players import MOST_SEATS as KRATZEN_MOST
from engine.rules import check_game, house_rules, kratzen_rules
from engine.sample import chratze, kratzen
from engine.sample.chratze import RandomMind, SimpleMind, View
from engine.sample.minds import Temper

__all__ = ["RandomMind", "SimpleMind", "Temper", "View", "play_hand", "random_hand", "random_rules", "tally_of"]

Record = dict[str, Any]

_POTS: Final = (0, 0, 20, 35, 100, 335, 1005, 12345)
_POTS_IN_COINS: Final = (0, 0, 3, 4, 9, 20, 67, 201, 2469)


def play_hand(
    rng: random.Random,
    *,
    game: str = "chratze",
    rules: Mapping[str, object],
    seats: int,
    dealer: int,
    pot_before: int,
    deal_number: int = 1,
    players: Sequence[Temper],
) -> Record:
    """A legal full record (docs/rulebook/hand-record.md), played by one temper a seat; ``pot_before`` in Rappen.

    ``rules`` are the house rules that differ from the defaults; `Fault` R4 where there is no such rule or value.
    Kratzen counts no deals: there ``deal_number`` is left out. Its ``dealer`` is who has the pack before the cuts.

    >>> record = play_hand(
    ...     random.Random(7), game="kratzen", rules={}, seats=4, dealer=0, pot_before=0, players=[Temper(0.9, 0.3)] * 4
    ... )
    >>> sorted(record)
    ['cuts', 'deal', 'dealer', 'exchanges', 'game', 'play', 'pot_before', 'seats']
    """
    check_game(game)
    if len(players) != seats:
        raise ValueError(f"{seats} seats need {seats} players, not {len(players)}")
    record = _begun(game, rules, seats, dealer, pot_before, deal_number)
    if game == "kratzen":
        minds = [kratzen.SimpleMind(rng, temper) for temper in players]
        return kratzen.Table(rng, record, kratzen_rules(rules), minds).hand()
    return chratze.Table(rng, record, house_rules(rules), [SimpleMind(rng, temper) for temper in players]).hand()


def random_hand(
    rng: random.Random,
    *,
    game: str = "chratze",
    rules: Mapping[str, object] | None = None,
    seats: int | None = None,
    dealer: int | None = None,
    pot_before: int | None = None,
    deal_number: int | None = None,
) -> Record:
    """A legal full record in which everything that is not given is picked by lot from all that is legal."""
    check_game(game)
    rules = random_rules(rng, game=game) if rules is None else rules
    if game == "kratzen":
        its_rules = kratzen_rules(rules)
        seats = rng.randint(KRATZEN_FEWEST, KRATZEN_MOST) if seats is None else seats
        dealer = rng.randrange(seats) if dealer is None else dealer
        pot_before = its_rules.coin * rng.choice(_POTS_IN_COINS) if pot_before is None else pot_before
        record = _begun(game, rules, seats, dealer, pot_before, 1)
        return kratzen.Table(rng, record, its_rules, [kratzen.RandomMind(rng)] * seats).hand()
    effective = house_rules(rules)
    seats = rng.randint(FEWEST_SEATS, MOST_SEATS) if seats is None else seats
    dealer = rng.randrange(seats) if dealer is None else dealer
    pot_before = rng.choice(_POTS) if pot_before is None else pot_before
    if deal_number is None:
        deal_number = rng.randint(1, effective.max_turns) if rng.random() < 0.3 else 1
    record = _begun(game, rules, seats, dealer, pot_before, deal_number)
    return chratze.Table(rng, record, effective, [RandomMind(rng)] * seats).hand()


def random_rules(rng: random.Random, *, game: str = "chratze") -> dict[str, object]:
    """House rules picked by lot from all that are possible; most are left at their default."""
    return kratzen.random_rules(rng) if game == "kratzen" else chratze.random_rules(rng)


def tally_of(record: Mapping[str, Any], result: Mapping[str, Any]) -> Record:
    """The tally record of a full one, from its result: what a club would have written down of the same hand."""
    kept = ("game", "rules", "seats", "dealer", "pot_before", "deal_number", "blind", "cuts")
    tally = {name: record[name] for name in kept if name in record}
    if record["game"] == "kratzen":
        tally |= kratzen.kind_of(record, result)
    tally["declarer"] = result["declarer"]
    if result["joiners"]:
        tally["joiners"] = result["joiners"]
        tally["tricks"] = {str(seat): count for seat, count in enumerate(result["tricks"]) if count}
    return tally


def _begun(
    game: str, rules: Mapping[str, object], seats: int, dealer: int, pot_before: int, deal_number: int
) -> Record:
    record: Record = {"game": game, "seats": seats, "dealer": dealer, "pot_before": pot_before}
    if rules:
        record["rules"] = dict(rules)
    if deal_number != 1 and game != "kratzen":
        record["deal_number"] = deal_number
    return record
