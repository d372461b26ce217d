"""Random tallies of all games, legal and spoiled, under house rules of every kind.

They need no cards, so that ten thousand cost less than a second. All randomness comes from the given generator.
"""

import copy
import random
from collections.abc import Callable
from typing import Any, Final

import engine
from tests.engine.hands import Record

HIGHEST: Final = 10**12
COINS: Final = (1, 2, 5, 5, 7, 10, 20, 100, 10**9)
NUMBERS: Final = (*range(-2, 10), 20, 35, 999, HIGHEST, HIGHEST + 1, 2**53, 10**18, -(10**18))
ODD_NAMES: Final = (
    *("colour", "", "constructor", "__proto__", "toString", "Deal", "Gämschi", "0", "-0", "1e0", "a.b", "tricks "),
    *("it's", 'a "b" it\'s', "new\nline\t", "back\\slash\x00", "soft\u00adhyphen", "no\u00a0break", "🃏", "\x7f\x85"),
    *("\ud800", "\U0001f0cf\udcff" + "z" * 40, "e" * 40, "e" * 41, "é" * 41, "🃏" * 40, "🃏" * 41, "x" * 9000),
    *("a b " * 11, "\u00ff\u0100" * 21, "\uffff\U00010000", "it's\n", 'an "x"\n', 'it\'s an "x"\n', "~\x1f \x80\xa0"),
)
ODD_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, -1, 0, 1, 2.5, -0.5, 1e21, 10**18, HIGHEST + 1, "", "0", "both", "double", "schlagen"),
    *([], [0], [[]], [None], ["x"], [["x"]], [0, "1"], {}, {"0": 4}, {"stake": 20}, "pot", "W", [True], [1.5]),
)
SEAT_WORDS: Final = ("00", "+1", "٣", "1.0", " 1", "-" + "9" * 11, "9" * 12, "9" * 13, "-" + "9" * 12)
OWN_FIELDS: Final = {
    "chratze": ("deal_number", "blind", "made"),
    "kratzen": ("cuts", "seven", "game_type"),
    "zwicken": ("cuts", "players", "seven_lost"),
}
OF_SOME_GAME: Final = tuple(dict.fromkeys(name for names in OWN_FIELDS.values() for name in names))
FIELDS: Final = (
    *("game", "rules", "seats", "dealer", "pot_before", "claimed", "declarer", "joiners", "tricks"),
    *OF_SOME_GAME,
)
CARDS: Final = ("A", "7", "W", "x", "As", "7d", "6d", "Kh", "Tc")


def legal_rules(rng: random.Random, game: str) -> Record:
    """Return some of a game's house rules with values that are allowed together."""
    coin = rng.choice(COINS)
    rules = _RULES[game](rng, coin)
    share = rng.choice((0, 0.3, 0.7, 1))
    kept = {name: value for name, value in rules.items() if rng.random() < share}
    base = {"chratze": ("coin", "stake", "rounding"), "kratzen": ("coin", "unit"), "zwicken": ("coin", "stake")}[game]
    if any(type(value) is int for value in kept.values()):
        kept |= {name: rules[name] for name in base}
        if game == "chratze" and rng.random() < 0.5:
            del kept["rounding"]
    return _shuffled(rng, kept)


def _chratze_rules(rng: random.Random, coin: int) -> Record:
    stake = rng.choice((5, 10, 20, 33, 50, 100, 12_345, HIGHEST))
    return {
        "stake": stake,
        "coin": coin,
        "rounding": coin * rng.choice((1, 2, 3, 4, 10)),
        "no_taker": rng.choice(("turn", "redeal")),
        "max_turns": rng.randint(1, 8),
        "ante_on_redeal": rng.random() < 0.5,
        "blind": rng.choice(("none", "blind", "both")),
        "susi": rng.choice(("off", "label", "forced")),
        "rob": rng.random() < 0.5,
        "pot_limit": rng.choice((None, stake, *(min(stake * n + 7, HIGHEST) for n in (1, 8, 12, 50)))),
    }


