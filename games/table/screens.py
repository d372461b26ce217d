"""The parts of the recording pages, built from the table, the entry so far and its preview by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.money import format_money

from .. import engine_bridge
from ..engine_bridge import Record, Start
from ..errors import FormProblem
from ..hands.preview import Preview
from ..hands.selectors import HandView, TableView
from .forms import HandForm, SeatEntry
from .kratzen_form import SCHLAGEN, KratzenForm, after_shown, shown_of

LONG_NAME = 13


@dataclass(frozen=True)
class Row:
    """A seat on the table screen: the player, the entry, and the sum of tonight in Rappen. `tonight_minor` has the ante
    that is in the pot, `balance_minor` also what the seat owes for the cuts."""

    seat: int
    nickname: str
    tonight_minor: int
    deals: bool
    entry: SeatEntry
    marked: bool
    cut_minor: int = 0

    @property
    def balance_minor(self) -> int:
        """The sum of tonight: the balances of all seats and the pot add up."""
        return self.tonight_minor - self.cut_minor

    @property
    def long(self) -> bool:
        """Return True if the name needs two lines beside its marks."""
        return len(self.nickname) > LONG_NAME


ROW_PATTERN = Row(
    seat="{seat}",  # type: ignore[arg-type]
    nickname="{name}",
    tonight_minor=0,
    deals=False,
    entry=SeatEntry(),
    marked=False,
)
"""The pattern of a row for the scripts, which put seat and name into it."""


def rows(
    view: TableView, entries: Sequence[SeatEntry], marked: Sequence[int] = (), kratzen: KratzenEntry | None = None
) -> list[Row]:
    """The seats in the order of play; `marked` are the seats that a refusal is about. In Kratzen the dealer is the one
    after the cuts."""
    dealer = kratzen.dealer if kratzen else view.dealer_seat
    return [
        Row(
            seat=seat.seat,
            nickname=seat.nickname,
            tonight_minor=seat.tonight_minor,
            deals=seat.seat == dealer,
            entry=entries[seat.seat] if seat.seat < len(entries) else SeatEntry(),
            marked=seat.seat in marked,
            cut_minor=kratzen.payments[seat.seat] if kratzen else 0,
        )
        for seat in view.seats
    ]


def entries_of(hand: HandView) -> list[SeatEntry]:
    """The entry of a stored hand, to change it and enter it again."""
    active = [hand.declarer, *hand.joiners]
    return [
        SeatEntry(
            role="declarer" if seat == hand.declarer else "joiner" if seat in active else "out",
            made=seat not in hand.failed if hand.outcome == "played" and seat in active else None,
            tricks=hand.tricks[seat] if hand.tricks and hand.outcome == "played" and seat in active else None,
        )
        for seat in range(len(hand.names))
    ]


@dataclass(frozen=True)
class KratzenEntry:
    """The parts of an entry that only Kratzen has: the cards shown at the cuts (a letter each), the dealer after them,
    the call, and True if a seven made a Siebenermuss (`sevens` is the house rule for that).

    `payments` are those for the cuts by seat, each a `unit`; `pot_minor` has the antes of the hand, `pot_now_minor` the
    payments as well.
    `pack_sentence` names the player with the pack before the cuts, `turn_sentence` the dealer and the payments for the
    cuts.
    """

    shown: str
    dealer: int
    call: str
    seven: bool
    sevens: str
    unit: int
    payments: tuple[int, ...]
    pot_minor: int
    pot_now_minor: int
    pack_sentence: str
    turn_sentence: str


def kratzen_of(view: TableView, entry: HandForm | HandView | None) -> KratzenEntry | None:
    """The parts of an entry that only Kratzen has; None for another game."""
    return kratzen_entry(view.start, [seat.nickname for seat in view.seats], entry)


def kratzen_entry(start: Start, names: Sequence[str], entry: HandForm | HandView | None) -> KratzenEntry | None:
    """The same from the start of the hand and the names by seat."""
    if start.game != engine_bridge.KRATZEN:
        return None
    shown, call, seven = "", SCHLAGEN, False
    if isinstance(entry, KratzenForm):
        shown, call, seven = entry.shown(), entry.call(), entry.seven_entered
    elif isinstance(entry, HandView):
        shown, call, seven = shown_of(entry.record["cuts"]), entry.game_type or SCHLAGEN, entry.siebenermuss
    rules, due = engine_bridge.house_rules(start.game, start.rules), engine_bridge.due(start)
    dealer, payments = after_shown(start, shown)
    pack = _pack_sentence(names[start.dealer], muss=due.muss is True)
    deals = _deals_sentence(names[dealer], muss=due.muss is True, seven=seven)
    return KratzenEntry(
        shown=shown,
        dealer=dealer,
        call=call,
        seven=seven,
        sevens=str(rules["seven_muss"]),
        unit=rules["unit"],
        payments=payments,
        pot_minor=due.pot,
        pot_now_minor=due.pot + sum(payments),
        pack_sentence=pack,
        turn_sentence=" ".join(filter(None, (deals, _dues_sentence(payments, names)))) if shown or seven else pack,
    )


def _pack_sentence(name: str, *, muss: bool) -> str:
    if muss:
        return _("Muss: %(dealer)s has the pack, all play.") % {"dealer": name}
    return _("%(dealer)s has the pack; who deals speaks first.") % {"dealer": name}


def _deals_sentence(name: str, *, muss: bool, seven: bool) -> str:
    """The page's script has the same texts (`_kratzen_labels.html`), so that the sentence follows each card shown."""
    text = _("{name} deals and speaks first.")
    if muss:
        text = _("Muss: {name} deals, all play.")
    if seven:
        text = _("Siebenermuss: {name} deals, all play.")
    return text.replace("{name}", name)


