"""A night of Kratzen: its hands by names, its truth by the engine's rules, and the taps of its recorder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import expect

import engine
from tests.browser.evening_plan import PlannedTable

from .night_phone import NightPhone
from .night_story import Step, carry_out

FIRST = ("Anna", "Beni", "Carlo", "Doris")
RULES = {"seven_muss": "any", "pot_limit": 200}
CALLS = {"": "schlagen", "oder": "oder", "weiter-oder": "weiter-oder"}


@dataclass(frozen=True)
class NamedKratzen:
    """A hand by names: cards shown at the cuts (without the last x), seven, call, and tricks; a free hand's declarer
    is the first."""

    cuts: str
    seven: bool
    call: str
    tricks: dict[str, int]


def named_kratzen(line: str) -> NamedKratzen:
    """Parse "CUTS | WORDS | NAMES": "Ax | oder | Beni 3 Doris 1"; "|seven|…" is a Siebenermuss. Without names nobody
    plays; a single name without tricks is a walkover."""
    cuts, words, names = (part.split() for part in line.split("|"))
    tricks = dict(zip(names[::2], map(int, names[1::2]), strict=False)) if len(names) > 1 else dict.fromkeys(names, 0)
    call = next((word for word in words if word != "seven"), "")
    return NamedKratzen("".join(cuts), "seven" in words, call, tricks)


@dataclass(frozen=True)
class PlayedKratzen:
    """A hand with its record and the engine's result."""

    evening: int
    players: tuple[str, ...]
    dealer: str
    record: Mapping[str, Any]
    result: Mapping[str, Any]

    @property
    def pot_before(self) -> int:
        return int(self.record["pot_before"])

    @property
    def pot(self) -> int:
        return int(self.result["pot"])

    @property
    def declarer(self) -> int | None:
        seat: int | None = self.result["declarer"]
        return seat

    @property
    def joiners(self) -> tuple[int, ...]:
        return tuple(self.result["joiners"])

    @property
    def made(self) -> frozenset[int]:
        """The seats that reached the goal (K8.1)."""
        goal = dict.fromkeys(self.joiners, 1) | {self.declarer: 1 if self.record["seven"] else 2}
        return frozenset(seat for seat, n in enumerate(self.result["tricks"]) if n >= goal.get(seat, 5))

    def changes(self) -> list[int]:
        deltas: list[int] = self.result["deltas"]
        return deltas

    @property
    def kind(self) -> str:
        """The kinds of events of the hand, for a check that a night has each of them."""
        if self.record["seven"]:
            return "a called seven" if self.record.get("game_type") else "a Siebenermuss"
        if self.result["outcome"] != "played":
            return str(self.result["outcome"])
        return "a Muss" if self.result["muss"] else f"free: {self.record['game_type']}"