def _kratzen_rules(rng: random.Random, coin: int) -> Record:
    return {
        "unit": coin * rng.choice((2, 3, 5, 10)),
        "coin": coin,
        "must_beat": rng.choice(("trumps", "always")),
        "remainder": rng.choice(("pot", "declarer")),
        "seven_muss": rng.choice(("off", "deal", "any")),
        "last_word": rng.random() < 0.5,
        "open_trumps": rng.random() < 0.5,
        "pot_limit": rng.choice((None, coin * 8, coin * 50 + 7, 100 * coin, 900 * coin)),
        "split_over": rng.choice((None, coin * 8, coin * 50 + 3)),
    }


def _zwicken_rules(rng: random.Random, coin: int) -> Record:
    return {
        "stake": 3 * coin * rng.choice((1, 1, 2, 5)),
        "coin": coin,
        "seven": rng.random() < 0.7,
        "cut_moves": rng.random() < 0.7,
        "exchange": rng.random() < 0.5,
        "must_trump": rng.random() < 0.5,
        "must_beat": rng.choice(("always", "trumps", "off")),
        "bete": rng.choice(("pot", "stake")),
        "seven_lost": rng.choice(("stake", "stake", "off")),
        "nobody": rng.choice(("dealer", "stays")),
        "pot_limit": rng.choice((None, coin * 3, coin * 50 + 7, 100 * coin, 900 * coin)),
    }


_RULES: Final = {"chratze": _chratze_rules, "kratzen": _kratzen_rules, "zwicken": _zwicken_rules}


def legal_tally(rng: random.Random, game: str) -> Record:
    """Return a tally that breaks no clause; the order of its fields is random."""
    record = _TALLY[game](rng)
    if rng.random() < 0.1:
        record["claimed"] = rng.choice(([], engine.replay(record)["deltas"]))
    return _shuffled(rng, record)


def _start(rng: random.Random, game: str, most: int) -> tuple[Record, Record]:
    """Return the fields that all games share, and the effective house rules."""
    rules = legal_rules(rng, game)
    seats = rng.randint(2 if game == "chratze" else 3, most)
    record: Record = {"game": game, "seats": seats, "dealer": rng.randrange(seats)}
    if rules or rng.random() < 0.2:
        record["rules"] = rules
    return record, engine.effective_rules(game, rules)


def _chratze_tally(rng: random.Random) -> Record:
    record, rules = _start(rng, "chratze", 7)
    seats, dealer = record["seats"], record["dealer"]
    record["pot_before"] = rng.choice((0, 0, 1, 20, 35, 100, 335, 1005, 12_345, HIGHEST - 1, HIGHEST))
    if rng.random() < 0.4:
        record["deal_number"] = rng.randint(1, rules["max_turns"])
    blinds = {"none": (), "blind": ("blind",), "both": ("blind", "double")}[rules["blind"]]
    if blinds and rng.random() < 0.3:
        record["blind"] = rng.choice(blinds)
        return record | _played(rng, seats, dealer, rules["susi"] == "forced")
    if rng.random() < 0.15:
        return record | {"declarer": None}
    return record | _played(rng, seats, rng.randrange(seats), rules["susi"] == "forced")


def _played(rng: random.Random, seats: int, declarer: int, forced: bool) -> Record:
    """Return the roles of a hand and its tricks, or the seats that made the goal."""
    joiners = _joiners(rng, seats, declarer)
    if not joiners and forced:
        joiners = [(declarer - 1) % seats]
    if not joiners:
        return {"declarer": declarer} | ({"joiners": []} if rng.random() < 0.3 else {})
    tricks = _tricks(rng, [declarer, *joiners])
    made = [int(seat) for seat, count in tricks.items() if count >= (2 if int(seat) == declarer else 1)]
    if made and rng.random() < 0.4:
        return {"declarer": declarer, "joiners": joiners, "made": made}
    return {"declarer": declarer, "joiners": joiners, "tricks": tricks}


def _joiners(rng: random.Random, seats: int, declarer: int) -> list[int]:
    others = [seat for seat in range(seats) if seat != declarer]
    return rng.sample(others, rng.choice((0, 1, 1, rng.randint(0, len(others)), len(others))))


def _tricks(rng: random.Random, active: list[int], tricks: int = 4) -> dict[str, int]:
    taken = [rng.choice(active) for _ in range(tricks)]
    return {str(seat): taken.count(seat) for seat in active if seat in taken or rng.random() < 0.5}


