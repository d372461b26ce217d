"""The page on which a player who leaves early settles up while the evening is open."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import ClubAccess, Right
from league.models import Closing, Club, Evening
from league.payments import days
from league.payments import services as payments
from league.web.requests import actor_of, see

from .. import engine_bridge
from ..errors import FormProblem, Refused
from ..evening.gate import evening_for
from ..hands.gate import signed_in
from ..models import Table
from .cash_outs import Participant, cash_out, participants
from .forms import CashOutForm, numbers
from .selectors import PaymentLine, payment_lines


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def evening_cash_out(request: HttpRequest, club: str, evening: int, player: int) -> HttpResponse:
    """Show the player's sum, choose the other player, and mark it as paid."""
    access, night = evening_for(request, club, evening, Right.RECORD)
    if request.method != "POST":
        return _cash_out_page(request, access, night, player)
    form = CashOutForm(request.POST)
    problem = form.problem()
    if problem:
        return _cash_out_page(request, access, night, player, problem, status=422)
    try:
        cash_out(
            evening=night,
            author=actor_of(request),
            key=form.cleaned_data["key"],
            player_id=player,
            other_id=form.cleaned_data["other"],
            open_minor=form.cleaned_data["open_minor"],
        )
    except Refused as refused:
        return _cash_out_page(request, access, night, player, FormProblem.of(refused), status=refused.status)
    table = _table_of(request, night)
    where = reverse("evening-cash-out", kwargs={"club": club, "evening": evening, "player": player})
    return see(f"{where}?table={table}" if table else where)


def _table_of(request: HttpRequest, evening: Evening) -> int | None:
    """The table from which the recorder came, if it is one of this evening."""
    sent = numbers(request.POST if request.method == "POST" else request.GET, "table")[:1]
    return Table.objects.filter(evening=evening, pk__in=sent).values_list("pk", flat=True).first() if sent else None


def _cash_out_page(
    request: HttpRequest,
    access: ClubAccess,
    evening: Evening,
    player: int,
    problem: FormProblem | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of the player with the sums of now."""
    people = participants(evening)
    person = people.pop(player, None)
    if person is None:
        raise Http404("nobody of this evening")
    others = _others(person, people.values())
    chosen = request.POST.get("other", "")
    context = {
        "access": access,
        "club": access.club,
        "evening": evening,
        "in_coins": evening.settling == Club.Settling.HANDS,
        "person": person,
        "others": others,
        "chosen": int(chosen) if chosen.isdecimal() else others[0].player_id if others else 0,
        "done": _cash_outs_of(evening, player),
        "problem": problem,
        "table": _table_of(request, evening),
        "key": engine_bridge.new_key(),
    }
    return render(request, "games/closing/cash_out.html", context, status=status)


def _others(person: Participant, people: Iterable[Participant]) -> list[Participant]:
    """The persons who can give or take the coins: those at a table first, then by the sums that they have to pay or
    get."""
    sign = 1 if person.open_minor < 0 else -1
    return sorted(people, key=lambda other: (not other.seated, -sign * other.open_minor))


def _cash_outs_of(evening: Evening, player: int) -> list[PaymentLine]:
    """The player's cash-outs of this evening that are paid."""
    cashed = payments.about([player]).filter(closing__evening=evening, closing__kind=Closing.Kind.CASHED)
    return payment_lines(
        payments.only_paid(days.with_paid_on(cashed)).order_by("closing__number"), evening.club.currency
    )
