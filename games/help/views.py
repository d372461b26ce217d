"""The list of help pages, and one help page."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.web.kept_pages import keep_on_phone

from ..evening.night_club import HELP_OF_NIGHT
from ..evening.rule_sentences import order_of_play
from ..offered import GAMES
from .examples import evening, hands
from .pages import BY_SLUG, PAGES
from .words import EVERY_GAME, OF_THE_CLUB


@login_not_required
@require_safe
def help_list(request: HttpRequest) -> HttpResponse:
    """Show all help pages."""
    return render(request, "games/help/list.html", {"pages": PAGES})


@login_not_required
@require_safe
def help_words(request: HttpRequest) -> HttpResponse:
    """Show all words with their meanings."""
    groups = [
        (_("All games"), EVERY_GAME),
        *((game.title, game.texts.words) for game in GAMES.values()),
        (_("Club"), OF_THE_CLUB),
    ]
    # Some words are those of several games: an address leads to the first place of each.
    first: dict[str, str] = {}
    for title, words in groups:
        for word in words:
            first.setdefault(word.key, title)
    shown = [(title, [(word, first[word.key] == title) for word in words]) for title, words in groups]
    return render(request, "games/help/words.html", {"groups": shown})


@login_not_required
@require_safe
def help_page(request: HttpRequest, page: str) -> HttpResponse:
    """Show one help page, with its examples computed by the engine."""
    if page not in BY_SLUG:
        raise Http404("no such help page")
    position = list(BY_SLUG).index(page)
    context = {
        "help_page": PAGES[position],
        "picture": f"help/{page}.webp",
        "following": PAGES[position + 1] if position + 1 < len(PAGES) else None,
        "hands": hands(),
        "evening": evening(),
        "order_of_play": order_of_play(),
        "other_games": [game.texts.help_template for game in GAMES.values() if game.texts.help_template],
    }
    answer = render(request, f"games/help/{page}.html", context)
    # Without a name: the pages for the cellar are linked from the table and from the page without a network.
    return keep_on_phone(answer, "") if page in HELP_OF_NIGHT else answer
