"""The set-up of a tournament: its basics, its format with the outlook, its desk, its states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ...errors import Refused, form_outdated
from ...models import DeskMember, Membership, Role, Season, User
from ...web.requests import actor_of
from .. import services, tables
from ..formats import Format
from ..gate import TournamentAccess, desk_for
from ..outlook import Outlook, outlook
from .forms import AwardForm, BasicsForm, format_form, numbers_in, tie_break_rows
from .page_parts import DeskRefusal, back, common, dispatch, hours_text, key_of, number_of, url_of, whole

BASICS = ("name", "starts_on", "ends_on", "begins_at", "game", "fee", "prizes")
EXPECTED = 24
"""For so many people the outlook is shown before anybody is entered."""


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Change a tournament. A GET with the parts of a format shows their outlook and stores nothing."""
    access = desk_for(request.user, club, tournament)
    if request.method != "POST":
        return _setup_page(request, access)
    try:
        sentence, to = dispatch(ACTIONS, request.POST.get("do", ""), request, access)
    except _Invalid as invalid:
        return _setup_page(request, access, forms=invalid.forms, status=invalid.status)
    except Refused as refused:
        return _setup_page(request, access, DeskRefusal.of(refused), refused.status)
    messages.success(request, sentence)
    return back(access, to)


class _Invalid(Exception):
    """Invalid forms, by name."""

    def __init__(self, status: int = 422, **forms: Any) -> None:
        super().__init__()
        self.status = status
        self.forms = forms


Done = tuple[str, str]
SETUP, DESK = "tournament-setup", "tournament-desk"


def _basics(request: HttpRequest, access: TournamentAccess) -> Done:
    form = BasicsForm(request.POST, games=_games())
    if not form.is_valid():
        raise _Invalid(basics=form)
    changes = {name: form.cleaned_data[name] for name in BASICS}
    try:
        services.tournament_change(**_what(request, access), changes=changes)
    except Refused as refused:
        form.add_error(refused.at if refused.at in form.fields else None, refused.sentence)
        raise _Invalid(refused.status, basics=form) from refused
    return _("Saved."), SETUP


def _format(request: HttpRequest, access: TournamentAccess) -> Done:
    form = format_form(Format.read(access.tournament.format), request.POST)
    if not form.is_valid():
        raise _Invalid(format=form)
    try:
        services.format_change(**_what(request, access), parts=form.parts())
    except Refused as refused:
        form.add_error(refused.at if refused.at in form.fields else None, refused.sentence)
        raise _Invalid(refused.status, format=form) from refused
    return _("The format is saved."), SETUP


def _tables(request: HttpRequest, access: TournamentAccess) -> Done:
    numbers = numbers_in(request.POST.get("closed_tables", ""))
    if numbers is None:
        raise Refused(status=422, code="tables", sentence=_("Table numbers go from 1 to 999."), at="closed_tables")
    services.closed_tables_set(**_what(request, access), numbers=numbers)
    return _("Saved."), SETUP


def _names(request: HttpRequest, access: TournamentAccess) -> Done:
    """Choose whether names are shown in the hall: from the set-up, or from the desk at check-in."""
    shown = request.POST.get("names") == "yes"
    services.names_show(**_what(request, access), shown=shown)
    sentence = _("Names are shown in the hall.") if shown else _("Names are not shown in the hall.")
    return sentence, DESK if request.POST.get("from") == "desk" else SETUP


def _award(request: HttpRequest, access: TournamentAccess) -> Done:
    form = _award_form(access, request.POST)
    if not form.is_valid():
        raise _Invalid(award=form)
    points = numbers_in(form.cleaned_data["points"].replace("-", "x"))
    if points is None:
        form.add_error("points", _("Give the points of each place as whole numbers from 0 to 10,000."))
        raise _Invalid(award=form)
    services.award_set(**_what(request, access), season=form.cleaned_data["season"], points=points)
    return _("Saved."), SETUP


def _member(request: HttpRequest, access: TournamentAccess) -> Done:
    """Name a person for the desk; only an owner may."""
    if access.access.role != Role.OWNER:
        raise PermissionDenied
    number = number_of(request, "user")
    chosen = User.objects.filter(pk=number, memberships__club=access.club).first()
    if chosen is None:
        raise form_outdated()
    member = request.POST.get("member") == "yes"
    services.desk_member_set(**_what(request, access), user=chosen, member=member)
    return _("Saved."), SETUP


def _open(request: HttpRequest, access: TournamentAccess) -> Done:
    services.entries_open(**_what(request, access), key=key_of(request))
    return _("The tournament is open for entries."), DESK


def _close(request: HttpRequest, access: TournamentAccess) -> Done:
    services.entries_close(**_what(request, access), key=key_of(request))
    return _("The tournament is in preparation again."), SETUP


def _finish(request: HttpRequest, access: TournamentAccess) -> Done:
    services.tournament_finish(**_what(request, access), key=key_of(request))
    return _("The tournament is finished."), DESK


def _reveal(request: HttpRequest, access: TournamentAccess) -> Done:
    """Show the podium on the big screen, with as many places as the form says; without a number, no longer."""
    step = whole(request.POST.get("step"))
    services.podium_reveal(**_what(request, access), step=step)
    if step is None:
        return _("The podium is off the big screen."), DESK
    return _("The big screen shows it within seconds."), DESK


