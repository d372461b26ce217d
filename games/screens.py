"""What the recording pages show, put together from the table, the entry so far and what the engine says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import HouseRules
from league.templatetags.league_tags import format_price

from . import recording
from .forms import HandForm, Problem, SeatEntry
from .kratzen_form import SCHLAGEN, KratzenForm, dealer_shown, shown_of
from .messages import cuts_in_words
from .preview import Preview
from .recording import Record
from .selectors import HandView, TableView

LONG_NAME = 13


@dataclass(frozen=True)
class Row:
    """A seat on the table screen: who, what is entered, and the balance of the night in Rappen."""

    seat: int
    nickname: str
    balance_minor: int
    deals: bool
    entry: SeatEntry
    marked: bool

    @property
    def long(self) -> bool:
        """Whether the name needs two lines beside its marks."""
        return len(self.nickname) > LONG_NAME


def rows(view: TableView, entries: Sequence[SeatEntry], marked: Sequence[int] = ()) -> list[Row]:
    """The seats in the order of play; `marked` are those that a refusal concerns."""
    return [
        Row(
            seat=seat.seat,
            nickname=seat.nickname,
            balance_minor=seat.balance_minor,
            deals=seat.deals,
            entry=entries[seat.seat] if seat.seat < len(entries) else SeatEntry(),
            marked=seat.seat in marked,
        )
        for seat in view.seats
    ]


def entries_of(hand: HandView) -> list[SeatEntry]:
    """A stored hand as the form would have it, to enter it again with a change."""
    active = [hand.declarer, *hand.joiners]
    return [
        SeatEntry(
            role="declarer" if seat == hand.declarer else "joiner" if seat in active else "out",
            made=seat not in hand.failed,
            tricks=hand.tricks[seat] if hand.tricks and hand.outcome == "played" and seat in active else None,
        )
        for seat in range(len(hand.names))
    ]


@dataclass(frozen=True)
class Kratzen:
    """What the entry of a hand of Kratzen has beside the seats: the cards shown at the cuts (a letter each, and in
    words), who deals after them, what was called, and whether a seven made a Siebenermuss."""

    shown: str
    said: str
    dealer: int
    call: str
    seven: bool
    sevens: str


def kratzen_of(view: TableView, entry: HandForm | HandView | None) -> Kratzen | None:
    """The same for a table, with the entry that it shows; None for another game."""
    if view.game != recording.KRATZEN:
        return None
    shown, call, seven = "", SCHLAGEN, False
    if isinstance(entry, KratzenForm):
        shown, call, seven = entry.shown(), entry.call(), entry.seven_said
    elif isinstance(entry, HandView):
        shown, call, seven = shown_of(entry.record["cuts"]), entry.game_type or SCHLAGEN, entry.siebenermuss
    return Kratzen(
        shown=shown,
        said=cuts_in_words(shown),
        dealer=dealer_shown(view.start, shown),
        call=call,
        seven=seven,
        sevens=str(view.rules["seven_muss"]),
    )


def all_play(view: TableView) -> list[SeatEntry]:
    """The seats of a Muss before anything is entered: nobody is asked."""
    return [SeatEntry(role="declarer" if seat.deals else "joiner") for seat in view.seats]


def concerned(at: str, form: HandForm) -> list[int]:
    """The seats whose rows a refusal marks: those in the place of the record that it names."""
    active = form.active()
    declarers = [seat for seat in active if form.entries()[seat].role == "declarer"]
    if at.startswith(("made", "tricks")):
        return active
    if at.startswith("joiners") and len(declarers) == 1 and len(active) == 1 and not isinstance(form, KratzenForm):
        # Susi: the last one asked, who sits before the declarer.
        return [(declarers[0] - 1) % form.seats]
    if at.startswith("joiners"):
        return [seat for seat in active if seat not in declarers]
    if at.startswith(("declarer", "blind", "game_type", "seven")):
        return declarers
    return []


def why_not(preview: Preview, record: Record) -> Problem:
    """A refused preview in words. What the page can say more exactly than the clause, it does."""
    sentence = preview.sentence
    # An empty `made` counts as absent, and what is missed then is `tricks`.
    if preview.clause == "R5" and "made" in record:
        declarer, made = record["declarer"], record["made"]
        if declarer in made:
            sentence = _("Beside a declarer with two tricks at most two can have made one: there are four in all.")
        elif not made:
            sentence = _("Somebody took the four tricks: if the declarer failed, a joiner has made it.")
        else:
            sentence = _("There are four tricks: at most four joiners can have made one.")
    return Problem(sentence=sentence, code=preview.clause, at=preview.at)


@dataclass(frozen=True)
class GameOffered:
    """A game that an evening can be of: how many may sit down, and the club's house rules of it in words."""

    name: str
    chosen: bool
    least: int
    most: int
    too_few: str
    too_many: str
    version: int
    rules: list[tuple[str, str]]


def games_offered(versions: Iterable[HouseRules], chosen: str, currency: str) -> list[GameOffered]:
    """The games with the newest of these versions of their house rules."""
    newest: dict[str, HouseRules] = {}
    for one in sorted(versions, key=lambda one: one.version):
        newest[one.game] = one
    few = {recording.CHRATZE: _("At least two sit down."), recording.KRATZEN: _("At least three sit down.")}
    many = {
        recording.CHRATZE: _("Seven at most sit at one table."),
        recording.KRATZEN: _("Six at most sit at one table."),
    }
    offered = []
    for game in recording.GAMES:
        rules = newest.get(game)
        least, most = recording.SEATS[game]
        offered.append(
            GameOffered(
                name=game,
                chosen=game == chosen,
                least=least,
                most=most,
                too_few=few[game],
                too_many=many[game],
                version=rules.version if rules else 1,
                rules=rules_in_words(recording.house_rules(game, rules.values if rules else {}), game, currency),
            )
        )
    return offered


