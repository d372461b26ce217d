"""The people of a tournament at the desk: check-in, entering at the door, and the page of one entrant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ...errors import Refused, form_outdated
from ...models import Player
from ...web.requests import actor_of
from .. import entries, own_entries
from ..entries import Newcomer
from ..gate import TournamentAccess, desk_for
from ..pasted_list import names_in, people_in
from .page_parts import DeskRefusal, back, check_number, common, desk_page, dispatch, key_of, number_of, whole
from .people import Person, people_of, person_of, who_is

MOST_CHOICES = 12


@login_required
@never_cache
@require_POST
def check_in(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """Check somebody in by start number, nickname or its first letters, or everybody; with `away` take it back."""
    access = desk_for(request.user, club, tournament)
    if "everybody" in request.POST:
        return _check_in_everybody(request, access)
    typed = request.POST.get("who", "")
    if not typed.strip():
        problem = DeskRefusal(_("Type a start number, or the first letters of a nickname."), at="who")
        return desk_page(request, access, problem=problem, status=422)
    meant = who_is(typed, people_of(access))
    if meant.person is None:
        return _nobody(request, access, typed.strip(), meant.several)
    here = "away" not in request.POST
    if here and meant.person.here:
        sentence = _("%(number)d %(name)s is here already.")
        messages.info(request, sentence % {"number": meant.person.number, "name": meant.person.name})
        return back(access)
    try:
        entrant = _checked(request, access, meant.person, here)
    except Refused as refused:
        return desk_page(request, access, problem=DeskRefusal.of(refused), status=refused.status)
    sentence = _("%(number)d %(name)s is here.") if here else _("%(number)d %(name)s is not here.")
    values = {"number": meant.person.number, "name": meant.person.name}
    slip = entrant.slip
    if here and slip:
        sentence = _("%(number)d %(name)s is here: table %(table)d, place %(seat)d.")
        values |= {"table": slip[0], "seat": slip[1]}
    messages.success(request, sentence % values, extra_tags=f"undo-{meant.person.number}" if here else "")
    return back(access)


def _check_in_everybody(request: HttpRequest, access: TournamentAccess) -> HttpResponse:
    """Check in all who are missing before the first round; with `away` take back what one tap did at that time."""
    who: dict[str, Any] = {"tournament": access.tournament, "author": actor_of(request)}
    try:
        if "away" in request.POST:
            moment = parse_datetime(request.POST["everybody"])
            if moment is None:
                raise form_outdated()
            count = entries.check_in_taken_back(**who, at=moment)
            messages.success(request, _("%(n)d are not here after all.") % {"n": count})
            return back(access)
        count, moment = entries.check_in_all(**who)
    except Refused as refused:
        return desk_page(request, access, problem=DeskRefusal.of(refused), status=refused.status)
    except ValueError:
        return desk_page(request, access, problem=DeskRefusal.of(form_outdated()), status=422)
    sentence = ngettext("%(n)d is here.", "%(n)d are here.", count) % {"n": count}
    messages.success(request, sentence, extra_tags=f"all-{moment.isoformat()}")
    return back(access)


def _checked(request: HttpRequest, access: TournamentAccess, person: Person, here: bool) -> Any:
    if here and person.gone:
        return entries.come_back(tournament=access.tournament, author=actor_of(request), number=person.number)
    return entries.check_in(tournament=access.tournament, author=actor_of(request), number=person.number, here=here)


def _nobody(request: HttpRequest, access: TournamentAccess, typed: str, several: tuple[Person, ...]) -> HttpResponse:
    if several:
        sentence = _("Several begin with “%(text)s”. Choose one.") % {"text": typed}
        problem = DeskRefusal(sentence, at="who", choices=several[:MOST_CHOICES])
    elif whole(typed) is not None:
        problem = DeskRefusal(_("There is no start number %(number)s here.") % {"number": typed}, at="who")
    else:
        problem = DeskRefusal(_("Nobody here is called “%(text)s”.") % {"text": typed}, at="who", enter=typed[:40])
    return desk_page(request, access, problem=problem, status=422, typed=typed)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entrants(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """List everybody; enter people by nickname, one or a pasted list; tick the paid fees, and names not to be shown."""
    access = desk_for(request.user, club, tournament)
    if request.method != "POST":
        return _list(request, access)
    from_desk = request.POST.get("from") == "desk"
    try:
        if request.POST.get("do") in ("paid", "name"):
            return back(access, "tournament-entrants", f"#n{_tick(request, access)}")
        entered = _enter(request, access)
    except Refused as refused:
        typed = request.POST.get("names", "")
        if from_desk:
            problem = DeskRefusal.of(refused)
            return desk_page(request, access, problem=problem, status=refused.status, names_typed=typed)
        return _list(request, access, DeskRefusal.of(refused), refused.status, typed)
    numbers = ", ".join(f"{entrant.number} {entrant.player.nickname}" for entrant in entered[:MOST_CHOICES])
    sentence = ngettext("Entered: %(names)s.", "%(n)d entered: %(names)s.", len(entered))
    names = numbers + (" …" if len(entered) > MOST_CHOICES else "")
    messages.success(request, sentence % {"n": len(entered), "names": names})
    return back(access, "tournament-desk" if from_desk else "tournament-entrants")


def _tick(request: HttpRequest, access: TournamentAccess) -> int:
    """Tick an entrant of the list: the paid fee, or the name that is not shown. Return the start number."""
    number = number_of(request, "number")
    whom: dict[str, Any] = {"tournament": access.tournament, "author": actor_of(request), "number": number}
    if request.POST.get("do") == "paid":
        entries.mark_paid(**whom, paid=request.POST.get("paid") == "yes")
    else:
        entries.hide_name(**whom, hidden=request.POST.get("hidden") == "yes")
    return number


def _enter(request: HttpRequest, access: TournamentAccess) -> Any:
    ticks = {name: name in request.POST for name in ("here", "paid", "name_hidden")}
    people = people_in(request.POST.get("names", ""), **ticks)
    if not people:
        sentence = _("Type a nickname, or several, one on each line.")
        raise Refused(status=422, code="nickname", sentence=sentence, at="names")
    check_number(people)
    return entries.enter(tournament=access.tournament, author=actor_of(request), people=people, key=key_of(request))


def _list(
    request: HttpRequest,
    access: TournamentAccess,
    problem: DeskRefusal | None = None,
    status: int = 200,
    typed: str = "",
) -> HttpResponse:
    people = people_of(access)
    context = common(access) | {
        "people": people,
        "here": sum(person.here for person in people),
        "paid": sum(person.paid for person in people),
        "problem": problem,
        "names_typed": typed,
        "roster": _not_entered(access, people),
        **_own_entries(access),
    }
    return render(request, "league/tournaments/desk/entrants.html", context, status=status)


def _own_entries(access: TournamentAccess) -> dict[str, Any]:
    """Those who entered themselves and wait, each with a mark if the roster has the name. Three queries at most."""
    rows = list(own_entries.waiting(access.tournament)) if access.tournament.state in ("open", "running") else []
    if not rows:
        return {"waiting": []}
    known = {name.casefold() for name in Player.objects.filter(club=access.club).values_list("nickname", flat=True)}
    marked = [(entry, entry.name.casefold() in known) for entry in rows]
    return {"waiting": marked, "places": own_entries.places_of(access.tournament)}


def _not_entered(access: TournamentAccess, people: list[Person]) -> list[str]:
    """Nicknames of the roster that are not entered, for the typing aid."""
    known = Player.objects.filter(club=access.club, active=True, main=None, anonymised_at=None)
    entered = {person.player_id for person in people}
    return [name for pk, name in known.order_by("nickname").values_list("pk", "nickname") if pk not in entered]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entrant(request: HttpRequest, club: str, tournament: str, number: int) -> HttpResponse:
    """One entrant: labels, team and fixed table; paid, here, withdrawn, back, replaced by a substitute."""
    access = desk_for(request.user, club, tournament)
    person = person_of(access, number)
    if person is None:
        raise Http404("no such start number")
    if request.method != "POST":
        return _entrant_page(request, access, person)
    do = request.POST.get("do", "")
    try:
        sentence = dispatch(ACTIONS, do, request, access, person)
    except Refused as refused:
        return _entrant_page(request, access, person, DeskRefusal.of(refused), refused.status)
    messages.success(request, sentence)
    if do == "out":
        return back(access, "tournament-entrants")
    return back(access, "tournament-entrant", number=number)


def _entrant_page(
    request: HttpRequest,
    access: TournamentAccess,
    person: Person,
    problem: DeskRefusal | None = None,
    status: int = 200,
) -> HttpResponse:
    sent = request.POST if status >= 400 else {}
    context = common(access) | {
        "person": person,
        "problem": problem,
        "labels": sent.get("labels", ", ".join(person.labels)),
        "team": sent.get("team", person.team),
        "fixed_table": sent.get("fixed_table", person.fixed_table or ""),
        "substitute": sent.get("substitute", ""),
        "may_take_out": access.tournament.state == "open",
    }
    return render(request, "league/tournaments/desk/entrant.html", context, status=status)


def _describe(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    typed = request.POST.get("fixed_table", "").strip()
    table: int | None = whole(typed)
    if typed and table is None:
        sentence = _("Table numbers go from 1 to 999.")
        raise Refused(status=422, code="tables", sentence=sentence, at="fixed_table")
    entries.describe(
        **_who(request, access, person),
        labels=names_in(request.POST.get("labels", "")),
        team=request.POST.get("team", ""),
        fixed_table=table,
    )
    return _("Saved.")


def _paid(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    paid = request.POST.get("paid") == "yes"
    entries.mark_paid(**_who(request, access, person), paid=paid)
    return _("Ticked as paid.") if paid else _("No longer ticked as paid.")


def _here(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    here = request.POST.get("here") == "yes"
    entries.check_in(**_who(request, access, person), here=here)
    return (_("%(name)s is here.") if here else _("%(name)s is not here.")) % {"name": person.name}


def _name(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    hidden = request.POST.get("hidden") == "yes"
    entries.hide_name(**_who(request, access, person), hidden=hidden)
    sentence = _("%(name)s is not shown by name.") if hidden else _("%(name)s is shown by name.")
    return sentence % {"name": person.name}


def _withdraw(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    entries.withdraw(**_who(request, access, person))
    return _("%(name)s has withdrawn.") % {"name": person.name}


def _come_back(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    entries.come_back(**_who(request, access, person))
    return _("%(name)s is back, and joins with the next draw.") % {"name": person.name}


def _substitute(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    newcomer = Newcomer(nickname=request.POST.get("substitute", ""))
    now = entries.substitute(**_who(request, access, person), newcomer=newcomer, key=key_of(request))
    sentence = _("%(came)s plays for %(left)s from now on.")
    return sentence % {"came": now.player.nickname, "left": person.name}


def _take_out(request: HttpRequest, access: TournamentAccess, person: Person) -> str:
    entries.take_out(**_who(request, access, person))
    return _("%(name)s is taken out.") % {"name": person.name}


def _who(request: HttpRequest, access: TournamentAccess, person: Person) -> dict[str, Any]:
    return {"tournament": access.tournament, "author": actor_of(request), "number": person.number}


ACTIONS: dict[str, Callable[[HttpRequest, TournamentAccess, Person], str]] = {
    "describe": _describe,
    "paid": _paid,
    "here": _here,
    "name": _name,
    "withdraw": _withdraw,
    "back": _come_back,
    "substitute": _substitute,
    "out": _take_out,
}
