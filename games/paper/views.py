"""The pages of the paper sheet: print it, find its table by its code, type it back in."""

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
from league.models import Evening
from league.web.csv_download import file_name
from league.web.paper import SIZES
from league.web.requests import actor_of, see

from .. import engine_bridge
from ..errors import FormProblem, Refused, form_outdated
from ..evening.gate import evening_for
from ..hands import selectors
from ..hands.clause_sentences import summary
from ..hands.effect_lines import rules_url
from ..hands.gate import signed_in, table_for
from ..models import MAX_NUMBER, Table
from ..offered import game_of
from . import line_notation, sheet_code, typing_back
from .line_examples import examples
from .typing_back import CheckedLine, StoredLines

LONGEST_TEXT = 20_000


class TypingForm(forms.Form):
    """The lines of a sheet, and the hand and seats that the page was made for."""

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER)
    players = forms.CharField(max_length=200)
    lines = forms.CharField(max_length=LONGEST_TEXT, required=False)

    def clean_players(self) -> list[int]:
        """Parse the ids by seat, separated by commas."""
        parts = str(self.cleaned_data["players"]).split(",")
        if not all(part.isascii() and part.isdecimal() and len(part) < 19 for part in parts):
            raise forms.ValidationError("no seating")
        return [int(part) for part in parts]


@signed_in
@never_cache
@require_safe
def sheet(request: HttpRequest, club: str, evening: int) -> HttpResponse:
    """The sheets of an evening as PDF, one a table; `?size=` is the paper, a4 or a5."""
    from .sheet_pdf import sheets_of

    access, night = evening_for(request, club, evening, Right.RECORD)
    size = request.GET.get("size", "a4").lower()
    if size not in SIZES:
        raise Http404("no such paper")
    tables = [table for table in night.tables.order_by("number") if not table.dissolved]
    addresses = {table.pk: request.build_absolute_uri(_address(access, table)) for table in tables}
    body = sheets_of(access.club, night, tables, size=size, addresses=addresses)
    response = HttpResponse(body, content_type="application/pdf")
    name = file_name(access, night.season.slug, "evening", night.number, "sheet", size)
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response


def _address(access: ClubAccess, table: Table) -> str:
    """The address of the code on a sheet."""
    return reverse("sheet-code", kwargs={"club": access.club.slug, "code": sheet_code.code(table.pk)})


@signed_in
@never_cache
@require_safe
def table_of_sheet(request: HttpRequest, club: str, code: str) -> HttpResponse:
    """Redirect from the code of a sheet to the page where it is typed back in."""
    access = club_for(request.user, club, Right.RECORD)
    table = table_for(access, sheet_code.table_of(code) or 0)
    return redirect("hand-type", club=club, table=table.pk)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def type_back(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Store the typed lines, one a hand, as the next hands of the table."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    if request.method != "POST":
        return _type_back_page(request, access, card_table)
    form = TypingForm(request.POST)
    text = request.POST.get("lines", "")[:LONGEST_TEXT]
    if not form.is_valid():
        return _type_back_page(request, access, card_table, text=text, fault=_unreadable(), status=422)
    if not typing_back.lines_of(form.cleaned_data["lines"]):
        return _type_back_page(request, access, card_table, fault=_empty(card_table), status=422)
    done = typing_back.type_back(
        table=card_table,
        author=actor_of(request),
        key=form.cleaned_data["key"],
        number=form.cleaned_data["number"],
        players=form.cleaned_data["players"],
        text=form.cleaned_data["lines"],
    )
    if done.stored:
        messages.success(request, _stored_sentence(done))
    if done.fault is None:
        return see(reverse("hand-type", kwargs={"club": club, "table": table}))
    rest = "\n".join(done.rest)
    return _type_back_page(request, access, table_for(access, table), text=rest, fault=done.fault, status=done.status)


@signed_in
@never_cache
@require_POST
def preview(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Preview the lines, or show the wrong word; nothing is stored."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    form = TypingForm(request.POST)
    text = request.POST.get("lines", "")[:LONGEST_TEXT]
    checked: list[CheckedLine] = []
    if form.is_valid():
        try:
            due = typing_back.start_of(card_table, form.cleaned_data["number"])
            checked = typing_back.check_lines(due, typing_back.lines_of(form.cleaned_data["lines"]))
        except Refused as refused:
            checked = [
                CheckedLine(form.cleaned_data["number"], "", problem=FormProblem(refused.sentence, refused.code))
            ]
    else:
        checked = [_unreadable()]
    if request.htmx:  # type: ignore[attr-defined]
        context = _checked_context(card_table, checked) | {"currency": access.club.currency}
        return render(request, "games/paper/_checked_lines.html", context)
    return _type_back_page(request, access, card_table, text=text, checked=checked)


def _checked_context(table: Table, checked: list[CheckedLine]) -> dict[str, Any]:
    """The context of the part under the field: each line, and the last one in full."""
    last = checked[-1] if checked else None
    return {
        "checked": checked,
        "only": last if len(checked) == 1 else None,
        "last": last,
        "rules_url": rules_url(table.evening),
    }


def _stored_sentence(done: StoredLines) -> str:
    """A sentence on the stored hands."""
    first, last = done.stored[0], done.stored[-1]
    if first == last:
        return _("Hand %(number)d is stored.") % {"number": first}
    return _("Hands %(first)d to %(last)d are stored.") % {"first": first, "last": last}


def _unreadable() -> CheckedLine:
    return CheckedLine(0, "", problem=FormProblem.of(form_outdated()))


def _empty(table: Table) -> CheckedLine:
    return CheckedLine(table.hands + 1, "", problem=FormProblem(_("Type a line first.")))


def _type_back_page(
    request: HttpRequest,
    access: ClubAccess,
    table: Table,
    *,
    text: str = "",
    fault: CheckedLine | None = None,
    checked: list[CheckedLine] | None = None,
    status: int = 200,
) -> HttpResponse:
    due = typing_back.next_start(table)
    words = line_notation.short_names(due.names)
    paper = game_of(due.start.game).records.paper
    hands = selectors.hands_of([table])[table.pk]
    context = {
        "access": access,
        "club": access.club,
        "table": table,
        "evening": table.evening,
        "closed": table.evening.state != Evening.State.OPEN or table.dissolved,
        "paper": paper,
        "begins": paper.begins(due.names[due.start.dealer], engine_bridge.due(due.start).muss),
        "number": due.start.number,
        "players": ",".join(map(str, due.players)),
        "key": engine_bridge.new_key(),
        "seats": [(name, word, word.isdecimal()) for name, word in zip(due.names, words, strict=True)],
        "pot_minor": due.start.pot_before,
        "code": sheet_code.code(table.pk),
        "text": text,
        "hands": [_line(hand) for hand in hands],
        "examples": examples(
            due.start.game, due.names, words, engine_bridge.house_rules(due.start.game, due.start.rules)
        ),
        **_checked_context(table, checked if checked is not None else [fault] if fault else []),
    }
    return render(request, "games/paper/type_back.html", context, status=status)


def _line(hand: selectors.HandView) -> dict[str, Any]:
    """A stored hand as a typed line, with the pot after it."""
    return {
        "number": hand.number,
        "voided": hand.voided,
        "line": line_notation.write_line(hand.record, dict(hand.result), line_notation.short_names(hand.names)),
        "sentence": summary(hand.game, dict(hand.result), dict(enumerate(hand.names))),
        "pot_minor": hand.pot_after,
    }
