"""The pages of the roster: all players, one player, merging and unmerging players."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..access import ClubAccess, Right, club_for
from ..errors import Refused
from ..models import Evening, Player, ResultRow
from ..roster import merging, services
from ..web.club_navigation import club_admin_context, show_refusal
from ..web.requests import actor_of, see
from .forms import MergeForm, NewPlayerForm, PlayerForm

FIELDS = ("nickname", "guest", "active", "publicity", "pseudonym")


def players_of(access: ClubAccess) -> QuerySet[Player]:
    """Return the club's players, those in the roster first, then by name, each with its main player and the number of
    its `evenings`. One query."""
    players = Player.objects.filter(club=access.club, anonymised_at=None).select_related("main", "user")
    of_league = Q(standings__season__in_chips=False)
    evenings = Coalesce(Sum("standings__evenings", filter=of_league), 0)
    return players.annotate(evenings=evenings).order_by("-active", "nickname")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def roster(request: HttpRequest, club: str) -> HttpResponse:
    """List all players, with a form that adds one."""
    access = club_for(request.user, club, Right.ROSTER)
    if request.method == "POST" and "publicity" in request.POST:
        return _publicity(request, access)
    if request.method == "POST" and "join" in request.POST:
        return _join(request, access)
    form = NewPlayerForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                player = services.player_add(club=access.club, actor=actor_of(request), **form.cleaned_data)
            except Refused as refused:
                show_refusal(form, refused)
            else:
                messages.success(request, _("%(name)s is in the roster.") % {"name": player.nickname})
                return see(reverse("club-roster", kwargs={"club": club}))
    everybody: list[Any] = list(players_of(access))
    guests = [p for p in everybody if p.active and not p.main_id and p.called_guest(p.evenings)]
    context = club_admin_context(access) | {
        "form": form,
        "members": [p for p in everybody if p.active and not p.main_id and p not in guests],
        "guests": guests,
        "gone": [p for p in everybody if not p.active and not p.main_id],
        "merged": [p for p in everybody if p.main_id],
        "everybody": everybody,
        **_joining(access),
    }
    return render(request, "league/club_admin/roster.html", context, status=status)


def _publicity(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Choose what visitors see of everybody who has no account."""
    try:
        count = services.publicity_set_for_all(
            club=access.club, actor=actor_of(request), publicity=request.POST["publicity"]
        )
    except Refused as refused:
        messages.error(request, refused.sentence)
    else:
        said = ngettext("Changed for %(count)d player.", "Changed for %(count)d players.", count)
        messages.success(request, said % {"count": count} if count else _("It was so before."))
    return see(reverse("club-roster", kwargs={"club": access.club.slug}))


def _joining(access: ClubAccess) -> dict[str, Any]:
    """Return the newest evening that guests played on, and these guests. Two queries at most."""
    evening = services.newest_with_guests(access.club)
    return {"joining_evening": evening, "joining": services.guests_of(evening) if evening else []}


