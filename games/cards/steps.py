"""The steps of a hand card by card, for pages: the engine's steps with names and sentences.

Beside `games.engine_bridge` this is the only module that imports the engine: it works on hands that are not finished
yet.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine import rewind, steps
from engine.errors import Fault
from engine.replay import parsed
from engine.steps.decisions import decisions

from ..engine_bridge import Record
from ..game.card_words import CardWords
from ..hands import clause_sentences
from ..offered import GAMES, game_of
from .card_names import WELI, card_name, suit_name

RANKS, SUITS = "AKQJT9876", "shdc"
IN_RECORDS = {picture: name for game in GAMES.values() for name, picture in game.records.cards.pictures.items()}
"""The names that cards have in records, by the name of their picture, where the two differ."""
CARD_FIELDS = ("cuts", "deal", "blind", "calls", "new_trump", "last_word", "answers", "exchanges", "rob", "play")
"""The fields of a full record that the chain does not decide."""


@dataclass(frozen=True)
class SeatScene:
    """A seat after a step: its cards, its role, its tricks; `acts` is True for the seat of the step. `declares`: it
    called, and has not answered another call since. `out`: it declined to play."""

    seat: int
    name: str
    cards: tuple[str, ...]
    role: str
    taken: int
    acts: bool
    deals: bool
    declares: bool = False
    out: bool = False


@dataclass(frozen=True)
class Board:
    """The cards on the table after a step, and the step as a sentence; `forced` is the game's word for a
    hand that everybody has to play."""

    sentence: str
    seats: list[SeatScene]
    turned: tuple[str, ...]
    stock: int | None
    trick: list[tuple[str, str, bool]]
    forced: str = ""


def walk(record: Record) -> steps.Progress:
    """The steps of a full record so far, and the next question. Raises `Fault`."""
    return steps.walk(record)


def empty_record(start: Record, blind: str | None) -> Record:
    """A record without any step, from the fields that the chain decides."""
    return steps.begin({**start, "blind": blind} if blind else start)


def add_answer(record: Record, question: steps.Question, answer: Sequence[str]) -> Record:
    """Add the answer to the record, then every following answer that leaves no choice. Raises `Fault`."""
    record = steps.add(record, question, answer)
    while (following := steps.walk(record).question) is not None and (cards := steps.only_answer(following)):
        record = steps.add(record, following, cards)
    return record


def undo_answer(record: Record) -> Record:
    """Remove the last answer that was a choice."""
    scenes = steps.walk(record).scenes
    while scenes:
        record = rewind.truncate(record, rewind.place_of_last_answer(record, scenes[-1].step.at)) or record
        course = steps.walk(record)
        scenes = course.scenes if steps.only_answer(course.question) else ()
    return record


def valid_part(record: Record) -> Record | None:
    """The first part of a record that breaks no clause; None where there is none."""
    return rewind.valid_part(record)


def parse_record(text: str) -> Record:
    """Parse a record that was sent as JSON. Raises `Fault` (R1) where it is no JSON object."""
    record = parsed(text)
    if not isinstance(record, dict):
        raise Fault("R1", "", "A record is a JSON object.")
    return record


def card_fields_json(record: Mapping[str, Any]) -> str:
    """The fields of a record that the chain does not decide, as JSON for a form."""
    return json.dumps({name: record[name] for name in CARD_FIELDS if name in record}, separators=(",", ":"))


def card_fields_of(text: str) -> Record:
    """Read these fields back from a form; empty where the text is no record."""
    try:
        sent = parse_record(text)
    except Fault:
        return {}
    return {name: sent[name] for name in CARD_FIELDS if name in sent}


def board(course: steps.Progress, game: str, number: int, names: Sequence[str], faces: str) -> Board:
    """The cards on the table after step `number` (from 1; 0: before the deal)."""
    scenes = course.scenes[:number]
    # A cut can pass the pack on to another dealer.
    dealer = ([course.dealer] + [s.step.seat for s in scenes if s.step.kind == "cut" and s.step.seat is not None])[-1]
    if not scenes:
        seats = [SeatScene(seat, name, (), "", 0, False, seat == dealer) for seat, name in enumerate(names)]
        return Board(_("%(name)s deals.") % {"name": names[dealer]}, seats, (), None, [])
    scene = scenes[-1]
    records = game_of(game).records
    words, roles = records.cards, _roles(scenes, dealer, records.cards)
    forced = is_muss(course) and all(later.step.kind in ("exchange", "card") for later in course.scenes[number:])
    return Board(
        sentence=step_sentence(scene, names, faces),
        seats=[
            SeatScene(
                seat,
                name,
                scene.hands[seat],
                roles.get(seat, ""),
                scene.taken[seat],
                seat == scene.step.seat,
                seat == dealer,
                roles.get(seat) in words.declaring,
                roles.get(seat) in words.declining,
            )
            for seat, name in enumerate(names)
        ],
        turned=scene.turned,
        stock=scene.stock,
        trick=[(names[seat], card, seat == scene.winner) for seat, card in scene.trick],
        forced=str(records.words.forced) if forced else "",
    )


def cards_played(course: steps.Progress) -> Sequence[list[tuple[str, bool]]]:
    """Return the cards of each seat in the order of the tricks, each True if it took its trick; then those that the
    seat still holds at the end."""
    held = course.scenes[-1].hands if course.scenes else ()
    played: list[list[tuple[str, bool]]] = [[] for _hand in held]
    for scene in course.scenes:
        if scene.winner is not None:
            for seat, card in scene.trick:
                played[seat].append((card, seat == scene.winner))
    for cards, left in zip(played, held, strict=True):
        cards += [(card, False) for card in left]
    return played


def dealt(course: steps.Progress) -> int:
    """The number of the step after which all cards are dealt and the first trump is turned."""
    kinds = [scene.step.kind for scene in course.scenes]
    return next((number for number, kind in enumerate(kinds) if kind not in ("cut", "deal", "turn")), len(kinds))


@dataclass(frozen=True)
class Decided:
    """What the play decided, had all seen all cards: a sentence about the hand, and one by the number of each step
    whose card decided; `last` is the number of the last of these steps, None where no card did."""

    sentence: str
    at: dict[int, str]

    @property
    def last(self) -> int | None:
        return max(self.at, default=None)


def decided(course: steps.Progress, names: Sequence[str], faces: str) -> Decided | None:
    """Return what the play of a finished hand decided; None where no trick was played."""
    analysis = decisions(course)
    if analysis is None:
        return None
    declarer = names[course.active[0]]
    sentences = {}
    for each in analysis.decisions:
        words = {"name": names[each.seat], "declarer": declarer, "cards": _one_of(each.instead, faces)}
        sentences[each.step] = (
            _("Here %(declarer)s could still be stopped: %(name)s had to play %(cards)s.") % words
            if each.for_declarer
            else _("Here %(name)s gave it away: with %(cards)s it would have worked out.") % words
        )
    if sentences:
        sentence = ngettext("One card decided this hand.", "%(n)d cards turned this hand.", len(sentences)) % {
            "n": len(sentences)
        }
    elif analysis.could:
        sentence = _("Even with all cards open nobody could have stopped %(name)s.") % {"name": declarer}
    else:
        sentence = _("Even with all cards open it would not have worked out for %(name)s.") % {"name": declarer}
    return Decided(sentence, sentences)


@dataclass(frozen=True)
class HandsOfPlay:
    """The hands of those who play, the declarer's first, as records name the cards: before the exchange, and as they
    went into play."""

    seats: tuple[int, ...]
    trump: str
    before: tuple[tuple[str, ...], ...]
    played: tuple[tuple[str, ...], ...]


def hands_of_play(course: steps.Progress) -> HandsOfPlay | None:
    """Return the hands of a finished hand; None where no trick was played, and in a Muss."""
    if course.question is not None or course.rules is None or is_muss(course):
        return None
    kinds = [scene.step.kind for scene in course.scenes]
    exchange = next(number for number, kind in enumerate(kinds) if kind in ("exchange", "rob", "card"))
    play = kinds.index("card")
    before, played = (
        tuple(tuple(IN_RECORDS.get(card, card) for card in scene.hands[seat]) for seat in course.active)
        for scene in (course.scenes[exchange - 1], course.scenes[play - 1])
    )
    trump = next(suit for suit in SUITS if course.rules.deck.bit["A" + suit] & course.rules.trump)
    return HandsOfPlay(course.active, trump, before, played)


def _one_of(cards: Sequence[str], faces: str) -> str:
    """Return some cards as alternatives: `A, B or C`."""
    *others, last = (card_name(card, faces) for card in cards)
    words = {"cards": ", ".join(others), "last": last}
    return pgettext("card", "%(cards)s or %(last)s") % words if others else last


def is_muss(course: steps.Progress) -> bool:
    """Return True in a hand that everybody has to play, once that is known: nobody is asked."""
    asked = any(scene.step.kind == "answer" or scene.step.word == "metcho" for scene in course.scenes)
    return len(course.active) > 1 and not asked


def _roles(scenes: Sequence[steps.Scene], dealer: int, words: CardWords) -> dict[int, str]:
    """The last call or answer of each seat; a dealer who plays blind is declarer without a call."""
    roles = {scene.step.seat: scene.step.word for scene in scenes if scene.step.kind in ("call", "answer")}
    said = set(roles.values())
    for answer, call in words.unspoken.items():
        if answer in said and call not in said:
            roles[dealer] = call
    return {seat: word for seat, word in roles.items() if seat is not None}


def step_sentence(scene: steps.Scene, names: Sequence[str], faces: str) -> str:
    """The step as one sentence."""
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
        return capfirst(_("%(card)s is turned; trumps are %(suit)s.") % words)
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
        # The drawn cards come in a later step.
        return f"{away}."
    words = {"away": away, "drawn": len(step.cards), "dropped": dropped}
    if dropped:
        return _("%(away)s, draws %(drawn)d and drops %(dropped)d.") % words
    return _("%(away)s and draws %(drawn)d.") % words


def question_sentence(question: steps.Question, names: Sequence[str]) -> str:
    """The question as one sentence."""
    count = question.wanted
    values = {"name": names[question.seat] if question.seat is not None else "", "n": count}
    counted = {
        "deal": ngettext("Which card was %(name)s dealt?", "Which %(n)d cards was %(name)s dealt?", count),
        "draw": ngettext("Which card does %(name)s draw?", "Which %(n)d cards does %(name)s draw?", count),
        "open": ngettext(
            "Which card does %(name)s get face up?", "Which %(n)d cards does %(name)s get face up?", count
        ),
        "hidden": ngettext(
            "Which card does %(name)s get face down?", "Which %(n)d cards does %(name)s get face down?", count
        ),
        "drop": ngettext("Which card does %(name)s drop?", "Which %(n)d cards does %(name)s drop?", count),
    }
    others = {
        "cut": _("%(name)s cuts. Which card lies at the bottom of the packet?"),
        "turn": _("Which card is turned?"),
        "trump": _("%(name)s turns cards for another trump. Which one comes?"),
        "call": _("What does %(name)s say?"),
        "answer": _("What does %(name)s answer?"),
        "exchange": _("What does %(name)s put away?"),
        "show": _("Which trumps does %(name)s lay open?"),
        "card": _("What does %(name)s play?"),
    }
    if question.kind == "cut" and question.refused:
        return _("Which card lies at the bottom of the pack?")
    return (counted | others)[question.kind] % values


@dataclass(frozen=True)
class Choice:
    """A card or call to tap; `picture` is the card to show, `why` the reason of a refusal, with its clause. `declines`:
    the word of a player who stays out."""

    value: str
    picture: str
    why: str = ""
    clause: str = ""
    declines: bool = False


_WHOLE_PACK = ("cut", "deal", "turn", "trump", "draw", "open", "hidden")


def choices(question: steps.Question, game: str) -> list[list[Choice]]:
    """The choices in rows: the pack by suits, a hand, or the calls."""
    known = [*question.choices, *question.refused]
    if question.kind in _WHOLE_PACK:
        return [[_choice(question, rank + suit, game) for rank in RANKS if rank + suit in known] for suit in SUITS]
    if question.kind == "call":
        known = [*game_of(game).records.cards.offered(question.choices, known)]
    if question.kind not in ("call", "answer"):
        known.sort(key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0])))
    return [[_choice(question, value, game) for value in known]]


def _choice(question: steps.Question, value: str, game: str) -> Choice:
    fault = question.refused.get(value)
    words = game_of(game).records.cards
    picture, declines = words.pictures.get(value, value), value in words.declining
    return (
        Choice(value, picture, clause_sentences.sentence(fault.clause), fault.clause, declines)
        if fault
        else Choice(value, picture, declines=declines)
    )
