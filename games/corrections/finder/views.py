"""The page of the difference finder: the counted coins, and the mistakes that explain them, with links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.money import format_price

from ...hands.gate import signed_in
from ...offered import Game, game_of
from .. import forms, selectors
from ..edits import Change, Edit, PutIn, TakeOut
from ..page import CorrectionPage, correction_page
from ..services import before_closing
from .search import Counted, Guess, Search, find

SEARCHED = 150
"""The largest number of hands that are searched; no table plays more in an evening."""


@dataclass(frozen=True)
class GuessLine:
    """A guess as a sentence; `url` is the page with the preview of its correction, '' if there is nothing to correct.
    `others` are the same mistake about others, as (text, address)."""

    hand: str
    sentence: str
    url: str
    others: tuple[tuple[str, str], ...] = ()


@signed_in
@never_cache
@require_safe
def table_difference(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """The form for the counted coins, and the single mistakes that explain the difference."""
    page = correction_page(request, club, table)
    seated = tuple(page.table.places.order_by("seat").values_list("player_id", flat=True))
    people = dict(selectors.roster(page.table, page.entries))
    tonight = {player for entry in page.entries for player in entry.players}
    form = forms.CountedForm(request.GET or None)
    context = page.context() | {
        "form": form,
        "people": [(player, name) for player, name in people.items() if player in tonight],
        "open": page.table.evening.state == "open",
    }
    if form.is_bound and form.is_valid():
        context |= _searched(page, form, seated, people)
    return render(request, "games/corrections/finder.html", context)


def _searched(
    page: CorrectionPage, form: forms.CountedForm, seated: tuple[int, ...], people: Mapping[int, str]
) -> dict[str, object]:
    """The context with counted and recorded sums, and the guesses."""
    clean = form.cleaned_data
    pot, player, gain = clean["pot"], clean["player"], clean["gain"]
    tonight = {person for entry in page.entries for person in entry.players}
    gains = {player: gain} if gain is not None and player in tonight else {}
    if pot is None and not gains:
        return {"nothing": True}
    # In a closed evening nobody has paid antes for a next hand.
    antes_in = clean["antes"] != "0" and page.table.evening.state == "open"
    keep = game_of(page.table.evening.game).records.keeps_dealers
    counted = Counted(pot, gains, antes_in)
    search = Search(before_closing(page.table), page.entries[:SEARCHED], seated, counted, keep=keep)
    gap, due = search.gap(), search.due()
    guesses = find(search)
    return {
        "searched": True,
        "pot_counted": pot,
        "pot_due": due.pot_minor,
        "pot_gap": gap.pot_minor,
        "gain_counted": gain if gains else None,
        "gain_due": due.gains[0] if gains else None,
        "gain_gap": gap.gains[0] if gains else 0,
        "gain_of": people.get(player, "") if gains else "",
        "agrees": not gap.pot_minor and not any(gap.gains),
        "guesses": [_line(page, guess, people) for guess in guesses],
    }


def _line(page: CorrectionPage, guess: Guess, people: Mapping[int, str]) -> GuessLine:
    names = [people.get(player, "?") for player in guess.players]
    others = []
    for other in guess.others:
        whom = " → ".join(people.get(player, "?") for player in other.players)
        where = _place(other) if other.number != guess.number else ""
        others.append((": ".join(filter(None, (where, whom))), address(page, other.edit)))
    said = sentence(guess, names, page.access.club.currency, game_of(page.table.evening.game))
    return GuessLine(_place(guess), said, address(page, guess.edit), tuple(others))


def _place(guess: Guess) -> str:
    number = {"number": guess.number}
    return _("Before hand %(number)d") % number if guess.kind.startswith("forgotten") else _("Hand %(number)d") % number


def address(page: CorrectionPage, edit: Edit | None) -> str:
    """The address of the page with the preview of a correction."""
    if isinstance(edit, TakeOut):
        return page.url("hand-out", edit.number)
    if not isinstance(edit, Change | PutIn):
        return ""
    players = ",".join(str(player) for player in edit.players)
    fields = forms.fields_of_record(edit.sent, len(edit.players), page.table.evening.game) | {
        "players": players,
        "step": "preview",
    }
    where = page.url("hand-edit" if isinstance(edit, Change) else "hand-insert", edit.number)
    return f"{where}?{urlencode(fields)}"


def sentence(guess: Guess, names: list[str], currency: str, game: Game) -> str:
    """The mistake of a guess as one sentence."""
    first, two = [*names, "", ""][:2]
    values = {"one": first, "two": two, "amount": format_price(guess.amount_minor, currency)}
    if guess.kind in ("ante_missing", "ante_twice") and first:
        missing = guess.kind == "ante_missing"
        text = (
            _("%(one)s has not paid an ante (%(amount)s).")
            if missing
            else _("%(one)s paid an ante twice (%(amount)s).")
        )
        return text % values
    own = game.records.mistakes.sentences.get(guess.kind)
    return (own(len(guess.players), guess.made) if own else SENTENCES[guess.kind](guess)) % values


def _made(guess: Guess) -> str:
    return _("%(one)s made it.") if guess.made else _("%(one)s failed.")


def _joined(guess: Guess) -> str:
    return _("%(one)s joined too, and made it.") if guess.made else _("%(one)s joined too, and somebody failed.")


def _forgotten(guess: Guess) -> str:
    if not guess.players:
        return _("A hand was forgotten in which nobody declared.")
    if len(guess.players) == 1:
        return _("A hand was forgotten in which %(one)s declared and nobody joined.")
    if guess.made:
        return _("A hand was forgotten in which %(one)s declared, %(two)s joined and both made it.")
    return _("A hand was forgotten in which %(one)s declared, %(two)s joined and one of them failed.")


def _walkover(guess: Guess) -> str:
    if len(guess.players) == 1:
        return _("%(one)s declared, and nobody joined.")
    return _("%(one)s declared, and %(two)s joined.")


SENTENCES: dict[str, Callable[[Guess], str]] = {
    "ante_missing": lambda guess: _("Antes of %(amount)s are missing."),
    "ante_twice": lambda guess: _("Antes of %(amount)s too many were paid."),
    "twice": lambda guess: _("This hand was entered twice."),
    "made": _made,
    "tricks": lambda guess: _("A trick of %(one)s's was %(two)s's."),
    "swapped": lambda guess: _("It was %(two)s who made it, not %(one)s."),
    "penalty_unpaid": lambda guess: _("%(one)s has not paid the penalty of %(amount)s."),
    "penalty_once": lambda guess: _("%(one)s paid the penalty once and not twice; %(amount)s are missing."),
    "payout_left": lambda guess: _("%(one)s left the %(amount)s in the pot that were won."),
    "payout_twice": lambda guess: _("%(one)s took %(amount)s too much from the pot."),
    "halves": lambda guess: _("%(one)s took half of the pot; two thirds go to the declarer."),
    "joined": _joined,
    "not_joined": lambda guess: _("%(one)s did not join."),
    "instead": lambda guess: _("It was %(two)s who joined, not %(one)s."),
    "roles": lambda guess: _("It was %(two)s who declared, and %(one)s joined."),
    "declarer": lambda guess: _("It was %(two)s who declared, not %(one)s."),
    "rows": lambda guess: _("Everybody was entered a row too high or too low."),
    "blind": lambda guess: _("%(one)s declared blind.") if guess.made else _("%(one)s did not declare blind."),
    "passed": lambda guess: _("Nobody declared."),
    "walkover": _walkover,
    "forgotten": _forgotten,
    "forgotten_muss": lambda guess: _("A Muss was forgotten."),
    "out": lambda guess: _("This hand was never played."),
    "absent": lambda guess: _("%(one)s sat out."),
}
