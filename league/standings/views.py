"""Public pages: clubs, and seasons with their standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.web import error_pages
from league.web.page_versions import versioned
from league.web.polling import answer_unless_known
from league.web.streamed import streamed

from ..access import ClubAccess, Right, admit, club_for
from ..accounts.club_requests import request_notes
from ..accounts.first_account import is_without_accounts
from ..attendance.selectors import Coming, coming_to
from ..errors import Refused
from ..features import uses
from ..models import Club, Evening, Season, User
from ..payments import services as payments
from ..web.game_terms import terms_of
from . import overview, selectors, standing_lines
from .imported import players_with_imported
from .last_evenings import add_scores
from .live_part import live_context, rows_for, season_etag
from .plan import NextEvening, next_evenings
from .reader_choice import PARAMETERS, Choice, filter_of, read_choice
from .recorded_hands import recorded
from .season_part import evenings_of_part
from .versions import club_state, season_topics, standings_state

TOP = 3
"""So many of the standings are on the club's page."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the person's own clubs with the next step, and the listed clubs, each with its leader and last evening.

    Whoever has one club comes to that club; with any parameter (`?all=1`) the page is shown."""
    memberships = overview.memberships_of(request.user) if request.user.is_authenticated else []
    own = [membership.club for membership in memberships]
    notes = request_notes(request.user) if isinstance(request.user, User) else None
    if len(own) == 1 and not request.GET and not (notes and notes.waiting):
        return redirect(own[0])
    listed, after = overview.listed_clubs(after=_slug(request.GET.get("after", "")), without=[club.pk for club in own])
    if not listed and not request.user.is_authenticated and is_without_accounts():
        return redirect("set-up")
    cards = overview.club_cards([*own, *listed], memberships)
    mine, others = cards[: len(own)], cards[len(own) :]
    context = {
        "mine": mine,
        "listed": others,
        "after": after,
        "terms": terms_of(()),
        "contact_mail": settings.CONTACT_MAIL,
        "club_requests": notes,
        "with_initials": any(card.leaders and card.club.players_shown == Club.PlayersShown.INITIALS for card in others),
    }
    return render(request, "league/standings/home.html", context)


def _slug(text: str) -> str:
    """Return the text if it is a valid short name, else an empty one, which needs no query."""
    return text if slug_re.fullmatch(text) else ""


@versioned(club_state)
@require_safe
def club(request: HttpRequest, club: str) -> HttpResponse:
    """Show what is on in a club: how the reader stands, the next step, the last and the next evenings, the leaders."""
    access = club_for(request.user, club)
    seasons = selectors.club_seasons(access.club)
    season = selectors.current_of(seasons)
    evenings = with_running(overview.latest_evenings(access.club))
    add_scores(access, evenings, seasons)
    coming = next_evenings(access)
    context = {
        "access": access,
        "club": access.club,
        "season": season,
        "may_record": access.may(Right.RECORD),
        "may_manage": access.may(Right.MANAGE),
        "last": evenings[0] if evenings else None,
        "evenings": evenings[1:],
        "more_evenings": season is not None and season.evenings_held > len(evenings),  # type: ignore[attr-defined]
        "next_evenings": coming,
        "coming": _coming(access, coming),
        "open_evening": overview.running_evenings([access.club.pk]).get(access.club.pk),
        "running_tournament": overview.running_tournament(access.club),
    }
    if access.player_ids:
        context["open_minor"] = payments.outstanding_sum(access.club, access.player_ids)
    if season:
        context["terms"] = terms_of([season.games] if season.games else [])
        # Whoever plays finds the own line among all of them, in the same query.
        lines = standing_lines.season_standings(season, top=None if access.player_ids else TOP)
        own = [line for line in lines if line.player_id in access.player_ids]
        context["you"] = next(iter(rows_for(access.within(season), own)), None)
        context["own_night"] = own_night(evenings)
        top = rows_for(access.within(season), lines[:TOP], imported=players_with_imported(season))
        context |= {"top": top, "with_imported": any(row.is_imported for row in top)}
        context["by_points"] = season.ranking == Season.Ranking.POINTS
        context["freshness"] = selectors.freshness(season)
    return render(request, "league/standings/club.html", context)


def _coming(access: ClubAccess, evenings: Sequence[NextEvening]) -> Coming | None:
    """Return who comes to the nearest planned evening, for people of the club."""
    if access.role is None or not uses(access.club, "planned-coming"):
        return None
    coming = (
        evening.planned
        for evening in evenings
        if evening.planned and not (evening.cancelled or evening.season.closed_at)
    )
    planned = next(coming, None)
    return None if planned is None else coming_to(access, planned)


def own_night(evenings: list[Any]) -> dict[str, Any] | None:
    """Return the reader's last one of these evenings, newest first, with how it ended."""
    own = ({"evening": evening, "scorer": scorer} for evening in evenings for scorer in evening.scorers if scorer.mine)
    return next((night for night in own if night["scorer"].worth), None)


