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
    found = desk_for(request.user, club, tournament)
    if "everybody" in request.POST:
        return _check_in_everybody(request, found)
    typed = request.POST.get("who", "")
    if not typed.strip():
        problem = DeskRefusal(_("Type a start number, or the first letters of a nickname."), at="who")
        return desk_page(request, found, problem=problem, status=422)
    meant = who_is(typed, people_of(found))
    if meant.person is None:
        return _nobody(request, found, typed.strip(), meant.several)
    here = "away" not in request.POST
    if here and meant.person.here:
        sentence = _("%(number)d %(name)s is here already.")
        messages.info(request, sentence % {"number": meant.person.number, "name": meant.person.name})
        return back(found)
    try:
        entrant = _checked(request, found, meant.person, here)
    except Refused as refused:
        return desk_page(request, found, problem=DeskRefusal.of(refused), status=refused.status)
    sentence = _("%(number)d %(name)s is here.") if here else _("%(number)d %(name)s is not here.")
    values = {"number": meant.person.number, "name": meant.person.name}
    slip = entrant.slip
    if here and slip:
        sentence = _("%(number)d %(name)s is here: table %(table)d, place %(seat)d.")
        values |= {"table": slip[0], "seat": slip[1]}
    messages.success(request, sentence % values, extra_tags=f"undo-{meant.person.number}" if here else "")
    return back(found)


def _check_in_everybody(request: HttpRequest, found: TournamentAccess) -> HttpResponse:
    """Check in all who are missing before the first round; with `away` take back what one tap did at that time."""
    who: dict[str, Any] = {"tournament": found.tournament, "author": actor_of(request)}
    try:
        if "away" in request.POST:
            at = parse_datetime(request.POST["everybody"])
            if at is None:
                raise form_outdated()
            count = entries.check_in_taken_back(**who, at=at)
            messages.success(request, _("%(n)d are not here after all.") % {"n": count})
            return back(found)
        count, at = entries.check_in_all(**who)
    except Refused as refused:
        return desk_page(request, found, problem=DeskRefusal.of(refused), status=refused.status)
    except ValueError:
        return desk_page(request, found, problem=DeskRefusal.of(form_outdated()), status=422)
    sentence = ngettext("%(n)d is here.", "%(n)d are here.", count) % {"n": count}
    messages.success(request, sentence, extra_tags=f"all-{at.isoformat()}")
    return back(found)


def _checked(request: HttpRequest, found: TournamentAccess, person: Person, here: bool) -> Any:
    if here and person.gone:
        return entries.come_back(tournament=found.tournament, author=actor_of(request), number=person.number)
    return entries.check_in(tournament=found.tournament, author=actor_of(request), number=person.number, here=here)