def _join(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    """Make regular players of the guests of an evening. Raises Http404 for an evening of another club."""
    sent = request.POST["join"]
    known = sent.isascii() and sent.isdecimal() and len(sent) < 19
    evening = Evening.nights.filter(club=access.club, pk=int(sent)).first() if known else None
    if evening is None:
        raise Http404("no such evening")
    joined = services.guests_join(club=access.club, evening=evening, actor=actor_of(request))
    names = ", ".join(player.nickname for player in joined)
    said = ngettext("%(names)s belongs to the club.", "%(names)s belong to the club.", len(joined))
    messages.success(request, said % {"names": names} if joined else _("It was so before."))
    return see(reverse("club-roster", kwargs={"club": access.club.slug}))


def player_for(request: HttpRequest, club: str, player: int, right: Right) -> tuple[ClubAccess, Player]:
    """The gate of a player's pages: the right for all players, or for the person's own player."""
    access = club_for(request.user, club)
    chosen_player = Player.objects.filter(club=access.club, pk=player).select_related("main").first()
    if chosen_player is None or (chosen_player.anonymised_at is not None and access.role is None):
        raise Http404("no such player")
    if not access.may_own(right, chosen_player.pk):
        raise PermissionDenied
    return access, chosen_player


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_edit(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Change a player's nickname, place in the roster and public name."""
    access, chosen_player = player_for(request, club, player, Right.ROSTER)
    own = not access.may(Right.ROSTER)
    names = services.OWN if own else services.CHANGEABLE
    initial = {name: getattr(chosen_player, name) for name in names}
    form = PlayerForm(request.POST if request.method == "POST" else None, own=own, initial=initial)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                services.player_change(player=chosen_player, actor=actor_of(request), changes=form.cleaned_data)
            except Refused as refused:
                show_refusal(form, refused)
                status = refused.status
            else:
                messages.success(request, _("Saved."))
                return see(reverse("player", kwargs={"club": club, "player": chosen_player.pk}))
    context = club_admin_context(access) | {
        "player": chosen_player,
        "form": form,
        "own": own,
        "may_link": access.may(Right.RECORD) and chosen_player.active and chosen_player.main_id is None,
        "may_merge": access.may(Right.PEOPLE),
        "others": list(chosen_player.others.all()) if chosen_player.main_id is None else [],
    }
    return render(request, "league/club_admin/player.html", context, status=status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def player_merge(request: HttpRequest, club: str, player: int) -> HttpResponse:
    """Merge a player into another one, after a preview of the changes; or unmerge a merged player."""
    access = club_for(request.user, club, Right.PEOPLE)
    chosen_player = (
        Player.objects.filter(club=access.club, pk=player, anonymised_at=None).select_related("main").first()
    )
    if chosen_player is None:
        raise Http404("no such player")
    candidates = Player.objects.filter(club=access.club, main=None, anonymised_at=None).exclude(pk=chosen_player.pk)
    sent = request.POST if request.method == "POST" else request.GET if "main" in request.GET else None
    if chosen_player.main_id is not None:
        return _unmerge(request, access, chosen_player)
    form = MergeForm(sent)
    _set_choices(form, candidates)
    context = club_admin_context(access) | {"player": chosen_player, "form": form, "preview": None}
    if sent is None:
        return render(request, "league/club_admin/merge.html", context)
    status = 422
    if form.is_valid():
        main = form.cleaned_data["main"]
        try:
            if request.method == "POST":
                reason = form.cleaned_data["reason"]
                merging.players_merge(
                    club=access.club, player=chosen_player, main=main, reason=reason, actor=actor_of(request)
                )
                sentence = _("%(player)s counts for %(main)s from now on.")
                messages.success(request, sentence % {"player": chosen_player.nickname, "main": main.nickname})
                return see(reverse("player-edit", kwargs={"club": club, "player": main.pk}))
            status = 200
        except Refused as refused:
            show_refusal(form, refused)
            status = refused.status
        context["preview"], problem = _preview(access, chosen_player, main)
        if problem and not form.errors:
            show_refusal(form, problem)
            status = problem.status
    return render(request, "league/club_admin/merge.html", context, status=status)


def _preview(access: ClubAccess, player: Player, main: Player) -> tuple[merging.Preview | None, Refused | None]:
    try:
        return merging.merge_preview(club=access.club, player=player, main=main), None
    except Refused as refused:
        return None, refused


def _set_choices(form: Any, candidates: QuerySet[Player]) -> None:
    played = ResultRow.objects.filter(player=OuterRef("pk"), season__in_chips=False)
    form.fields["main"].queryset = candidates.annotate(played=Exists(played)).order_by("-played", "nickname")


def _unmerge(request: HttpRequest, access: ClubAccess, player: Player) -> HttpResponse:
    status, problem = 200, ""
    reason = request.POST.get("reason", "")[: merging.MAX_REASON]
    if request.method == "POST":
        try:
            merging.players_unmerge(club=access.club, player=player, reason=reason, actor=actor_of(request))
        except Refused as refused:
            status, problem = refused.status, refused.sentence
        else:
            messages.success(request, _("%(player)s counts alone again.") % {"player": player.nickname})
            return see(reverse("player-edit", kwargs={"club": access.club.slug, "player": player.pk}))
    merge = merging.newest_merge(player)
    context = club_admin_context(access) | {
        "player": player,
        "main": merge.main if merge else player.main,
        "merge": merge,
        "along": merging.those_along(player),
        "problem": problem,
        "reason": reason,
    }
    return render(request, "league/club_admin/part.html", context, status=status)
