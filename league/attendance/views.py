"""The pages of who comes: a planned evening for people of the club, a player's own page by link, and the page on which
a recorder makes that link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..errors import Refused, form_outdated
from ..models import AttendanceLink, PlannedEvening, Player
from ..web.qr import qr
from ..web.requests import actor_of, see
from . import link
from .selectors import CHOICES, Answers, answers_to, coming_to, next_planned, players_asked, why_closed
from .services import answer_set


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def planned_coming(request: HttpRequest, club: str, season: str, planned: int) -> HttpResponse:
    """Show people of the club who comes to a planned evening; store the own answer, or a recorder's entry for a
    player."""
    access = club_for(request.user, club, Right.SEE_RULES)
    planned_evenings = PlannedEvening.objects.filter(club=access.club, season__slug=season, pk=planned)
    evening = planned_evenings.select_related("season__club").first()
    if evening is None:
        raise Http404("no such planned evening")
    problem = None
    if request.method == "POST":
        try:
            player = _answer(request, access, evening)
        except Refused as refused:
            problem = refused
        else:
            if "club" in request.POST:
                return see(f"{access.club.get_absolute_url()}#next")
            row = "" if player.pk in access.player_ids else f"#player-{player.pk}"
            return see(f"{request.path}{row}")
    context = _evening(request, access, evening) | {"problem": problem}
    return render(request, "league/attendance/planned.html", context, status=problem.status if problem else 200)


def _answer(request: HttpRequest, access: ClubAccess, evening: PlannedEvening) -> Player:
    """Store the answer that was sent, and return its player. Raises Refused as `answer_set`, and 422 for a form without
    a player of the club."""
    sent = request.POST.get("player", "")
    known = sent.isascii() and sent.isdecimal() and len(sent) < 19
    player = players_asked(access.club).filter(pk=int(sent)).select_related("club").first() if known else None
    if player is None:
        raise form_outdated()
    recorder = access.may(Right.RECORD)
    if player.pk not in access.player_ids and not recorder:
        raise PermissionDenied
    answer, actor = request.POST.get("answer", ""), actor_of(request)
    answer_set(planned=evening, player=player, answer=answer, actor=actor, recorder=recorder)
    return player


def _evening(request: HttpRequest, access: ClubAccess, evening: PlannedEvening) -> dict[str, Any]:
    coming, closed = coming_to(access, evening), why_closed(evening)
    may_record = access.may(Right.RECORD)
    enters = may_record and not closed
    shown = {player.pk for player, _answer in coming.own}
    reserves = [player for player in coming.answers.reserves if player.pk not in shown] if enters else []
    shown |= {reserve.pk for reserve in reserves}
    others = [player for player in players_asked(access.club) if player.pk not in shown] if enters else []
    turns = coming.answers.turns if enters else []
    return {
        "club": access.club,
        "season": evening.season,
        "planned": evening,
        "answers": coming.answers,
        "closed": closed,
        "choices": CHOICES,
        "own": coming.own if not closed else [],
        "waiting": coming.waiting if not closed else [],
        "to_ask": _questions(request, evening, turns),
        "reserves": _rows(reserves, coming.answers),
        "members": _rows([player for player in others if not player.guest], coming.answers),
        "guests": _rows([player for player in others if player.guest], coming.answers),
        "may_record": may_record,
    }


def _questions(request: HttpRequest, evening: PlannedEvening, turns: Sequence[Player]) -> list[tuple[Player, str]]:
    """Return each reserve who is asked now, with the text to send. It has the player's link; for an account the address
    of the evening's page. One query, none if nobody is asked."""
    links = (
        {
            attendance_link.player_id: attendance_link
            for attendance_link in AttendanceLink.objects.filter(player__in=turns)
        }
        if turns
        else {}
    )
    about = {
        "day": date_format(evening.held_on, "l, j. F"),
        "time": f"{evening.begins_at:%H:%M}",
        "club": evening.season.club.name,
    }
    questions = []
    for player in turns:
        url = request.path if player.user_id else ""
        if player.pk in links:
            where = {"club": evening.season.club.slug, "token": link.token_of(links[player.pk])}
            url = reverse("coming-link", kwargs=where)
        values = about | {"name": player.nickname, "url": request.build_absolute_uri(url)}
        text = _("%(name)s, somebody is missing at %(club)s: %(day)s, %(time)s. Are you coming?") % values
        if url:
            text += " " + _("Answer here: %(url)s") % values
        questions.append((player, text))
    return questions


def _rows(players: Sequence[Player], answers: Answers) -> list[tuple[Player, str]]:
    return [(player, answers.of(player.pk)) for player in players]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_coming(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Show a recorder the link of a player; make another one, or end it."""
    access = club_for(request.user, club, Right.RECORD)
    chosen_player = players_asked(access.club).filter(pk=player).select_related("club").first()
    if chosen_player is None:
        raise Http404("no such player")
    if request.method == "POST":
        write = link.link_end if request.POST.get("do") == "end" else link.link_renew
        write(player=chosen_player, actor=actor_of(request))
        return see(request.path)
    context: dict[str, Any] = {
        "club": access.club,
        "player": chosen_player,
        "may_edit": access.may_own(Right.ROSTER, chosen_player.pk),
    }
    made = AttendanceLink.objects.filter(player=chosen_player).first()
    if made is not None:
        where = reverse("coming-link", kwargs={"club": club, "token": link.token_of(made)})
        url = request.build_absolute_uri(where)
        context |= {"link": made, "url": url, "code": qr(url)}
    return render(request, "league/attendance/link.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def linked_coming(request: HttpRequest, club: str, token: str) -> HttpResponse:
    """Show a player by the own link the next planned evenings, and store the answers, also in a private club. Of the
    others only their number is there: a link can be passed on."""
    player = link.linked_player(club, token)
    problem = None
    if request.method == "POST" and request.POST.get("do") == "end":
        link.link_end(player=player, actor=None)
        return link.keep_private(render(request, "league/attendance/link_ended.html", {"club": player.club}))
    if request.method == "POST":
        try:
            evening = _sent_evening(request, player)
            answer_set(planned=evening, player=player, answer=request.POST.get("answer", ""), actor=None)
            return link.keep_private(see(f"{request.path}#evening-{evening.pk}"))
        except Refused as refused:
            problem = refused
    evenings = next_planned(player.club)
    answers = answers_to(evenings)
    calendar = request.build_absolute_uri(reverse("coming-calendar", kwargs={"club": club, "token": token}))
    context = {
        "club": player.club,
        "player": player,
        "token": token,
        "rows": [
            (planned, answers[planned.pk], answers[planned.pk].of(player.pk), answers[planned.pk].asks(player.pk))
            for planned in evenings
        ],
        "choices": CHOICES,
        "problem": problem,
        "calendar": calendar,
        "webcal": "webcal:" + calendar.partition(":")[2],
    }
    status = problem.status if problem else 200
    return link.keep_private(render(request, "league/attendance/linked.html", context, status=status))


def _sent_evening(request: HttpRequest, player: Player) -> PlannedEvening:
    sent = request.POST.get("planned", "")
    known = sent.isascii() and sent.isdecimal() and len(sent) < 19
    planned_evening = PlannedEvening.objects.filter(club=player.club_id, pk=int(sent)).first() if known else None
    if planned_evening is None:
        raise form_outdated()
    return planned_evening
