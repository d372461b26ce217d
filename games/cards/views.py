"""The pages of hands card by card: play a stored hand through, and choose the pack of the club."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, Right, club_for
from league.models import Club
from league.web.requests import see

from .. import engine_bridge
from ..hand_worth.of_hand import worth_of_hands
from ..hands import clause_sentences, selectors
from ..hands.effect_lines import rules_url
from ..hands.gate import signed_in, table_for
from ..hands.preview import preview_of
from ..hands.selectors import HandView
from ..models import Table
from . import steps

SAMPLE = ("As", "Kh", "Qd", "Jc", "Th", "9s", "6d")
"""The cards that show each pack."""


@require_safe
def play_through(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """A stored hand step by step; `?step=` names the step, from 0 before the deal. It opens on the full table."""
    access = club_for(request.user, club)
    card_table = table_for(access, table)
    access = access.within(card_table.evening.season)
    hand = selectors.hand_view(card_table, number)
    if hand is None or not engine_bridge.has_cards(hand.record):
        raise Http404("no such hand, or its cards were not written down")
    hand = selectors.as_reader_sees(hand, access.names)
    course = steps.walk(dict(hand.record))
    last = len(course.scenes)
    wanted = request.GET.get("step", "")
    step = (
        min(int(wanted), last) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 5 else steps.dealt(course)
    )
    sentence = clause_sentences.summary(hand.game, dict(hand.result), dict(enumerate(hand.names)))
    decided = steps.decided(course, hand.names, access.club.faces)
    context = {
        "access": access,
        "club": access.club,
        "faces": access.club.faces,
        "evening": card_table.evening,
        "table": card_table,
        "hand": hand,
        "step": step,
        "last": last,
        "board": steps.board(course, hand.game, step, hand.names, access.club.faces),
        "in_words": sentence,
        "ends": sentence if step == last else "",
        "decided": decided if step == last else None,
        "decides_here": decided.at.get(step, "") if decided else "",
        "worths": _worths(course, hand, access.club.faces) if step == last else [],
        **(_coins(access, card_table, hand) if step == last else {}),
        "sentences": [
            (steps.step_sentence(scene, hand.names, access.club.faces), decided is not None and number in decided.at)
            for number, scene in enumerate(course.scenes, 1)
        ],
        "may_manage": access.may(Right.MANAGE),
    }
    return render(request, "games/cards/play_through.html", context)


def _worths(course: Any, hand: HandView, faces: str) -> list[Any]:
    """What the hands of those who played were worth."""
    hands = steps.hands_of_play(course)
    if hands is None or not engine_bridge.has_hand_worth(hand.game):
        return []
    names = [hand.names[seat] for seat in hands.seats]
    return worth_of_hands(hand.start.game, hands.trump, names, (hands.before, hands.played), faces)


def _coins(access: ClubAccess, table: Table, hand: HandView) -> dict[str, Any]:
    """The coins that move at the end of a hand: all of them, or those of the reader's own players. Empty for a reader
    who sees none."""
    sees = selectors.sees_table_amounts(access, table.evening) and not access.points_only
    preview = preview_of(hand.start, dict(hand.result), list(hand.names), hand.record)
    if sees:
        return {"preview": preview, "rules_url": rules_url(table.evening) if access.may(Right.SEE_RULES) else ""}
    own = [] if access.points_only else [access.sees_money(player) for player in hand.player_ids]
    lines = tuple(line for line in preview.lines if own and own[line.seat])
    return {"preview": replace(preview, lines=lines, effects=()), "own_only": True} if lines else {}


class FacesForm(forms.Form):
    """The pack with which the club plays."""

    faces = forms.ChoiceField(choices=Club.Faces.choices)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def faces(request: HttpRequest, club: str) -> HttpResponse:
    """Choose the faces of the club's cards, for all readers of its hands."""
    access = club_for(request.user, club, Right.MANAGE)
    back = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = access.club.get_absolute_url()
    form = FacesForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        access.club.faces = form.cleaned_data["faces"]
        access.club.save(update_fields=["faces"])
        return see(back)
    context = {
        "access": access,
        "club": access.club,
        "packs": [(value, label, value == access.club.faces) for value, label in Club.Faces.choices],
        "sample": SAMPLE,
        "problem": next(iter(form.errors.values()))[0] if form.errors else "",
    }
    return render(request, "games/cards/faces.html", context, status=422 if form.errors else 200)