@dataclass
class KratzenNight(PlannedTable):
    """A table of Kratzen with players by name."""

    rules: dict[str, Any] = field(default_factory=lambda: dict(RULES))

    @property
    def due(self) -> engine.Due:
        """The antes of the next hand, and True if it is a Muss."""
        seats, dealer = len(self.players), self.players.index(self.dealer)
        return engine.due("kratzen", self.rules, seats=seats, dealer=dealer, pot_before=self.pot)

    @property
    def played(self) -> list[PlayedKratzen]:
        return [hand for hand in self.hands if isinstance(hand, PlayedKratzen)]

    def play(self, line: str) -> Any:
        """Play a hand given by names."""
        record = self.record(named_kratzen(line))
        result = engine.replay(record)
        assert result["ok"], (line, result)
        played = PlayedKratzen(self.evening, self.players, self.dealer, record, result)
        self.hands.append(played)  # type: ignore[arg-type]  # has what a plain hand of Chratze has
        self.pot, self.named, self.moved = result["pot_after"], False, 0
        self.dealer = self.players[result["next"]["dealer"]]
        return played

    def record(self, hand: NamedKratzen) -> dict[str, Any]:
        """The record of the next hand, as `docs/rulebook/hand-record.md` describes it."""
        seat, seats = self.players.index, len(self.players)
        cuts = [*([*pair] for pair in zip(hand.cuts[::2], hand.cuts[1::2], strict=True)), ["x"]]
        pack = seat(self.dealer)
        record: dict[str, Any] = {"game": "kratzen", "rules": self.rules, "seats": seats, "dealer": pack}
        record |= {"pot_before": self.pot, "cuts": cuts, "seven": hand.seven, "declarer": None, "joiners": []}
        everybody = bool(self.due.muss) or hand.seven
        if everybody and not hand.call:
            dealer = engine.after_cuts(self.rules, seats=seats, dealer=pack, cuts=cuts).dealer
        elif hand.tricks:
            dealer = seat(next(iter(hand.tricks)))
        else:
            return record
        active = range(seats) if everybody else sorted(map(seat, hand.tricks))
        record |= {"declarer": dealer, "joiners": [place for place in active if place != dealer]}
        if not everybody or hand.call:
            record["game_type"] = CALLS[hand.call]
        if record["joiners"]:
            record["tricks"] = {str(seat(name)): n for name, n in hand.tricks.items()}
        return record


def after(steps: Iterable[Step], players: tuple[str, ...] = FIRST, dealer: str = "") -> KratzenNight:
    """Return the table after these steps; the last player has the pack first, or `dealer`."""
    table = KratzenNight(0, players, dealer or players[-1])
    carry_out(table, steps)
    return table


class KratzenPhone(NightPhone):
    """A phone on which a night of Kratzen is recorded."""

    def truth(self, steps: Iterable[Step]) -> KratzenNight:
        return after(steps, self.first, self.dealer)

    def antes(self, truth: KratzenNight) -> tuple[int, ...]:
        return truth.due.antes

    def tap_hand(self, line: str, players: Iterable[str] = ()) -> None:
        page, hand, seat = self.page, named_kratzen(line), list(players or self.players).index
        self.cut(hand.cuts)
        everybody = page.locator("#hand").get_attribute("data-muss") is not None
        if not everybody and not hand.seven and not hand.tricks:
            page.locator("[data-pass]").tap()
            return
        if hand.call or not (everybody or hand.seven):
            self.screen.tap(seat(next(iter(hand.tricks))))
            page.locator(f'[data-call="{CALLS[hand.call]}"]').tap()
        if hand.seven:
            page.locator("[data-seven]").tap()
        if everybody or hand.seven:
            for name, tricks in hand.tricks.items():
                self.screen.tricks(*[seat(name)] * tricks)
        else:
            self.screen.tap(*map(seat, list(hand.tricks)[1:]))
            self.count({seat(name): n for name, n in hand.tricks.items()})

    def cut(self, cards: str) -> None:
        """Tap the cards that the cuts show; the last one without effect needs no tap."""
        if not cards:
            return
        self.page.locator("[data-cut-label]").tap()
        for card in cards:
            self.page.locator(f'[data-cut="{card}"]').tap()
        self.page.locator("#cuts .btn:not(.quiet)").tap()
        expect(self.page.locator("#cuts")).to_be_hidden()

    def count(self, tricks: dict[int, int]) -> None:
        """Set the tricks of each seat but the last one, whose tricks follow. What the screen proposed for a seat may be
        undecided again once another one is set: then it is set, too."""
        if len(tricks) == 1:
            return
        for seat, many in list(tricks.items())[:-1] * 2:
            row = self.page.locator(f'[data-seat="{seat}"]')
            while (shown := row.locator("[data-count]").inner_text()) != str(many):
                more = (shown == "·" and many > 0) or (shown.isdigit() and int(shown) < many)
                row.locator(f'[data-step="{"1" if more else "-1"}"]').tap()
