"""The pages of the paper twin: the sheet as PDF, the way from its code to its table, and the typing back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.access import ClubAccess, Right, club_for
from league.exports import file_name
from league.models import Evening
from league.posted import actor_of, see

from .. import recording, selectors
from ..errors import Refused
from ..forms import Problem
from ..messages import summary
from ..models import Table
from ..pages import evening_for
from ..views import signed_in, table_for
from . import entry, nights, notation
from .entry import Read, Typed
from .guide import examples
from .sheet import SIZES, sheets_of

LONGEST_TEXT = 20_000


class TypingForm(forms.Form):
    """Lines of a sheet, and for which hand and seating the page was made."""

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=1_000_000)
    players = forms.CharField(max_length=200)
    lines = forms.CharField(max_length=LONGEST_TEXT, required=False)

    def clean_players(self) -> list[int]:
        """Ids by seat, comma between them."""
        parts = str(self.cleaned_data["players"]).split(",")
        if not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in parts):
            raise forms.ValidationError("no seating")
        return [int(part) for part in parts]


@signed_in
@never_cache
@require_safe
def sheet(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """An evening's sheets to print, one a table; `?size=` says on which paper, a4 or a5."""
    access, found = evening_for(request, club, evening, Right.RECORD)
    size = request.GET.get("size", "a4").lower()
    if size not in SIZES:
        raise Http404("no such paper")
    tables = [table for table in found.tables.order_by("number") if not table.dissolved]
    addresses = {table.pk: request.build_absolute_uri(_address(access, table)) for table in tables}
    body = sheets_of(access.club, found, tables, size=size, addresses=addresses)
    response = HttpResponse(body, content_type="application/pdf")
    name = file_name(access, found.season.slug, "evening", found.number, "sheet", size)
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


def _address(access: ClubAccess, table: Table) -> str:
    """Where the code of a sheet leads."""
    return reverse("night", kwargs={"club": access.club.slug, "code": nights.code(table.pk)})


@signed_in
@never_cache
@require_safe
def night(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """From the code of a sheet to the page where it is typed back."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, nights.table_of(code) or 0)
    return redirect("hand-type", club=club, table=at.pk)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def type_back(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """One line a hand: what is typed is stored as the next hands of the table."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    if request.method != "POST":
        return _page(request, access, at)
    form = TypingForm(request.POST)
    text = request.POST.get("lines", "")[:LONGEST_TEXT]
    if not form.is_valid():
        return _page(request, access, at, text=text, fault=_unreadable(), status=422)
    if not entry.lines_of(form.cleaned_data["lines"]):
        return _page(request, access, at, fault=_empty(at), status=422)
    done = entry.type_back(
        table=at,
        author=actor_of(request),
        key=form.cleaned_data["key"],
        number=form.cleaned_data["number"],
        players=form.cleaned_data["players"],
        text=form.cleaned_data["lines"],
    )
    if done.stored:
        messages.success(request, _told_of(done))
    if done.fault is None:
        return see(reverse("hand-type", kwargs={"club": club, "table": table}))
    rest = "\n".join(done.rest)
    return _page(request, access, table_for(access, table), text=rest, fault=done.fault, status=done.status)


@signed_in
@never_cache
@require_POST
def preview(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """What the lines come to, or which word is at fault; nothing is stored."""
    access = club_for(request.user, club, Right.RECORD)
    at = table_for(access, table)
    form = TypingForm(request.POST)
    text = request.POST.get("lines", "")[:LONGEST_TEXT]
    looked: list[Read] = []
    if form.is_valid():
        try:
            due = entry.due_at(at, form.cleaned_data["number"])
            looked = entry.check(due, entry.lines_of(form.cleaned_data["lines"]))
        except Refused as refused:
            looked = [Read(form.cleaned_data["number"], "", problem=Problem(refused.sentence, refused.code))]
    else:
        looked = [_unreadable()]
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "games/_paper_told.html", _told(looked) | {"currency": access.club.currency})
    return _page(request, access, at, text=text, looked=looked)


def _told(looked: list[Read]) -> dict[str, Any]:
    """What the answer under the field shows: each line, and the last one in full."""
    last = looked[-1] if looked else None
    return {"looked": looked, "only": last if len(looked) == 1 else None, "last": last}


def _told_of(done: Typed) -> str:
    """Which hands are stored, in a sentence."""
    first, last = done.stored[0], done.stored[-1]
    if first == last:
        return _("Hand %(number)d is stored.") % {"number": first}
    return _("Hands %(first)d to %(last)d are stored.") % {"first": first, "last": last}


def _unreadable() -> Read:
    said = _("The page sent something that this form has not. Load the page again.")
    return Read(0, "", problem=Problem(said, code="R1"))


def _empty(at: Table) -> Read:
    return Read(at.hands + 1, "", problem=Problem(_("Type a line first.")))


def _page(
    request: HttpRequest,
    access: ClubAccess,
    at: Table,
    *,
    text: str = "",
    fault: Read | None = None,
    looked: list[Read] | None = None,
    status: int = 200,
) -> HttpResponse:
    due = entry.due_now(at)
    words = notation.shorts(due.names)
    hands = selectors.hands_of([at])[at.pk]
    context = {
        "access": access,
        "club": access.club,
        "table": at,
        "evening": at.evening,
        "closed": at.evening.state != Evening.State.OPEN or at.dissolved,
        "kratzen": due.start.game == recording.KRATZEN,
        "number": due.start.number,
        "players": ",".join(map(str, due.players)),
        "key": recording.new_key(),
        "seats": [(name, word, word.isdecimal()) for name, word in zip(due.names, words, strict=True)],
        "dealer": due.names[due.start.dealer],
        "pot_minor": due.start.pot_before,
        "due": recording.due(due.start),
        "code": nights.code(at.pk),
        "text": text,
        "hands": [_line(hand) for hand in hands],
        "examples": examples(due.start.game, due.names, words, recording.house_rules(due.start.game, due.start.rules)),
        **_told(looked if looked is not None else [fault] if fault else []),
    }
    return render(request, "games/paper_type.html", context, status=status)


def _line(hand: selectors.HandView) -> dict[str, Any]:
    """A stored hand as it would be typed, with the pot after it."""
    return {
        "number": hand.number,
        "voided": hand.voided,
        "line": notation.written(hand.record, dict(hand.result), notation.shorts(hand.names)),
        "words": summary(dict(hand.result), dict(enumerate(hand.names))),
        "pot_minor": hand.pot_after,
    }
