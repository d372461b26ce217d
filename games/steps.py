"""A hand card by card as pages tell it: the engine's steps with names, cards and words. The second door to the engine,
beside `games.recording`, for hands that are not finished yet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from engine import rewind, steps
from engine.errors import Fault
from engine.replay import parsed
from league.models import Club

from . import messages
from .recording import KRATZEN, Record

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

RANKS, SUITS = "AKQJT9876", "shdc"
WELI = "Weli"
WELI_IN_RECORDS = "6d"
TOLD = ("cuts", "deal", "blind", "calls", "new_trump", "last_word", "answers", "exchanges", "rob", "play")
"""The fields of a full record that the chain does not decide."""

_FRENCH_SUITS = {
    "s": pgettext_lazy("card", "spades"),
    "h": pgettext_lazy("card", "hearts"),
    "d": pgettext_lazy("card", "diamonds"),
    "c": pgettext_lazy("card", "clubs"),
}
_FRENCH_RANKS = {
    "A": pgettext_lazy("card", "ace"),
    "K": pgettext_lazy("card", "king"),
    "Q": pgettext_lazy("card", "queen"),
    "J": pgettext_lazy("card", "jack"),
}
# The games' own words, the same in every language.
_SWISS = dict(zip(SUITS, ("Schilten", "Rosen", "Schellen", "Eicheln"), strict=True))
_GERMAN = dict(zip(SUITS, ("Laub", "Herz", "Schellen", "Eichel"), strict=True))
_SWISS_RANKS = {"A": "Ass", "K": "König", "Q": "Ober", "J": "Under", "T": "Banner"}
_GERMAN_RANKS = {"A": "Ass", "K": "König", "Q": "Ober", "J": "Unter"}

_NAMES: dict[str, tuple[Mapping[str, str | _StrPromise], Mapping[str, str | _StrPromise]]] = {
    Club.Faces.FRENCH: (_FRENCH_SUITS, _FRENCH_RANKS),
    Club.Faces.SWISS: (_SWISS, _SWISS_RANKS),
    Club.Faces.GERMAN: (_GERMAN, _GERMAN_RANKS),
}


def suit_name(card: str, faces: str) -> str:
    """The card's suit in words: `hearts`, `Rosen`, `Herz`."""
    return str(_NAMES[faces][0].get(card[-1:], card))


def card_name(card: str, faces: str) -> str:
    """The card in words: `king of hearts`, `Rosen König`, `Laub 9`."""
    if card == WELI:
        return WELI
    rank = _NAMES[faces][1].get(card[:1], {"T": "10"}.get(card[:1], card[:1]))
    if faces == Club.Faces.FRENCH:
        return pgettext("card", "%(rank)s of %(suit)s") % {"rank": rank, "suit": suit_name(card, faces)}
    return f"{suit_name(card, faces)} {rank}"


@dataclass(frozen=True)
class SeatScene:
    """A seat as it lies before us: its cards, its part in the hand, its tricks; `acts` in this step."""

    seat: int
    name: str
    cards: tuple[str, ...]
    role: str
    taken: int
    acts: bool
    deals: bool

    @property
    def declares(self) -> bool:
        """Whether the seat called, and has not answered somebody else since."""
        return self.role in ("chratze", "schlagen", "oder", "weiter-oder")

    @property
    def out(self) -> bool:
        """Whether the seat said that it does not play."""
        return self.role in ("weg", "weiter", "ohne")


@dataclass(frozen=True)
class Table:
    """What lies on the table after a step, and what has just happened, in words; `muss` where nobody chose to play."""

    said: str
    seats: list[SeatScene]
    turned: tuple[str, ...]
    stock: int | None
    trick: list[tuple[str, str, bool]]
    muss: bool = False


def walk(record: Record) -> steps.Course:
    """Everything that happened in a full record so far, and what is asked next. Raises `Fault`."""
    return steps.walk(record)


def empty(start: Record, blind: str | None) -> Record:
    """A record in which nothing has happened, from the fields that the chain decides."""
    return steps.begin({**start, "blind": blind} if blind else start)


