"""The pages of disputes: one hand with its disputes, and the unsettled disputes of a club."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, Right, club_for
from league.web.requests import actor_of, see

from .. import engine_bridge
from ..errors import FormProblem, Refused, form_outdated
from ..hands import selectors
from ..hands.gate import signed_in
from ..hands.hand_lines import hand_line
from ..hands.selectors import HandView
from ..models import Table
from . import services as disputes

NOTICES = {
    "raise": gettext_lazy("It is noted. Those who record see it."),
    "withdraw": gettext_lazy("You no longer dispute this hand."),
    "settle": gettext_lazy("It is settled."),
}


class DisputeForm(forms.Form):
    """The form of a dispute: raise, withdraw or settle it (`do`), and its player."""

    do = forms.ChoiceField(choices=[(name, name) for name in NOTICES])
    key = forms.UUIDField()
    player = forms.IntegerField(min_value=1, required=False)
    text = forms.CharField(required=False)


def _hand_for(request: HttpRequest, club: str, table: int, number: int) -> tuple[ClubAccess, Table, HandView]:
    """The gate: for recorders and the players of the hand. Raises Http404 and PermissionDenied as `club_for` does."""
    access = club_for(request.user, club)
    card_table = selectors.table_of(club=access.club, table_id=table)
    hand = selectors.hand_view(card_table, number) if card_table else None
    if card_table is None or hand is None:
        if access.may(Right.RECORD) or access.role is None:
            raise Http404("no such hand")
        raise PermissionDenied
    if not access.may(Right.RECORD) and _own(access, hand) is None:
        raise PermissionDenied
    return access, card_table, hand


def _own(access: ClubAccess, hand: HandView) -> int | None:
    own = [player for player in access.player_ids if access.may_own(Right.DISPUTE, player)]
    return disputes.own_in(own, hand.player_ids)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hand_dispute(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """A hand with its recorder and its disputes."""
    access, card_table, hand = _hand_for(request, club, table, number)
    if request.method != "POST":
        return _dispute_page(request, access, card_table, hand)
    form = DisputeForm(request.POST)
    if not form.is_valid():
        return _dispute_page(request, access, card_table, hand, FormProblem.of(form_outdated()), status=422)
    try:
        _do(request, access, card_table, hand, form)
    except Refused as refused:
        problem = FormProblem.of(refused)
        return _dispute_page(request, access, card_table, hand, problem, status=refused.status)
    messages.success(request, NOTICES[form.cleaned_data["do"]])
    return see(reverse("hand-dispute", kwargs={"club": club, "table": table, "number": number}))


def _do(request: HttpRequest, access: ClubAccess, table: Table, hand: HandView, form: DisputeForm) -> None:
    sent = form.cleaned_data
    given = {"table": table, "number": hand.number, "author": actor_of(request), "key": sent["key"]}
    if sent["do"] == "settle":
        if not access.may(Right.RECORD):
            raise PermissionDenied
        disputes.dispute_settle(**given, player_id=sent["player"] or 0, text=sent["text"])
        return
    own = _own(access, hand)
    if own is None:
        sentence = _("Only those who sat in the hand can dispute it.")
        raise Refused(status=403, code="absent", sentence=sentence)
    if sent["do"] == "raise":
        disputes.dispute_raise(**given, player_id=own, text=sent["text"])
    else:
        disputes.dispute_withdraw(**given, player_id=own)


def _dispute_page(
    request: HttpRequest,
    access: ClubAccess,
    table: Table,
    hand: HandView,
    problem: FormProblem | None = None,
    status: int = 200,
) -> HttpResponse:
    of_hand = disputes.disputes_of(hand.hand_id) if hand.hand_id else []
    own = _own(access, hand)
    context = {
        "access": access,
        "club": access.club,
        "evening": table.evening,
        "table": table,
        "hand": hand_line(access.within(table.evening.season), hand),
        "recorder": selectors.recorder_of(table, hand.number),
        "hand_disputes": of_hand,
        "own": own,
        "own_dispute": any(dispute.unsettled and dispute.player_id == own for dispute in of_hand),
        "may_record": access.may(Right.RECORD),
        "problem": problem,
        "text": request.POST.get("text", ""),
        "max": disputes.MAX_TEXT,
        # Called by each form: two answers to one hand are two requests.
        "new_key": engine_bridge.new_key,
    }
    return render(request, "games/disputes/dispute.html", context, status=status)


@signed_in
@never_cache
@require_safe
def club_disputes(request: HttpRequest, club: str) -> HttpResponse:
    """The unsettled disputes of a club, for recorders."""
    access = club_for(request.user, club, Right.RECORD)
    context = {"club": access.club, "disputes": list(disputes.unsettled_of_club(access.club))}
    return render(request, "games/disputes/unsettled.html", context)
