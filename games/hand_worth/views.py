"""The page of what a hand is worth, for everybody, without an account. Nothing is stored: the address has the hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Club
from league.web.kept_pages import KEEP_ALSO, keep_on_phone

from ..engine_bridge import MOST_ACTIVE
from ..offered import GAMES
from .query import FEWEST, RANKS, SUITS, WELI, AskedHand, asked_hand, cards_of
from .sentences import sentences, texts, times_of
from .tables import table_name, table_of


@require_safe
def hand_worth(request: HttpRequest) -> HttpResponse:
    """Show the chances of the hand in the address, and the cards to choose it."""
    asked = asked_hand(request.GET)
    known = texts()
    context = {
        "asked": asked,
        "games": [(game, GAMES[game].title, game == asked.game) for game in MOST_ACTIVE],
        "packs": [(value, label, value == asked.faces) for value, label in Club.Faces.choices],
        "suits": [(suit, _tiles(asked, suit)) for suit in SUITS],
        "slots": [*asked.cards, *[""] * (4 - len(asked.cards))],
        "players": [
            (n, n == asked.players, _only_game(n <= most for most in MOST_ACTIVE.values())) for n in range(FEWEST, 8)
        ],
        "after": [(n, n == asked.after, n >= asked.players) for n in range(7)],
        "role": role_sentence(asked),
        "answer": _answer(asked, known) if asked.complete else None,
        "table": _table(asked) if asked.complete else [],
        "for_script": {
            "texts": known,
            "roles": role_texts(),
            "files": {game: _file(game) for game in MOST_ACTIVE},
            "tap": _("Tap four cards and the trump."),
            "waits": _("The table is being fetched …"),
            "away": _("No network, and this phone has not kept the table yet."),
            "enough": _("A hand has four cards: tap one again to take it back."),
            "copied": _("The link is copied."),
        },
    }
    response = render(request, "games/hand_worth/page.html", context)
    if request.GET:
        # The page that is kept is that without a hand: its script reads the hand from the address.
        response[KEEP_ALSO] = reverse("hand-worth")
        return response
    return keep_on_phone(response, _("What is my hand worth?"))


def _file(game: str) -> dict[str, Any]:
    """Return where the file of a table is, and where its pieces are in it."""
    table = table_of(game)
    return {"url": static(table_name(game)), "bounds": table.bounds, "perPiece": table.per_piece}


def role_sentence(asked: AskedHand) -> str:
    """Return the role of the player at this seat, in the words of the game."""
    if asked.declares:
        return role_texts()[f"{asked.game}-declares"]
    kind = "last" if asked.after == 0 else "one" if asked.after == 1 else "some"
    return role_texts()[f"{asked.game}-joins-{kind}"].replace("{n}", str(asked.after))


def role_texts() -> dict[str, str]:
    """Return the texts of the roles, by their keys."""
    with_texts = {name: known for name in MOST_ACTIVE if (known := GAMES[name].texts.hand_worth)}
    texts_by_key = {f"{game}-declares": str(known.declares) for game, known in with_texts.items()}
    for game, known in with_texts.items():
        texts_by_key |= {
            f"{game}-joins-last": str(known.joins_last),
            f"{game}-joins-one": str(known.joins_one),
            f"{game}-joins-some": str(known.joins_some),
        }
    return texts_by_key


def _only_game(has: Iterable[bool]) -> str:
    """Return the name of the game that alone has a thing, empty if all have it; `has` is by game."""
    games = [game for game, its in zip(MOST_ACTIVE, has, strict=True) if its]
    return games[0] if len(games) == 1 else ""


def _tiles(asked: AskedHand, suit: str) -> list[dict[str, Any]]:
    """Return the cards of a suit of all games; those of one game only say so."""
    cards = [rank + suit for rank in RANKS] + ([WELI] if suit == "d" else [])
    return [
        {
            "value": card,
            "picture": "Weli" if card == WELI else card,
            "chosen": card in asked.cards,
            "of": _only_game(any(card in cards for cards in cards_of(game)) for game in MOST_ACTIVE),
        }
        for card in cards
    ]


def _answer(asked: AskedHand, known: Any) -> dict[str, Any]:
    chances = table_of(asked.game).chances(asked.records(), asked.trump, asked.players, asked.place, asked.stage)
    goal, other, even = sentences(known, asked.game, chances, declares=asked.declares)
    return {"goal": goal, "other": other, "even": even}


def _table(asked: AskedHand) -> list[dict[str, Any]]:
    """Return a row for each number of players: how often in a hundred, a trick and two, by those who play after."""
    worth_table = table_of(asked.game)
    rows = []
    for players in range(FEWEST, MOST_ACTIVE[asked.game] + 1):
        cells = []
        for after in range(players):
            place = players - 1 - after
            chances = worth_table.chances(asked.records(), asked.trump, players, place, asked.stage)
            here = (players, after) == (asked.players, asked.after)
            cells.append({"one": times_of(chances.one), "two": times_of(chances.two), "here": here})
        rows.append({"players": players, "leads": cells[-1], "joins": cells[:-1]})
    return rows