def rules_in_words(rules: Mapping[str, Any], game: str, currency: str) -> list[tuple[str, str]]:
    """Effective house rules of a game as pairs of a heading and a sentence."""
    return (_kratzen_in_words if game == recording.KRATZEN else _chratze_in_words)(rules, currency)


def _kratzen_in_words(rules: Mapping[str, Any], currency: str) -> list[tuple[str, str]]:
    unit = format_price(rules["unit"], currency)
    return [
        (
            _("Unit"),
            _("%(amount)s, the dealer two in a Muss; smallest coin %(coin)s")
            % {"amount": unit, "coin": format_price(rules["coin"], currency)},
        ),
        (
            _("Beating"),
            _("the highest card must always be beaten by who can")
            if rules["must_beat"] == "always"
            else _("only among trumps must the highest be beaten"),
        ),
        (
            _("Remainder"),
            _("goes to the declarer") if rules["remainder"] == "declarer" else _("stays in the pot"),
        ),
        ("Siebenermuss", _siebenermuss(str(rules["seven_muss"]))),
        (_("Last word"), _("one player may answer last") if rules["last_word"] else _("is not known")),
        (
            _("Open trumps"),
            _("bring more cards") if rules["open_trumps"] else _("bring nothing"),
        ),
        (_("Pot"), _pot_words(rules, currency)),
    ]


def _siebenermuss(value: str) -> str:
    return {
        "off": _("is not known"),
        "deal": _("when the turned card is a seven"),
        "any": _("when the turned card or the new trump is a seven"),
    }[value]


def _pot_words(rules: Mapping[str, Any], currency: str) -> str:
    said = (
        _("penalties lift it to %(amount)s at most") % {"amount": format_price(rules["pot_limit"], currency)}
        if rules["pot_limit"]
        else _("has no limit")
    )
    if rules["split_over"]:
        halves = _("above %(amount)s it is played for by halves") % {
            "amount": format_price(rules["split_over"], currency)
        }
        return f"{said}; {halves}"
    return said


def _chratze_in_words(rules: Mapping[str, Any], currency: str) -> list[tuple[str, str]]:
    return [
        (_("Stake"), _("%(amount)s each, every hand") % {"amount": format_price(rules["stake"], currency)}),
        (
            _("Rounding"),
            _("the declarer's two thirds up to %(up)s; smallest coin %(coin)s")
            % {"up": format_price(rules["rounding"], currency), "coin": format_price(rules["coin"], currency)},
        ),
        (_("Nobody declares"), no_taker(rules)),
        (_("Blind"), _blind(str(rules["blind"]))),
        (_("Susi"), _susi(str(rules["susi"]))),
        (
            _("Six of trumps"),
            _("takes the turned card") if rules["rob"] else _("stays where it is"),
        ),
        (
            _("Pot"),
            _("penalties lift it to %(amount)s at most") % {"amount": format_price(rules["pot_limit"], currency)}
            if rules["pot_limit"]
            else _("has no limit"),
        ),
    ]


def no_taker(rules: Mapping[str, Any]) -> str:
    """What happens when nobody declares, in words (C2.4, C2.5)."""
    turns = int(rules["max_turns"])
    ante = _("with a new ante") if rules["ante_on_redeal"] else _("without a new ante")
    if rules["no_taker"] == "turn":
        said = ngettext(
            "one card is turned; then the same dealer deals again, %(ante)s",
            "up to %(n)d cards are turned; then the same dealer deals again, %(ante)s",
            turns,
        )
    else:
        said = ngettext(
            "the next player deals, %(ante)s",
            "the same dealer deals again, %(ante)s; after %(n)d deals the next one",
            turns,
        )
    return said % {"n": turns, "ante": ante}


def _blind(value: str) -> str:
    return {
        "none": _("not allowed"),
        "blind": _("the dealer may declare blind"),
        "both": _("the dealer may declare blind or double blind"),
    }[value]


def _susi(value: str) -> str:
    return {
        "off": _("nobody is called so"),
        "label": _("who is asked last and lets the pot go is called so"),
        "forced": _("who is asked last must join when nobody else has"),
    }[value]


@dataclass(frozen=True)
class HandLine:
    """A stored hand in the list of the night: the names with their part, and the coins that moved."""

    view: HandView
    declarer: str
    joiners: list[tuple[str, bool]]
    declarer_failed: bool
    declares: str
    joins: str
    coins: list[tuple[str, int]]


def declares(hand: HandView) -> str:
    """What the declarer did, in the game's own words."""
    if hand.game != recording.KRATZEN:
        return "chratzt"
    if hand.muss:
        return "Siebenermuss" if hand.siebenermuss else "Muss"
    return {"oder": _("plays oder"), "weiter-oder": _("plays weiter-oder")}.get(hand.game_type or "", "schlägt")


def hand_lines(hands: Sequence[HandView]) -> list[HandLine]:
    """The list of tonight's hands, in the order given. Coins are a seat's cut payments, payouts and penalties together,
    antes not among them."""
    return [
        HandLine(
            view=hand,
            declarer="" if hand.declarer is None else hand.names[hand.declarer],
            # In a Muss all play: only who failed is worth a word.
            joiners=[(hand.names[s], s in hand.failed) for s in hand.joiners if not hand.muss or s in hand.failed],
            declarer_failed=hand.declarer in hand.failed,
            declares=declares(hand),
            joins="" if hand.muss else "mit" if hand.game == recording.KRATZEN else "metcho",
            coins=[(hand.names[seat], amount) for seat, amount in recording.coins_of(hand.result).items()],
        )
        for hand in hands
    ]