def answered(record: Record, ask: steps.Ask, answer: Sequence[str]) -> Record:
    """The record with the answer in it, and with the cards that are all that is left after it. Raises `Fault`."""
    record = steps.add(record, ask, answer)
    while (ask_more := steps.walk(record).ask) is not None and (cards := steps.left_over(ask_more)):
        record = steps.add(record, ask_more, cards)
    return record


def taken_back(record: Record) -> Record:
    """The record without the last answer that was a choice."""
    scenes = steps.walk(record).scenes
    while scenes:
        record = rewind.cut(record, rewind.last_answer(record, scenes[-1].step.at)) or record
        course = steps.walk(record)
        scenes = course.scenes if steps.left_over(course.ask) else ()
    return record


def sound(record: Record) -> Record | None:
    """As much of a record as breaks no clause; None where that is nothing."""
    return rewind.sound(record)


def read(text: str) -> Record:
    """A JSON object that somebody sent. Raises `Fault` (R1) where it is none."""
    found = parsed(text)
    if not isinstance(found, dict):
        raise Fault("R1", "", "A record is a JSON object.")
    return found


def told_part(record: Mapping[str, Any]) -> str:
    """What the chain does not know of a record, as JSON for a form."""
    return json.dumps({name: record[name] for name in TOLD if name in record}, separators=(",", ":"))


def sent_part(text: str) -> Record:
    """What a form sent back of it; nothing where that is no record."""
    try:
        sent = read(text)
    except Fault:
        return {}
    return {name: sent[name] for name in TOLD if name in sent}


def table(course: steps.Course, number: int, names: Sequence[str], faces: str) -> Table:
    """The table after step `number` (from 1; 0: before the deal)."""
    scenes = course.scenes[:number]
    # A cut may pass the pack on.
    dealer = ([course.dealer] + [s.step.seat for s in scenes if s.step.kind == "cut" and s.step.seat is not None])[-1]
    if not scenes:
        seats = [SeatScene(seat, name, (), "", 0, False, seat == dealer) for seat, name in enumerate(names)]
        return Table(_("%(name)s deals.") % {"name": names[dealer]}, seats, (), None, [])
    scene = scenes[-1]
    roles = _roles(scenes, dealer)
    return Table(
        said=said(scene, names, faces),
        seats=[
            SeatScene(
                seat,
                name,
                scene.hands[seat],
                roles.get(seat, ""),
                scene.taken[seat],
                seat == scene.step.seat,
                seat == dealer,
            )
            for seat, name in enumerate(names)
        ],
        turned=scene.turned,
        stock=scene.stock,
        trick=[(names[seat], card, seat == scene.winner) for seat, card in scene.trick],
        muss=is_muss(course) and all(later.step.kind in ("exchange", "card") for later in course.scenes[number:]),
    )


def is_muss(course: steps.Course) -> bool:
    """Whether everybody plays without having been asked: a Muss or Siebenermuss of Kratzen, once that is known."""
    asked = any(scene.step.kind == "answer" or scene.step.word == "metcho" for scene in course.scenes)
    return len(course.active) > 1 and not asked


def _roles(scenes: Sequence[steps.Scene], dealer: int) -> dict[int, str]:
    """What each seat said last; a dealer who plays blind is declarer without a word."""
    roles = {scene.step.seat: scene.step.word for scene in scenes if scene.step.kind in ("call", "answer")}
    if "chratze" not in roles.values() and "metcho" in roles.values():
        roles[dealer] = "chratze"
    return {seat: word for seat, word in roles.items() if seat is not None}