def _dues_sentence(payments: Sequence[int], names: Sequence[str]) -> str:
    """The payments for the cuts: 'For the cut: Anna 0.20, the others 0.10.' Empty without a payment."""
    if not any(payments):
        return ""
    least = min(payments)
    dues = [f"{name} {format_money(paid)}" for name, paid in zip(names, payments, strict=True) if paid > least]
    if least:
        text = _("the others {amount} each") if dues else _("everybody {amount}")
        dues.append(text.replace("{amount}", format_money(least)))
    return _("For the cut: {dues}.").replace("{dues}", ", ".join(dues))


def muss_entries(view: TableView) -> list[SeatEntry]:
    """The seats of a Muss before anything is entered: everybody plays."""
    return [SeatEntry(role="declarer" if seat.deals else "joiner") for seat in view.seats]


def seat_of(view: TableView, player: str) -> int | None:
    """The seat of a player who was named as declarer on the page before; None for anybody who does not sit here."""
    return next((seat.seat for seat in view.seats if str(seat.player_id) == player), None)


def refused_seats(at: str, form: HandForm) -> list[int]:
    """The seats that a refusal marks, by the place of the record that it names (`at`)."""
    active = form.active()
    declarers = [seat for seat in active if form.entries()[seat].role == "declarer"]
    if at.startswith(("made", "tricks")):
        return active
    if at.startswith("joiners") and len(declarers) == 1 and len(active) == 1 and not isinstance(form, KratzenForm):
        # The Susi: the last player to answer, who sits before the declarer.
        return [(declarers[0] - 1) % form.seats]
    if at.startswith("joiners"):
        return [seat for seat in active if seat not in declarers]
    if at.startswith(("declarer", "blind", "game_type", "seven")):
        return declarers
    return []


def preview_problem(preview: Preview, record: Record) -> FormProblem:
    """The problem of a refused preview, with a more exact sentence than the clause has where that is possible."""
    sentence = preview.sentence
    # An empty `made` counts as absent; the engine then reports that `tricks` is missing.
    if preview.clause == "R5" and "made" in record:
        declarer, made = record["declarer"], record["made"]
        if declarer in made:
            sentence = _("Beside a declarer with two tricks at most two can have made one: there are four in all.")
        elif not made:
            sentence = _("Somebody took the four tricks: if the declarer failed, a joiner has made it.")
        else:
            sentence = _("There are four tricks: at most four joiners can have made one.")
    return FormProblem(sentence=sentence, code=preview.clause, at=preview.at)