def _reopen(request: HttpRequest, access: TournamentAccess) -> Done:
    owner = access.access.role == Role.OWNER
    reason = request.POST.get("reason", "")
    services.tournament_reopen(**_what(request, access), owner=owner, reason=reason, key=key_of(request))
    return _("The tournament is open again."), DESK


def _archive(request: HttpRequest, access: TournamentAccess) -> Done:
    services.tournament_archive(**_what(request, access))
    return _("The tournament is archived."), SETUP


def _unarchive(request: HttpRequest, access: TournamentAccess) -> Done:
    services.tournament_archive(**_what(request, access), archived=False)
    return _("The tournament is no longer archived."), SETUP


ACTIONS: dict[str, Callable[[HttpRequest, TournamentAccess], Done]] = {
    "basics": _basics,
    "format": _format,
    "tables": _tables,
    "names": _names,
    "award": _award,
    "member": _member,
    "open": _open,
    "close": _close,
    "finish": _finish,
    "reveal": _reveal,
    "reopen": _reopen,
    "archive": _archive,
    "unarchive": _unarchive,
}


def _what(request: HttpRequest, access: TournamentAccess) -> dict[str, Any]:
    return {"tournament": access.tournament, "author": actor_of(request)}


def _games() -> list[tuple[str, str]]:
    return list(tables.of_games().games().items())


def _award_form(access: TournamentAccess, data: Any = None) -> AwardForm:
    points = " ".join(str(award_point) for award_point in access.tournament.award_points)
    form = AwardForm(data, initial={"season": access.tournament.award_season_id, "points": points})
    form.fields["season"].queryset = Season.objects.filter(club=access.club).order_by("-starts_on")  # type: ignore[attr-defined]
    return form


def _setup_page(
    request: HttpRequest,
    access: TournamentAccess,
    problem: DeskRefusal | None = None,
    status: int = 200,
    forms: dict[str, Any] | None = None,
) -> HttpResponse:
    now, sent = access.tournament, forms or {}
    stored = Format.read(now.format)
    tried, refused = _tried(request, stored)
    initial = {name: getattr(now, name) for name in BASICS}
    format_sent = request.POST if "format" in sent else request.GET if "rounds" in request.GET else None
    expected = _expected(request, access)
    context = common(access) | {
        "problem": problem,
        "basics": sent.get("basics") or BasicsForm(None, initial=initial, games=_games()),
        "format": sent.get("format") or format_form(stored),
        "tie_breaks": tie_break_rows(stored, format_sent),
        **outlook_context(tried, expected, now.begins_at, refused),
        "expected": expected,
        "award": sent.get("award") or _award_form(access),
        "closed_tables": request.POST.get("closed_tables")
        or " ".join(str(closed_table) for closed_table in now.closed_tables),
        "desk_people": _desk_people(access),
        "fixed": now.state not in ("draft", "open"),
        "reason": request.POST.get("reason", ""),
        "own_entry_address": _own_entry_address(request, access),
    }
    return render(request, "league/tournaments/desk/setup.html", context, status=status)


def _own_entry_address(request: HttpRequest, access: TournamentAccess) -> str:
    """The address at which people enter themselves; empty where nobody can."""
    if access.tournament.own_entry_places is None:
        return ""
    return request.build_absolute_uri(url_of(access, "tournament-own-entry"))


def _tried(request: HttpRequest, stored: Format) -> tuple[Format, str]:
    """The format that a GET or a refused POST tries, and the reason why it is invalid."""
    data = request.POST if request.POST.get("do") == "format" else request.GET if "rounds" in request.GET else None
    if data is None:
        return stored, ""
    form = format_form(stored, data)
    if not form.is_valid():
        return stored, str(next(iter(form.errors.values()))[0])
    try:
        return stored.changed(form.parts()), ""
    except Refused as refused:
        return stored, refused.sentence


def _expected(request: HttpRequest, access: TournamentAccess) -> int:
    typed = whole(request.GET.get("people"))
    if typed is not None and 0 <= typed <= 2000:
        return typed
    return access.tournament.entrants.filter(struck=False).count() or EXPECTED


def outlook_context(format: Format, people: int, begins_at: Any, refused: str = "") -> dict[str, Any]:
    """The context of an outlook, or of the sentence with the reason why there is none."""
    seen = Outlook(people, refused=refused) if refused else outlook(format, people, begins_at=begins_at)
    return {"outlook": seen, "hours": hours_text(seen.minutes)}


def _desk_people(access: TournamentAccess) -> list[dict[str, Any]]:
    """The recorders of the club, each with a mark for the desk; owners always have it."""
    named = set(DeskMember.objects.filter(tournament=access.tournament).values_list("user_id", flat=True))
    rows = Membership.objects.filter(club=access.club).exclude(role=Role.MEMBER).select_related("user")
    people = [
        {
            "pk": row.user_id,
            "name": str(row.user),
            "role": row.get_role_display(),
            "owner": row.role == Role.OWNER,
            "named": row.user_id in named,
        }
        for row in rows
    ]
    return sorted(people, key=lambda person: (not person["owner"], str(person["name"]).casefold()))