def said(scene: steps.Scene, names: Sequence[str], faces: str) -> str:
    """The step in one sentence."""
    step = scene.step
    name = names[step.seat] if step.seat is not None else ""
    if step.kind == "deal":
        return _("%(name)s is dealt %(n)d cards.") % {"name": name, "n": len(step.cards)}
    if step.kind == "cut":
        words = {"name": name, "cards": ", ".join(card_name(card, faces) for card in step.cards)}
        return _("The cut shows %(cards)s; %(name)s has the pack.") % words
    if step.kind == "last word":
        return _("%(name)s claims the last word.") % {"name": name}
    if step.kind in ("turn", "trump"):
        if step.cards[0] == WELI:
            return _("The Weli is turned.")
        words = {"card": card_name(step.cards[0], faces), "suit": suit_name(step.cards[0], faces)}
        return _("%(card)s is turned; trumps are %(suit)s.") % words
    if step.kind in ("call", "answer"):
        return _("%(name)s says %(word)s.") % {"name": name, "word": step.word}
    if step.kind == "rob":
        words = {"name": name, "card": card_name(step.cards[0], faces), "six": card_name(step.away[0], faces)}
        return _("%(name)s takes %(card)s for %(six)s.") % words
    if step.kind == "exchange":
        opened = {"name": name, "cards": ", ".join(card_name(card, faces) for card in step.shown)}
        open_too = " " + _("%(name)s lays open: %(cards)s.") % opened if step.shown else ""
        return _exchanged(step, name) + open_too
    words = {"name": name, "card": card_name(step.cards[0], faces)}
    if scene.winner is not None:
        return _("%(name)s plays %(card)s; %(winner)s takes the trick.") % (words | {"winner": names[scene.winner]})
    return _("%(name)s plays %(card)s.") % words


def _exchanged(step: steps.Step, name: str) -> str:
    dropped = len(step.drop)
    if not step.away and not dropped:
        return _("%(name)s exchanges nothing.") % {"name": name}
    if not step.away:
        said = ngettext("%(name)s drops %(n)d card.", "%(name)s drops %(n)d cards.", dropped)
        return said % {"name": name, "n": dropped}
    words: dict[str, Any] = {"name": name, "n": len(step.away)}
    away = ngettext("%(name)s puts %(n)d card away", "%(name)s puts %(n)d cards away", words["n"]) % words
    if not step.cards:
        # The cards for them are still to come.
        return f"{away}."
    words = {"away": away, "drawn": len(step.cards), "dropped": dropped}
    if dropped:
        return _("%(away)s, draws %(drawn)d and drops %(dropped)d.") % words
    return _("%(away)s and draws %(drawn)d.") % words


def wanted(ask: steps.Ask, names: Sequence[str]) -> str:
    """What is asked, in one sentence."""
    words = {"name": names[ask.seat] if ask.seat is not None else "", "n": ask.wanted}
    if ask.kind == "deal":
        cards = ngettext("Which card was %(name)s dealt?", "Which %(n)d cards was %(name)s dealt?", ask.wanted)
        return cards % words
    if ask.kind == "draw":
        return ngettext("Which card does %(name)s draw?", "Which %(n)d cards does %(name)s draw?", ask.wanted) % words
    if ask.kind == "open":
        cards = ngettext(
            "Which card does %(name)s get face up?", "Which %(n)d cards does %(name)s get face up?", ask.wanted
        )
        return cards % words
    if ask.kind == "hidden":
        cards = ngettext(
            "Which card does %(name)s get face down?", "Which %(n)d cards does %(name)s get face down?", ask.wanted
        )
        return cards % words
    if ask.kind == "drop":
        return ngettext("Which card does %(name)s drop?", "Which %(n)d cards does %(name)s drop?", ask.wanted) % words
    asked = {
        "cut": _("%(name)s cuts. Which card lies at the bottom of the packet?"),
        "turn": _("Which card is turned?"),
        "trump": _("%(name)s turns cards for another trump. Which one comes?"),
        "call": _("What does %(name)s say?"),
        "answer": _("What does %(name)s answer?"),
        "exchange": _("What does %(name)s put away?"),
        "show": _("Which trumps does %(name)s lay open?"),
        "card": _("What does %(name)s play?"),
    }
    if ask.kind == "cut" and ask.refused:
        return _("Which card lies at the bottom of the pack?")
    return asked[ask.kind] % words


@dataclass(frozen=True)
class Choice:
    """A card or word to tap; `picture` is the card as it is called, `why` says why not, with the clause."""

    value: str
    picture: str
    why: str = ""
    clause: str = ""


_WHOLE_PACK = ("cut", "deal", "turn", "trump", "draw", "open", "hidden")


