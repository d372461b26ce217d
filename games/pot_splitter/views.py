"""The page of the pot splitter. It stores nothing: the whole evening is in the address and replayed with each request.

The address has the players (`p`, in the order of play), the first dealer, the pot, the house rules that differ from the
defaults, and each hand played so far as a short code (`h`). A bookmark, a link or the browser's back button shows the
evening at that point.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.played_games import all_in_words

from .. import engine_bridge
from ..errors import FormProblem
from ..hands import clause_sentences, preview
from ..offered import GAMES, game_of
from ..table import screens
from ..table.forms import HandForm, SeatEntry, hand_form
from .forms import SHARED_RULES, SetupForm, games_with
from .link import LONGEST_NAME, MOST_HANDS, Evening, PlayedHand, evening_of

CURRENCY = "CHF"
"""There is no club here that could choose another currency."""


@require_safe
def calculator(request: HttpRequest) -> HttpResponse:
    """Begin an evening, enter its next hand, and show the amounts. An entered hand redirects to a new address."""
    evening = evening_of(request.GET)
    if not isinstance(evening, Evening) or "setup" in request.GET:
        return _setup_page(request, evening if isinstance(evening, FormProblem) else None)
    action = request.GET.get("do", "")
    if action not in ("show", "enter"):
        return _table_page(request, evening)
    form, problem, outcome = _entry(request.GET, evening)
    if action == "enter" and outcome is not None:
        codes = [
            *(hand.code for hand in evening.hands),
            game_of(evening.start.game).records.splitter.encode(form.record()),
        ]
        return HttpResponseRedirect(evening.address(codes))
    return _table_page(request, evening, form, problem=problem, outcome=outcome)


def _entry(query: QueryDict, evening: Evening) -> tuple[HandForm, FormProblem | None, preview.Preview | None]:
    """The entry in the address, and either its problem or its preview."""
    # These three fields of the table screen have no meaning here.
    data = query.dict() | {"key": str(uuid.UUID(int=0)), "number": "1", "players": "0"}
    form = hand_form(data, evening.start)
    problem = form.problem()
    if problem is None and len(evening.hands) >= MOST_HANDS:
        problem = FormProblem(_("This address cannot hold more hands. Begin a new evening with this pot."))
    if problem is not None:
        return form, problem, None
    record = form.record()
    full = {**evening.start.fields(), **record}
    result = engine_bridge.replay(full)
    if result["ok"]:
        return form, None, preview.preview_of(evening.start, result, evening.names, full)
    refused = clause_sentences.refusal(result["error"])
    refusal = preview.Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)
    return form, screens.preview_problem(refusal, record), None


def _setup_page(request: HttpRequest, problem: FormProblem | None) -> HttpResponse:
    typed = [name[:LONGEST_NAME] for name in request.GET.getlist("p")][: engine_bridge.MAX_SEATS]
    form = SetupForm(request.GET, label_suffix="")
    shown = [*(name for game in GAMES.values() for name in game.records.splitter.shown), *SHARED_RULES]
    context = {
        "problem": problem,
        "names": typed + [""] * (engine_bridge.MAX_SEATS - len(typed)),
        "first": [form[name] for name in ("game", "dealer", "pot")],
        "rules": [(form[name], of_games(name)) for name in shown],
        "games": all_in_words(),
        "rules_open": any(request.GET.get(name) for name in form.fields if name not in ("game", "dealer", "pot")),
        "blank": not request.GET,
    }
    return render(request, "games/pot_splitter/setup.html", context)


def of_games(name: str) -> str:
    """The classes of a field that not every game has."""
    games = games_with(name)
    return "" if len(games) == len(GAMES) else " of-game " + " ".join(f"of-{game}" for game in games)


def _table_page(
    request: HttpRequest,
    evening: Evening,
    form: HandForm | None = None,
    *,
    problem: FormProblem | None = None,
    outcome: preview.Preview | None = None,
) -> HttpResponse:
    start, names = evening.start, evening.names
    rules = engine_bridge.house_rules(start.game, start.rules)
    cutting = screens.cutting(start, names, form)
    due = engine_bridge.due(start)
    muss = due.muss
    deals = cutting.dealer if cutting else start.dealer
    cuts = cutting.payments if cutting else (0,) * start.seats
    entries = [
        SeatEntry("declarer" if seat == deals else "joiner") if muss else SeatEntry() for seat in range(len(names))
    ]
    entries = form.entries() if form else entries
    clean: Mapping[str, Any] = getattr(form, "cleaned_data", {})
    marked = screens.refused_seats(problem.at, form) if problem and form else []
    last = evening.hands[-1] if evening.hands else None
    codes = [hand.code for hand in evening.hands]
    context = {
        "here": evening.address(),
        "games": all_in_words(),
        "fields": evening.fields(),
        "start": start,
        "rows": [
            screens.Row(seat, names[seat], balance - due.antes[seat], seat == deals, entries[seat], seat in marked, cut)
            for seat, (balance, cut) in enumerate(zip(evening.balances(), cuts, strict=True))
        ],
        "pot_minor": cutting.pot_now_minor if cutting else due.pot,
        "currency": CURRENCY,
        "blinds": rules.get("blind", "none"),
        "cutting": cutting,
        "view": {"muss": muss},
        "mode": "tricks" if form and form.counting else "made",
        "passed": bool(clean.get("passed")),
        "blind": clean.get("blind") or "",
        "filled": form is not None,
        "problem": problem,
        "preview": outcome,
        "rows_marked": ",".join(map(str, marked)),
        "dealer": {"nickname": names[start.dealer]},
        "forehand": {"nickname": names[(start.dealer + 1) % len(names)]},
        "left_out": evening.left_out,
        "after": preview.preview_of(last.start, last.result, names, last.record) if last else None,
        "lines": [_line(hand, names) for hand in reversed(evening.hands)],
        "undo": evening.address(codes[:-1]) if codes else "",
        "new_evening": _setup_url(evening),
        "rules_url": _setup_url(evening),
        "pot_table": _as_data(evening),
    }
    return render(request, "games/pot_splitter/table.html", context)


def _as_data(evening: Evening) -> dict[str, Any]:
    """The table before the next hand for the scripts, in the form of a snapshot (games/table/snapshot.py)."""
    start = evening.start
    seats = zip(evening.names, evening.balances(), strict=True)
    return {
        "evening": {
            "game": start.game,
            "rules": engine_bridge.house_rules(start.game, start.rules),
            "open": True,
        },
        "table": {
            "id": None,
            "hands": len(evening.hands),
            "pot_before": start.pot_before,
            "dealer": start.dealer,
            "deal_number": start.deal_number,
            "paused": False,
            "dissolved": False,
            "last_hand": False,
            "ended": False,
        },
        "seats": [{"player": seat, "name": name, "sum": sum_} for seat, (name, sum_) in enumerate(seats)],
    }


def _setup_url(evening: Evening) -> str:
    """The address of the players and house rules of the evening."""
    return f"{reverse('calculator')}?{urlencode([*evening.fields([]), ('setup', '1')])}"


def _line(hand: PlayedHand, names: Sequence[str]) -> dict[str, Any]:
    """A hand for the list of the evening."""
    return {
        "number": hand.start.number,
        "sentence": clause_sentences.summary(hand.start.game, hand.result, dict(enumerate(names))),
        "coins": [(names[seat], amount) for seat, amount in engine_bridge.coins_of(hand.result).items()],
        "pot": hand.result["pot"],
    }