def _nobody(request: HttpRequest, found: TournamentAccess, typed: str, several: tuple[Person, ...]) -> HttpResponse:
    if several:
        sentence = _("Several begin with “%(text)s”. Choose one.") % {"text": typed}
        problem = DeskRefusal(sentence, at="who", choices=several[:MOST_CHOICES])
    elif whole(typed) is not None:
        problem = DeskRefusal(_("There is no start number %(number)s here.") % {"number": typed}, at="who")
    else:
        problem = DeskRefusal(_("Nobody here is called “%(text)s”.") % {"text": typed}, at="who", enter=typed[:40])
    return desk_page(request, found, problem=problem, status=422, typed=typed)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entrants(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """List everybody; enter people by nickname, one or a pasted list; tick the paid fees, and names not to be shown."""
    found = desk_for(request.user, club, tournament)
    if request.method != "POST":
        return _list(request, found)
    from_desk = request.POST.get("from") == "desk"
    try:
        if request.POST.get("do") in ("paid", "name"):
            return back(found, "tournament-entrants", f"#n{_tick(request, found)}")
        entered = _enter(request, found)
    except Refused as refused:
        typed = request.POST.get("names", "")
        if from_desk:
            problem = DeskRefusal.of(refused)
            return desk_page(request, found, problem=problem, status=refused.status, names_typed=typed)
        return _list(request, found, DeskRefusal.of(refused), refused.status, typed)
    numbers = ", ".join(f"{one.number} {one.player.nickname}" for one in entered[:MOST_CHOICES])
    sentence = ngettext("Entered: %(names)s.", "%(n)d entered: %(names)s.", len(entered))
    names = numbers + (" …" if len(entered) > MOST_CHOICES else "")
    messages.success(request, sentence % {"n": len(entered), "names": names})
    return back(found, "tournament-desk" if from_desk else "tournament-entrants")


def _tick(request: HttpRequest, found: TournamentAccess) -> int:
    """Tick an entrant of the list: the paid fee, or the name that is not shown. Return the start number."""
    number = number_of(request, "number")
    whom: dict[str, Any] = {"tournament": found.tournament, "author": actor_of(request), "number": number}
    if request.POST.get("do") == "paid":
        entries.mark_paid(**whom, paid=request.POST.get("paid") == "yes")
    else:
        entries.hide_name(**whom, hidden=request.POST.get("hidden") == "yes")
    return number


def _enter(request: HttpRequest, found: TournamentAccess) -> Any:
    ticks = {name: name in request.POST for name in ("here", "paid", "name_hidden")}
    people = people_in(request.POST.get("names", ""), **ticks)
    if not people:
        sentence = _("Type a nickname, or several, one on each line.")
        raise Refused(status=422, code="nickname", sentence=sentence, at="names")
    check_number(people)
    return entries.enter(tournament=found.tournament, author=actor_of(request), people=people, key=key_of(request))


def _list(
    request: HttpRequest,
    found: TournamentAccess,
    problem: DeskRefusal | None = None,
    status: int = 200,
    typed: str = "",
) -> HttpResponse:
    people = people_of(found)
    context = common(found) | {
        "people": people,
        "here": sum(one.here for one in people),
        "paid": sum(one.paid for one in people),
        "problem": problem,
        "names_typed": typed,
        "roster": _not_entered(found, people),
        **_own_entries(found),
    }
    return render(request, "league/tournaments/desk/entrants.html", context, status=status)


def _own_entries(found: TournamentAccess) -> dict[str, Any]:
    """Those who entered themselves and wait, each with a mark if the roster has the name. Three queries at most."""
    rows = list(own_entries.waiting(found.tournament)) if found.tournament.state in ("open", "running") else []
    if not rows:
        return {"waiting": []}
    known = {name.casefold() for name in Player.objects.filter(club=found.club).values_list("nickname", flat=True)}
    marked = [(one, one.name.casefold() in known) for one in rows]
    return {"waiting": marked, "places": own_entries.places_of(found.tournament)}


def _not_entered(found: TournamentAccess, people: list[Person]) -> list[str]:
    """Nicknames of the roster that are not entered, for the typing aid."""
    known = Player.objects.filter(club=found.club, active=True, main=None, anonymised_at=None)
    entered = {one.player_id for one in people}
    return [name for pk, name in known.order_by("nickname").values_list("pk", "nickname") if pk not in entered]


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entrant(request: HttpRequest, club: str, tournament: str, number: int) -> HttpResponse:
    """One entrant: labels, team and fixed table; paid, here, withdrawn, back, replaced by a substitute."""
    found = desk_for(request.user, club, tournament)
    person = person_of(found, number)
    if person is None:
        raise Http404("no such start number")
    if request.method != "POST":
        return _entrant_page(request, found, person)
    do = request.POST.get("do", "")
    try:
        sentence = dispatch(ACTIONS, do, request, found, person)
    except Refused as refused:
        return _entrant_page(request, found, person, DeskRefusal.of(refused), refused.status)
    messages.success(request, sentence)
    if do == "out":
        return back(found, "tournament-entrants")
    return back(found, "tournament-entrant", number=number)


def _entrant_page(
    request: HttpRequest, found: TournamentAccess, person: Person, problem: DeskRefusal | None = None, status: int = 200
) -> HttpResponse:
    sent = request.POST if status >= 400 else {}
    context = common(found) | {
        "person": person,
        "problem": problem,
        "labels": sent.get("labels", ", ".join(person.labels)),
        "team": sent.get("team", person.team),
        "fixed_table": sent.get("fixed_table", person.fixed_table or ""),
        "substitute": sent.get("substitute", ""),
        "may_take_out": found.tournament.state == "open",
    }
    return render(request, "league/tournaments/desk/entrant.html", context, status=status)


def _describe(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    typed = request.POST.get("fixed_table", "").strip()
    table: int | None = whole(typed)
    if typed and table is None:
        sentence = _("Table numbers go from 1 to 999.")
        raise Refused(status=422, code="tables", sentence=sentence, at="fixed_table")
    entries.describe(
        **_who(request, found, person),
        labels=names_in(request.POST.get("labels", "")),
        team=request.POST.get("team", ""),
        fixed_table=table,
    )
    return _("Saved.")


def _paid(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    paid = request.POST.get("paid") == "yes"
    entries.mark_paid(**_who(request, found, person), paid=paid)
    return _("Ticked as paid.") if paid else _("No longer ticked as paid.")


def _here(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    here = request.POST.get("here") == "yes"
    entries.check_in(**_who(request, found, person), here=here)
    return (_("%(name)s is here.") if here else _("%(name)s is not here.")) % {"name": person.name}


def _name(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    hidden = request.POST.get("hidden") == "yes"
    entries.hide_name(**_who(request, found, person), hidden=hidden)
    sentence = _("%(name)s is not shown by name.") if hidden else _("%(name)s is shown by name.")
    return sentence % {"name": person.name}


def _withdraw(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    entries.withdraw(**_who(request, found, person))
    return _("%(name)s has withdrawn.") % {"name": person.name}


def _come_back(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    entries.come_back(**_who(request, found, person))
    return _("%(name)s is back, and joins with the next draw.") % {"name": person.name}


def _substitute(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    newcomer = Newcomer(nickname=request.POST.get("substitute", ""))
    now = entries.substitute(**_who(request, found, person), newcomer=newcomer, key=key_of(request))
    sentence = _("%(came)s plays for %(left)s from now on.")
    return sentence % {"came": now.player.nickname, "left": person.name}


def _take_out(request: HttpRequest, found: TournamentAccess, person: Person) -> str:
    entries.take_out(**_who(request, found, person))
    return _("%(name)s is taken out.") % {"name": person.name}


def _who(request: HttpRequest, found: TournamentAccess, person: Person) -> dict[str, Any]:
    return {"tournament": found.tournament, "author": actor_of(request), "number": person.number}


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