def choices(ask: steps.Ask, game: str) -> list[list[Choice]]:
    """What can be tapped, row by row: the pack by suits, a hand, or the words."""
    known = [*ask.choices, *ask.refused]
    if ask.kind in _WHOLE_PACK:
        return [[_choice(ask, rank + suit, game) for rank in RANKS if rank + suit in known] for suit in SUITS]
    if ask.kind == "call" and game != KRATZEN:
        known = ["metcho" if "metcho" in ask.choices else "chratze", "weg"]
    if ask.kind not in ("call", "answer"):
        known.sort(key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))
    return [[_choice(ask, value, game) for value in known]]


def _choice(ask: steps.Ask, value: str, game: str) -> Choice:
    fault = ask.refused.get(value)
    picture = WELI if game == KRATZEN and value == WELI_IN_RECORDS else value
    return Choice(value, picture, messages.sentence(fault.clause), fault.clause) if fault else Choice(value, picture)


_PLACE = re.compile(
    r"(cuts|deal\.hands|deal\.turned|calls|new_trump|answers|exchanges|play)\[(\d+)\](?:[.a-z]*\[(\d+)\])?"
)


def place_in_words(at: str, names: Sequence[str]) -> str:
    """Where in a hand a place of its record is: `trick 2, card 3`; empty where the place says it best."""
    found = _PLACE.match(at)
    if found is None:
        return ""
    part, first, card = found[1], int(found[2]), int(found[3] or 0) + 1
    words = {"n": first + 1, "card": card, "name": names[first] if first < len(names) else ""}
    said = {
        "cuts": _("cut %(n)d, card %(card)d"),
        "deal.hands": _("the cards of %(name)s"),
        "deal.turned": _("turned card %(n)d"),
        "calls": _("call %(n)d"),
        "new_trump": _("card %(n)d turned for another trump"),
        "answers": _("answer %(n)d"),
        "exchanges": _("exchange %(n)d"),
        "play": _("trick %(n)d, card %(card)d"),
    }
    return said[part] % words


def shown_record(record: Mapping[str, Any], at: str) -> list[tuple[str, bool]]:
    """A record as text, a field a line, in pieces: the place `at` (or what stands nearest around it) is marked."""
    places = [at]
    while places[-1]:
        places.append(places[-1][: max(places[-1].rfind("."), places[-1].rfind("["), 0)])
    known = {place for place, _value in _places(record, "")}
    target = next((place for place in places if place and place in known), None)
    pieces: list[tuple[str, bool]] = [("{\n", False)]
    for number, (name, value) in enumerate(record.items()):
        pieces.append((f"  {json.dumps(name)}: ", False))
        pieces.extend(_pieces(value, name, target))
        pieces.append((",\n" if number + 1 < len(record) else "\n", False))
    return [*pieces, ("}", False)]


def _places(value: Any, place: str) -> list[tuple[str, Any]]:
    inner: list[tuple[str, Any]] = []
    if isinstance(value, dict):
        inner = [(f"{place}.{name}".removeprefix("."), item) for name, item in value.items()]
    elif isinstance(value, list):
        inner = [(f"{place}[{number}]", item) for number, item in enumerate(value)]
    return [(place, value), *(found for where, item in inner for found in _places(item, where))]


def _pieces(value: Any, place: str, target: str | None) -> list[tuple[str, bool]]:
    if target is None or not target.startswith(place) or target == place:
        return [(json.dumps(value, ensure_ascii=False), target == place)]
    if isinstance(value, dict):
        items = [(f"{json.dumps(name)}: ", f"{place}.{name}", item) for name, item in value.items()]
    elif isinstance(value, list):
        items = [("", f"{place}[{number}]", item) for number, item in enumerate(value)]
    else:
        return [(json.dumps(value, ensure_ascii=False), False)]
    pieces = [("{" if isinstance(value, dict) else "[", False)]
    for number, (head, where, item) in enumerate(items):
        pieces.append(((", " if number else "") + head, False))
        pieces.extend(_pieces(item, where, target))
    return [*pieces, ("}" if isinstance(value, dict) else "]", False)]
