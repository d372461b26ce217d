"""The pages that close an evening: close it, settle up, open it again. A view is gate, form, service, page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.access import ClubAccess, Right, club_for
from league.club_admin.services import club_change
from league.models import Closing, Club, Evening, User
from league.payments import days
from league.payments import services as payments
from league.payments.forms import PaidDayForm
from league.standings.closed_seasons import why_closed
from league.web.requests import see

from .. import engine_bridge
from ..errors import FormProblem, Refused
from ..evening.gate import evening_for
from ..hands import carried_pots
from ..hands.gate import signed_in
from ..hands.rounds import round_at
from . import last_hands, selectors, services
from .forms import CloseForm, KeyedForm, LastHandForm, PaidForm, ReopenForm, WindowForm, numbers, of_day


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def evening_close(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The page with the choices for the pot; once the evening is closed, the page of payments."""
    access, night = evening_for(request, club, evening, Right.RECORD)
    played = round_at(night)
    if played is not None and request.method != "POST":
        # The desk finishes a round.
        return redirect(played.address)
    if request.method != "POST":
        return _close_page(request, access, night)
    form = CloseForm(request.POST)

    def write() -> None:
        services.evening_close(
            evening=night,
            author=_author(request),
            key=form.cleaned_data["key"],
            pot=form.cleaned_data["pot"],
            present=form.present(),
            settling=form.cleaned_data["settling"] or None,
        )

    refused = _carry_out(request, access, night, form, write)
    if refused is not None:
        return refused
    return see(_close_url(access, night))


@signed_in
@never_cache
@require_POST
def evening_reopen(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """Open a closed evening again; a final one only for an owner, with a reason."""
    access, night = evening_for(request, club, evening, Right.RECORD)
    form = ReopenForm(request.POST)

    def write() -> None:
        services.evening_reopen(
            evening=night,
            author=_author(request),
            key=form.cleaned_data["key"],
            owner=access.may(Right.MANAGE),
            reason=form.cleaned_data["reason"],
        )

    refused = _carry_out(request, access, night, form, write)
    if refused is not None:
        return refused
    stayed = carried_pots.missing_since_reopening(night)
    if stayed:
        messages.warning(request, _("The evening is open again.") + f" {stayed.since()}")
    else:
        messages.success(request, _("The evening is open again; the pot is on the table."))
    return see(_close_url(access, night))


@signed_in
@never_cache
@require_POST
def evening_last(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """Announce that all play the next hand and that it is the last one; then go back to the table."""
    access, night = evening_for(request, club, evening, Right.RECORD)
    form = LastHandForm(request.POST)

    def write() -> None:
        values = form.cleaned_data
        last_hands.last_hand(evening=night, author=_author(request), key=values["key"], on=not values["off"])

    refused = _carry_out(request, access, night, form, write)
    if refused is not None:
        return refused
    off = form.cleaned_data["off"]
    return see(_close_url(access, night) if off else reverse("evening-record", kwargs=_url_names(access, night)))


@signed_in
@never_cache
@require_POST
def payments_mark(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """Mark payments as paid, one or all, or take a mark back."""
    access, night = evening_for(request, club, evening, Right.RECORD)
    form = PaidForm(request.POST)

    def write() -> None:
        services.payments_mark(
            evening=night,
            author=_author(request),
            key=form.cleaned_data["key"],
            paid=form.cleaned_data["paid"] == "yes",
            numbers=form.payments(),
            day=form.cleaned_data["day"],
            way=form.way_noted,
        )

    refused = _carry_out(request, access, night, form, write)
    if refused is not None:
        return refused
    if form.cleaned_data["player"]:
        of_player = _url_names(access, night) | {"player": form.cleaned_data["player"]}
        return see(reverse("evening-cash-out", kwargs=of_player))
    return see(f"{_close_url(access, night)}{of_day(form.cleaned_data['day'], form.way_noted)}#payments")


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def club_window(request: HttpRequest, club: str) -> HttpResponse:
    """The hours for which an evening stays provisional; they apply to evenings closed from now on."""
    access = club_for(request.user, club, Right.MANAGE)
    form = WindowForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            hours = form.cleaned_data["correction_hours"]
            club_change(club=access.club, actor=_author(request), changes={"correction_hours": hours})
            sentence = ngettext(
                "From now on an evening is provisional for %(n)d hour.",
                "From now on an evening is provisional for %(n)d hours.",
                hours,
            )
            messages.success(request, sentence % {"n": hours})
            return see(reverse("club-window", kwargs={"club": club}))
        status = 422
    context = {"club": access.club, "form": form, "choices": (0, 12, 24, 48, 72, 168)}
    return render(request, "games/closing/window.html", context, status=status)


def _url_names(access: ClubAccess, evening: Evening) -> dict[str, Any]:
    return {"club": access.club.slug, "evening": evening.pk}


def _close_url(access: ClubAccess, evening: Evening) -> str:
    return reverse("evening-close", kwargs=_url_names(access, evening))


def _author(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _carry_out(
    request: HttpRequest, access: ClubAccess, evening: Evening, form: KeyedForm, write: Callable[[], None]
) -> HttpResponse | None:
    """Call `write` if the form is valid. Return the page with the problem, or None if it was stored."""
    problem = form.problem()
    if problem:
        return _close_page(request, access, evening, problem, status=422)
    try:
        write()
    except Refused as refused:
        return _close_page(request, access, evening, FormProblem.of(refused), status=refused.status)
    return None


def _close_page(
    request: HttpRequest,
    access: ClubAccess,
    evening: Evening,
    problem: FormProblem | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of an open evening with its choices, or of a closed one with the settling up."""
    evening.refresh_from_db(fields=["state", "settling", "final_at"])
    stage = evening.stage()
    context = {
        "access": access,
        "club": access.club,
        "evening": evening,
        "stage": stage,
        "problem": problem,
        "key": engine_bridge.new_key(),
        "more_key": engine_bridge.new_key(),
        "reason": request.POST.get("reason", "")[: services.MAX_REASON],
        "owns": access.may(Right.MANAGE),
        "closings": selectors.closings_of(evening),
    }
    visible_players = None if access.may(Right.SEE_MONEY) else access.player_ids
    earlier = payments.outstanding_payments(access.club, visible_players).exclude(closing__evening=evening)
    context["earlier_minor"] = sum(payment.amount_minor for payment in earlier)
    if stage == Evening.Stage.OPEN:
        sent = request.GET if request.method != "POST" else request.POST
        pot, settling = sent.get("pot", ""), sent.get("settling", "")
        context["preview"] = selectors.closing_preview(
            evening,
            pot=pot if pot in Closing.Pot.values else Closing.Pot.CARRY,
            ticked=numbers(sent, "present") if pot else None,
            settling=settling if settling in Club.Settling.values else None,
        )
        context["settlings"] = Club.Settling.choices
        return render(request, "games/closing/close.html", context, status=status)
    settled = context["settled"] = selectors.settled(evening)
    if settled and settled.lines:
        link = request.build_absolute_uri(evening.get_absolute_url())
        context["share_text"] = selectors.payments_text(access, evening, settled, link)
    in_coins = evening.settling == Club.Settling.HANDS and not (settled and settled.open_minor)
    context["season_closed"] = why_closed(evening.season)
    context["last_day"] = last_day = days.default_day(evening.held_on)
    context |= PaidDayForm(request.GET if request.method != "POST" else request.POST).for_page(last_day)
    context["in_coins"] = in_coins and not evening.season.points_only
    return render(request, "games/closing/settled.html", context, status=status)
