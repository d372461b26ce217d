"""The draw at the desk: seen before it is published, changed by hand, published, drawn again, taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ...errors import Refused, form_outdated
from ...models import Draw
from ...web.requests import actor_of
from .. import draw_services
from ..draw_package import drawn_round
from ..format_names import MODE_NAMES
from ..formats import MODES
from ..gate import TournamentAccess, desk_for
from ..pasted_list import names_in
from .draw_preview import draw_view
from .page_parts import DeskRefusal, back, common, desk_page, dispatch, key_of, number_of, url_of, whole
from .people import people_of, who_is
from .selectors import desk_of
from .steps import next_step


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, club: str, tournament: str) -> HttpResponse:
    """The newest draw: propose one, another seed, sit-outs by name, swap two, publish, draw again, take back."""
    access = desk_for(request.user, club, tournament)
    if request.method != "POST":
        return _draw_page(request, access)
    do = request.POST.get("do", "")
    try:
        to = dispatch(ACTIONS, do, request, access)
    except Refused as refused:
        problem = _problem(request, access, refused)
        # Without any draw there is only the desk to show.
        if do in ("draw", "back") and _newest(access) is None:
            return desk_page(request, access, problem=problem, status=refused.status)
        return _draw_page(request, access, problem, refused.status)
    return back(access, to)


def _problem(request: HttpRequest, access: TournamentAccess, refused: Refused) -> DeskRefusal:
    if not refused.details.get("may_confirm"):
        return DeskRefusal.of(refused)
    do = request.POST.get("do", "")
    fields = {name: value for name, value in request.POST.items() if name not in ("csrfmiddlewaretoken", "key")}
    return DeskRefusal(
        refused.sentence,
        confirm_url=url_of(access, "tournament-draw"),
        confirm_label=_("Publish all the same") if do == "publish" else _("Draw all the same"),
        confirm_fields=fields | {"confirmed": "yes"},
    )


def _propose(request: HttpRequest, access: TournamentAccess) -> str:
    sent = request.POST
    mode: Any = sent.get("mode") or None
    seed = whole(sent.get("seed")) if sent.get("seed", "").strip() else None
    if sent.get("seed", "").strip() and seed is None:
        seed = -1
    draw_services.draw_propose(
        tournament=access.tournament,
        author=actor_of(request),
        mode=mode,
        seed=seed,
        left_out=_numbers(access, sent.get("left_out", "")),
        despite_open=sent.get("confirmed") == "yes",
        key=key_of(request),
    )
    return "tournament-draw"


def _again(request: HttpRequest, access: TournamentAccess) -> str:
    seed = whole(request.POST.get("seed")) if request.POST.get("seed", "").strip() else None
    draw_services.draw_again(tournament=access.tournament, author=actor_of(request), seed=seed, key=key_of(request))
    return "tournament-draw"


def _swap(request: HttpRequest, access: TournamentAccess) -> str:
    pair = [_number(access, request.POST.get(name, "")) for name in ("a", "b")]
    draw_services.draw_swap(
        tournament=access.tournament,
        author=actor_of(request),
        proposed=_named(request, access),
        a=pair[0],
        b=pair[1],
        key=key_of(request),
    )
    return "tournament-draw"


def _publish(request: HttpRequest, access: TournamentAccess) -> str:
    published = draw_services.draw_publish(
        tournament=access.tournament,
        author=actor_of(request),
        proposed=_named(request, access),
        despite_open=request.POST.get("confirmed") == "yes",
        key=key_of(request),
    )
    messages.success(request, _("The draw of round %(n)d is published.") % {"n": published.number})
    return "tournament-desk"


def _back(request: HttpRequest, access: TournamentAccess) -> str:
    draw_services.draw_take_back(tournament=access.tournament, author=actor_of(request), key=key_of(request))
    messages.success(request, _("The draw is taken back."))
    return "tournament-desk"


ACTIONS: dict[str, Callable[[HttpRequest, TournamentAccess], str]] = {
    "draw": _propose,
    "again": _again,
    "swap": _swap,
    "publish": _publish,
    "back": _back,
}


def _named(request: HttpRequest, access: TournamentAccess) -> Draw:
    chosen = Draw.objects.filter(tournament=access.tournament, pk=number_of(request, "draw")).first()
    if chosen is None:
        raise form_outdated()
    return chosen


def _numbers(access: TournamentAccess, text: str) -> list[int]:
    people = people_of(access)
    numbers = []
    for word in names_in(text):
        meant = who_is(word, people)
        if meant.person is None:
            sentence = _("Nobody here is called “%(text)s”.") % {"text": word}
            raise Refused(status=422, code="left_out", sentence=sentence, at="left_out")
        numbers.append(meant.person.number)
    return numbers


def _number(access: TournamentAccess, text: str) -> int:
    meant = who_is(text, people_of(access))
    if meant.person is None:
        raise Refused(status=422, code="swap", sentence=_("Choose two people of this draw."), at="a")
    return meant.person.number


def _newest(access: TournamentAccess) -> Draw | None:
    return access.tournament.draws.order_by("round", "number").last()


def _draw_page(
    request: HttpRequest, access: TournamentAccess, problem: DeskRefusal | None = None, status: int = 200
) -> HttpResponse:
    desk = desk_of(access)
    shown = desk.proposed or (desk.current.draw if desk.current else None)
    if desk.phase == "between" and desk.proposed is None:
        shown = None
    published = shown is not None and desk.current is not None and shown.pk == desk.current.draw_id
    same = shown is not None and desk.current is not None and desk.current.number == shown.round
    earlier = drawn_round(desk.current.draw) if desk.current and same and not published else None
    context = common(access) | {
        "desk": desk,
        "step": next_step(desk),
        "drawn": draw_view(shown, desk, earlier) if shown else None,
        "published": published,
        "problem": problem,
        "modes": [(mode, MODE_NAMES[mode]) for mode in MODES],
        "sent": request.POST if problem else {},
        "changed": desk.proposed_changed if desk.proposed else desk.changed,
    }
    return render(request, "league/tournaments/desk/draw.html", context, status=status)