def with_running(evenings: list[Any]) -> list[Any]:
    """Add `runs` to each evening."""
    for evening in evenings:
        evening.runs = overview.runs(evening)
    return evenings


def season_for(request: HttpRequest, club: str, season: str, right: Right = Right.READ) -> tuple[ClubAccess, Season]:
    """The gate of a season's pages. Loads season and club in one query. Raises as `access.admit` does."""
    chosen_season = Season.objects.select_related("club", "count").filter(club__slug=club, slug=season).first()
    if chosen_season is None:
        raise Http404("no such season")
    return admit(request.user, chosen_season.club, right).within(chosen_season), chosen_season


@versioned(standings_state, query=PARAMETERS)
@require_safe
def season(request: HttpRequest, club: str, season: str) -> HttpResponse:
    """Show a season: standings, chart, evenings and downloads. The parameters choose a part of it (`reader_choice.py`);
    wrong ones are named on the page of the whole season, with status 400."""
    access, chosen_season = season_for(request, club, season)
    choice, refused = Choice(), None
    try:
        choice = read_choice(request.GET)
    except Refused as fault:
        refused = fault
    others = access.club.seasons.exclude(pk=chosen_season.pk).order_by("-starts_on", "-pk")
    evenings = with_running(list(selectors.evenings_with_counts(chosen_season.evenings.filter(undone_at__isnull=True))))
    live = live_context(request, access, chosen_season, choice)
    shown = evenings_of_part(chosen_season, choice, live["evening_ids"], evenings) if choice.filtered else evenings
    context = {
        **live,
        "evenings": _with_winners(access, chosen_season, choice, shown),
        "next_evenings": next_evenings(access, chosen_season) if chosen_season.closed_at is None else [],
        "may_plan": access.may(Right.RECORD) and chosen_season.closed_at is None,
        "filter": filter_of(request.GET, choice, evenings, recorded().table_numbers(chosen_season), refused),
        "other_seasons": list(others),
        "downloads": _downloads(access, chosen_season, choice),
    }
    return render(request, "league/standings/season.html", context, status=refused.status if refused else None)


@streamed(season_topics)
@versioned(standings_state, query=PARAMETERS)
@require_safe
def season_standings(request: HttpRequest, club: str, season: str) -> HttpResponseBase:
    """Render the part of a season's page that polls: 304 until something new was counted or waits."""
    access, chosen_season = season_for(request, club, season)
    try:
        choice = read_choice(request.GET)
    except Refused as fault:
        return error_pages.answer(request, HTTPStatus(fault.status), fault.code, fault.sentence)
    return answer_unless_known(
        request,
        season_etag(access, chosen_season, choice),
        lambda: render(request, "league/standings/_live_parts.html", _live(request, access, chosen_season, choice)),
        shared=True,
    )


def _live(request: HttpRequest, access: ClubAccess, season: Season, choice: Choice) -> dict[str, Any]:
    """Return what the page renews: the standings, and of a part of the season the evenings of which they are made."""
    live = live_context(request, access, season, choice)
    if choice.filtered:
        evenings = selectors.evenings_with_counts(Evening.objects.filter(pk__in=live["evening_ids"]))
        shown = evenings_of_part(season, choice, live["evening_ids"], with_running(list(evenings)))
        live["evenings"] = _with_winners(access, season, choice, shown)
    return live


def _with_winners(access: ClubAccess, season: Season, choice: Choice, evenings: list[Evening]) -> list[Evening]:
    """Add who won to each evening. Of a single table the evenings keep their hands: who won is known of all tables."""
    if not choice.table:
        add_scores(access, evenings, [season])
    return evenings


def _downloads(access: ClubAccess, season: Season, choice: Choice) -> list[dict[str, str]]:
    """Return the files of a season. That of the standings has the chosen part."""
    files = [("standings-csv", _("Standings as CSV")), ("results-csv", _("Results of every hand as CSV"))]
    if access.may(Right.SEE_LEDGER) and not access.points_only:
        files.append(("ledger-csv", _("Ledger as CSV")))
    where = {"club": access.club.slug, "season": season.slug}
    return [
        _download(reverse(name, kwargs=where), text, choice.filters() if name == "standings-csv" else {})
        for name, text in files
    ]


def _download(address: str, text: str, chosen: Mapping[str, str]) -> dict[str, str]:
    def href(**more: str) -> str:
        query = urlencode({**chosen, **more})
        return f"{address}?{query}" if query else address

    return {"href": href(), "excel": href(**{"for": "excel"}), "xlsx": href(**{"for": "xlsx"}), "text": text}
