"""The form of a hand with cuts before the deal, and the parts of its page that follow the cards shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from django import forms
from django.utils.translation import gettext as _

from league.money import format_money

from .. import engine_bridge
from ..engine_bridge import Start
from .hand_form import HandForm

MOST_SHOWN = 40


class CutForm(HandForm):
    """Per seat `role-<seat>` and `tricks-<seat>`; beside them `cuts`, the cards shown at the cuts, a letter each.

    `pack` is the seat that had the pack when the page was made, and `muss` is set if everybody had to play then.
    """

    cuts = forms.CharField(max_length=2 * MOST_SHOWN, required=False)

    letters: ClassVar[Mapping[str, str]]
    """The letters of the cards, and as what each is read: a letter may be typed in the other case."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, start: Start) -> None:
        super().__init__(data, seats=start.seats)
        self.start, self.muss = start, engine_bridge.due(start).muss is True
        pack = str((data or {}).get("pack", ""))
        # A form that is sent again after the next hand was stored must give the same record: it is the same request.
        if data and len(pack) == 1 and pack in "0123456"[: start.seats]:
            self.start, self.muss = replace(start, dealer=int(pack)), bool(data.get("muss"))

    def wrong_cuts(self) -> str:
        """The sentence about letters that are no cards of a cut."""
        raise NotImplementedError

    def clean_cuts(self) -> str:
        """Normalise the letters; refuse anything that is not a card of a cut."""
        typed = "".join(str(self.cleaned_data["cuts"]).replace(",", " ").split())
        if len(typed) > MOST_SHOWN or not set(typed) <= set(self.letters):
            raise forms.ValidationError(self.wrong_cuts())
        return "".join(self.letters[letter] for letter in typed)

    def shown(self) -> str:
        """The letters of the cuts."""
        return str(getattr(self, "cleaned_data", {}).get("cuts") or "")

    @property
    def counting(self) -> bool:
        """True: such a game is paid by tricks."""
        return True


class Stored(Protocol):
    """A stored hand: its record and its result."""

    @property
    def record(self) -> Mapping[str, Any]: ...
    @property
    def result(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Cutting:
    """The parts of an entry that follow the cards shown at the cuts (`shown`, a letter each): the dealer after them and
    the payments for them by seat, each of so many units of `unit` Rappen.

    `pot_minor` has the antes of the hand, `pot_now_minor` the payments as well. `pack_sentence` names the player with
    the pack before the cuts, `turn_sentence` the dealer and the payments for the cuts.
    """

    shown: str
    dealer: int
    unit: int
    payments: tuple[int, ...]
    pot_minor: int
    pot_now_minor: int
    pack_sentence: str
    turn_sentence: str


def after_shown(start: Start, cuts: Sequence[Any]) -> tuple[int, tuple[int, ...]]:
    """The dealer after the cuts so far, and the payments for them by seat, in Rappen. Where these cards are impossible:
    the seat that had the pack, and no payments."""
    try:
        return engine_bridge.after_cuts(start, cuts)
    except engine_bridge.Fault:
        return start.dealer, (0,) * start.seats


def cutting_fields(
    start: Start, names: Sequence[str], shown: str, cuts: Sequence[Any], *, unit: int, pack: str, deals: str
) -> dict[str, Any]:
    """The fields of `Cutting`. `cuts` are those of a record for the cards shown, `pack` and `deals` the sentences with
    `%(dealer)s` and `{name}`; an entry without cards shows the first one, unless `deals` says more than the cuts."""
    due = engine_bridge.due(start)
    dealer, payments = after_shown(start, cuts)
    sentence = deals.replace("{name}", names[dealer])
    return {
        "shown": shown,
        "dealer": dealer,
        "unit": unit,
        "payments": payments,
        "pot_minor": due.pot,
        "pot_now_minor": due.pot + sum(payments),
        "pack_sentence": pack % {"dealer": names[start.dealer]},
        "turn_sentence": " ".join(filter(None, (sentence, dues_sentence(payments, names)))),
    }


def dues_sentence(payments: Sequence[int], names: Sequence[str]) -> str:
    """The payments for the cuts: 'For the cut: Anna 0.20, the others 0.10.' Empty without a payment."""
    if not any(payments):
        return ""
    least = min(payments)
    dues = [f"{name} {format_money(paid)}" for name, paid in zip(names, payments, strict=True) if paid > least]
    if least:
        text = _("the others {amount} each") if dues else _("everybody {amount}")
        dues.append(text.replace("{amount}", format_money(least)))
    return _("For the cut: {dues}.").replace("{dues}", ", ".join(dues))


MakeCutting = Callable[[Start, Sequence[str], HandForm | None, Stored | None], Cutting]
"""Makes the parts for the start of a hand and the names by seat, from the form or the stored hand that fills it."""