def _kratzen_tally(rng: random.Random) -> Record:
    record, rules = _start(rng, "kratzen", 6)
    seats, coin = record["seats"], rules["coin"]
    pot = coin * rng.choice((0, 1, 3, 4, 5, 9, 20, 51, 67, 201, 902, HIGHEST // coin))
    record["pot_before"] = min(pot, HIGHEST // coin * coin)
    record["cuts"] = legal_cuts(rng)
    muss = record["pot_before"] < 4 * coin
    seven = rules["seven_muss"] != "off" and rng.random() < 0.2
    dealer = engine.after_cuts({}, seats=seats, dealer=record["dealer"], cuts=record["cuts"]).dealer
    if seven or rng.random() < 0.1:
        record["seven"] = seven
    if seven and not muss and rules["seven_muss"] == "any" and rng.random() < 0.5:
        record["game_type"] = rng.choice(("oder", "weiter-oder"))
        return record | _everybody(rng, seats, rng.randrange(seats))
    if seven or muss:
        return record | _everybody(rng, seats, dealer)
    if rng.random() < 0.15:
        return record | {"declarer": None}
    record["game_type"] = rng.choice(("schlagen", "oder", "weiter-oder"))
    declarer = rng.randrange(seats)
    joiners = _joiners(rng, seats, declarer)
    return (
        record
        | {"declarer": declarer, "joiners": joiners}
        | ({"tricks": _tricks(rng, [declarer, *joiners])} if joiners else {})
    )


def _everybody(rng: random.Random, seats: int, declarer: int) -> Record:
    joiners = [seat for seat in range(seats) if seat != declarer]
    return {"declarer": declarer, "joiners": joiners, "tricks": _tricks(rng, [declarer, *joiners])}


def _zwicken_tally(rng: random.Random) -> Record:
    record, rules = _start(rng, "zwicken", 6)
    seats = record["seats"]
    record["pot_before"] = rng.choice((0, 0, 1, 10, 30, 90, 335, 1000, 12_345, HIGHEST))
    if rules["cut_moves"] or rng.random() < 0.3:
        record["cuts"] = legal_cuts_of_one(rng) if rules["cut_moves"] else []
    players = [*range(seats)]
    if record["pot_before"] or rng.random() < 0.2:
        named = rng.sample(players, rng.choice((0, 1, *range(2, seats + 1)))) if record["pot_before"] else []
        players = named if record["pot_before"] else players
        if named or rng.random() < 0.5:
            record["players"] = named
    if len(players) < 2:
        return record
    record["tricks"] = _tricks(rng, players, 3)
    losers = [seat for seat in players if record["tricks"].get(str(seat), 0) < 3]
    if rules["seven"] and rules["seven_lost"] == "stake" and rng.random() < 0.4:
        record["seven_lost"] = rng.choice((None, *losers))
    return record


_TALLY: Final = {"chratze": _chratze_tally, "kratzen": _kratzen_tally, "zwicken": _zwicken_tally}


def legal_cuts_of_one(rng: random.Random) -> list[str]:
    """Return cuts of one card each that end with a card without effect, by cards or symbols."""
    cuts = []
    while rng.random() < 0.3:
        cuts.append(rng.choice(("A", "7", "B", "As", "7c", "7d")))
    return [*cuts, rng.choice(("x", "Kh", "Tc"))]


def legal_cuts(rng: random.Random) -> list[list[str]]:
    """Return cuts that end with a card without effect, by cards or symbols."""
    cuts = []
    while rng.random() < 0.3:
        first = rng.choice(("A", "7", "W", "As", "7d", "6d"))
        weli = ("W", "6d")
        cuts.append([first, rng.choice([c for c in CARDS if c != first and not (c in weli and first in weli)])])
    return [*cuts, [rng.choice(("x", "Kh", "Tc"))]]


def _shuffled(rng: random.Random, fields: Record) -> Record:
    names = list(fields)
    rng.shuffle(names)
    return {name: fields[name] for name in names}


# Ways to spoil a tally. Some leave it legal, and some break more than one clause.


def seats_of(record: Record) -> int:
    """Return the number of seats, or five where it is spoiled already."""
    seats = record.get("seats")
    return seats if type(seats) is int and 0 < seats < 9 else 5


def odd_value(rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice(ODD_VALUES))


def another_number(rng: random.Random, record: Record) -> None:
    record[rng.choice(("seats", "dealer", "pot_before", "declarer"))] = rng.choice(NUMBERS)


def a_seat_beside_the_table(rng: random.Random, record: Record) -> None:
    record[rng.choice(("dealer", "declarer"))] = seats_of(record) if rng.random() < 0.5 else -1


def another_declarer(rng: random.Random, record: Record) -> None:
    record["declarer"] = rng.choice((None, *range(seats_of(record))))


def other_joiners(rng: random.Random, record: Record) -> None:
    joiners = record.setdefault("joiners", [])
    joiners.insert(rng.randint(0, len(joiners)), rng.choice((*range(-1, seats_of(record) + 1), *joiners)))
    if rng.random() < 0.3:
        del joiners[rng.randrange(len(joiners))]


def nobody_joins(rng: random.Random, record: Record) -> None:
    record.pop("joiners", None)
    if rng.random() < 0.5:
        record.pop("tricks", None)
        record.pop("made", None)


def other_tricks(rng: random.Random, record: Record) -> None:
    tricks = record.setdefault("tricks", {})
    if rng.random() < 0.8:
        tricks[str(rng.randint(-1, seats_of(record)))] = rng.choice((-1, 0, 1, 2, 4))
    else:
        word = rng.choice((*tricks, *ODD_NAMES)) if rng.random() < 0.7 else rng.choice(SEAT_WORDS)
        tricks[word] = odd_value(rng) if rng.random() < 0.5 else rng.choice(NUMBERS)


def no_tricks(rng: random.Random, record: Record) -> None:
    record["tricks"] = rng.choice(({}, {"0": 0}, {"0": 4}))


def who_made_it(rng: random.Random, record: Record) -> None:
    if rng.random() < 0.8:
        record.pop("tricks", None)
    active = [record["declarer"], *record.get("joiners", [])]
    record["made"] = rng.choice(
        (active, active[1:], active[:2] * 2, list(range(seats_of(record))), [seats_of(record)], [])
    )


def another_deal(rng: random.Random, record: Record) -> None:
    record["deal_number"] = rng.choice(NUMBERS)


def a_blind_hand(rng: random.Random, record: Record) -> None:
    record["blind"] = rng.choice((None, "blind", "double", "Blind"))
    if rng.random() < 0.5:
        record["declarer"] = record["dealer"]


def a_claim(rng: random.Random, record: Record) -> None:
    claimed = engine.replay(record).get("deltas") or [0] * 4
    claimed[rng.randrange(len(claimed))] += rng.choice((0, 1, 5, -20))
    record["claimed"] = rng.choice((claimed, claimed[:-1], [*claimed, 0], [*claimed[:-1], "0"], ["1", *claimed[1:]]))


def other_rules(rng: random.Random, record: Record) -> None:
    record["rules"] = legal_rules(rng, rng.choice([*SPOILS]))


def a_bad_rule(rng: random.Random, record: Record) -> None:
    rules = record.setdefault("rules", {})
    known = [name for game in SPOILS for name in engine.RULE_DEFAULTS[game]]
    rules[rng.choice((*known, *known, *ODD_NAMES))] = odd_value(rng) if rng.random() < 0.5 else rng.choice(NUMBERS)


_RULES_WITH_COINS: Final = {
    "chratze": (("rounding", "pot_limit"), "stake"),
    "kratzen": (("unit", "pot_limit", "split_over"), "unit"),
    "zwicken": (("stake", "pot_limit"), "stake"),
}


def rules_that_do_not_fit(rng: random.Random, record: Record) -> None:
    coin = rng.choice((3, 5, 20))
    names, stake = _RULES_WITH_COINS[record["game"]]
    record["rules"] = {
        "coin": coin,
        rng.choice(names): rng.choice((1, coin, coin + 1, 2 * coin, 8 * coin - 1, 8 * coin)),
    }
    if rng.random() < 0.5:
        record["rules"][stake] = 2 * coin


def a_broken_pot(rng: random.Random, record: Record) -> None:
    if abs(record["pot_before"]) <= HIGHEST:  # the sum must be exact as a number of JavaScript
        record["pot_before"] += rng.choice((1, 5, 20, 100))


def other_cuts(rng: random.Random, record: Record) -> None:
    words = (*CARDS, "As", "6d", "W", "6h", "a", "10s", "", "A7", "7♦", "constructor")
    cuts = [rng.choices(words, k=rng.choice((0, 1, 2, 2, 2, 3))) for _ in range(rng.randint(0, 2))]
    record["cuts"] = cuts + rng.choice(([["Ts"]], [["x"]], [["x", "x"]], [["A"]], [[]], []))


def more_cuts(rng: random.Random, record: Record) -> None:
    record["cuts"] = [cards for _ in range(rng.randint(2, 6)) for cards in legal_cuts(rng)[:-1]] + [["x"]]


def another_kind(rng: random.Random, record: Record) -> None:
    record["game_type"] = rng.choice((None, "schlagen", "oder", "weiter-oder", "weiter"))
    record["seven"] = rng.choice((True, False, True, False, 1))


def other_single_cuts(rng: random.Random, record: Record) -> None:
    words = ("A", "7", "B", "x", "As", "7d", "W", "6d", "Kh", "a", "10s", "", "7♦", "constructor")
    record["cuts"] = rng.choices(words, k=rng.choice((0, 0, 1, 2, 3))) + rng.choice((["Ts"], ["x"], ["A"], []))


def more_single_cuts(rng: random.Random, record: Record) -> None:
    record["cuts"] = [*rng.choices(("A", "7", "B", "7d"), k=rng.randint(3, 12)), "x"]


def other_players(rng: random.Random, record: Record) -> None:
    players = record.setdefault("players", [])
    players.insert(rng.randint(0, len(players)), rng.choice((*range(-1, seats_of(record) + 1), *players)))
    if rng.random() < 0.3:
        del players[rng.randrange(len(players))]


def another_seven(rng: random.Random, record: Record) -> None:
    record["seven_lost"] = rng.choice((None, -1, *range(seats_of(record) + 1)))


def another_pot(rng: random.Random, record: Record) -> None:
    record["pot_before"] = rng.choice((0, 0, 30))


def a_field_less(rng: random.Random, record: Record) -> None:
    del record[rng.choice(list(record))]


def another_value(rng: random.Random, record: Record) -> None:
    record[rng.choice(FIELDS)] = odd_value(rng)


def a_field_more(rng: random.Random, record: Record) -> None:
    record[rng.choice((*ODD_NAMES, *OF_SOME_GAME))] = odd_value(rng)


def an_item_of_another_type(rng: random.Random, record: Record) -> None:
    value = record.get(rng.choice(("joiners", "made", "claimed", "cuts", "players")))
    if value and type(value) is list:
        inner = rng.choice([value, *(item for item in value if type(item) is list)])
        inner.insert(rng.randint(0, len(inner)), odd_value(rng))


Spoil = Callable[[random.Random, Record], None]
_OF_ALL: Final[tuple[Spoil, ...]] = (
    *(another_number, a_seat_beside_the_table, another_declarer, other_joiners, nobody_joins, other_tricks, no_tricks),
    *(a_claim, other_rules, a_bad_rule, rules_that_do_not_fit, a_field_less, another_value, a_field_more),
    an_item_of_another_type,
)
SPOILS: Final[dict[str, tuple[Spoil, ...]]] = {
    "chratze": (*_OF_ALL, who_made_it, another_deal, a_blind_hand),
    "kratzen": (*_OF_ALL, a_broken_pot, other_cuts, more_cuts, another_kind),
    "zwicken": (*_OF_ALL, other_single_cuts, more_single_cuts, other_players, another_seven, another_pot),
}


def spoiled_tally(rng: random.Random, game: str) -> Record:
    """Return a tally that was legal and is spoiled in one way, sometimes in two."""
    record = legal_tally(rng, game)
    for spoil in rng.sample(SPOILS[game], rng.choice((1, 1, 1, 2))):
        try:
            spoil(rng, record)
        except (LookupError, TypeError, AttributeError):  # the first way left nothing for the second one to spoil
            continue
    return record
