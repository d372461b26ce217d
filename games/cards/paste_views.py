"""The page on which a hand record is pasted as JSON: check it, show its first fault, store a tally."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import ClubAccess
from league.models import Evening
from league.web.requests import actor_of

from .. import engine_bridge
from ..errors import FormProblem, Refused
from ..hands import clause_sentences, services
from ..hands.chain import Chain
from ..hands.effect_lines import rules_url
from ..hands.gate import signed_in
from ..hands.preview import Preview, preview_of
from ..models import MAX_NUMBER
from . import steps
from .entry_views import cards_page, gate, player_ids, problem_of, see_coins
from .marked_record import marked_record, place_sentence


class PasteForm(forms.Form):
    """A record as text; it is stored if key, number and players are sent too."""

    text = forms.CharField(max_length=20_000, strip=False)
    do = forms.ChoiceField(choices=[("", ""), ("save", "save")], required=False)
    key = forms.UUIDField(required=False)
    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, required=False)
    players = forms.CharField(max_length=200, required=False)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Check a record pasted as JSON: show its first fault, or the hand card by card; a tally is stored from here."""
    access, chain, names = gate(request, club, table)
    if request.method != "POST":
        return _paste_page(request, access, chain, "")
    form = PasteForm(request.POST)
    text = request.POST.get("text", "")[:20_000]
    if not form.is_valid():
        problem = FormProblem(_("Paste one record, at most 20,000 characters long."), code="form")
        return _paste_page(request, access, chain, text, problem)
    try:
        sent = steps.parse_record(text)
    except engine_bridge.Fault as fault:
        return _paste_page(request, access, chain, text, _unreadable(fault, text), _broken_text(text))
    if form.cleaned_data["do"] == "save" and form.cleaned_data["key"] and form.cleaned_data["number"]:
        return _save_pasted(request, access, chain, form, sent)
    record, differs = engine_bridge.complete(chain.start, sent)
    if differs is not None:
        values = {"name": differs}
        problem = FormProblem(
            _("The record says something else than this table about “%(name)s”.") % values, "chain", differs
        )
        return _paste_page(request, access, chain, text, problem, marked_record(sent, differs))
    result = engine_bridge.replay(record)
    if not result["ok"]:
        problem = _refused(clause_sentences.refusal(result["error"]), names)
        valid = steps.valid_part(record) if engine_bridge.has_cards(record) else None
        kept = steps.card_fields_json(valid) if valid else ""
        return _paste_page(request, access, chain, text, problem, marked_record(sent, problem.at), kept)
    if not engine_bridge.has_cards(record):
        return _paste_page(request, access, chain, text, preview=preview_of(chain.start, result, names, record))
    return cards_page(request, access, chain, names, record, status=200)


def _unreadable(fault: engine_bridge.Fault, text: str) -> FormProblem:
    """The problem of a text that is no JSON, or that repeats a field."""
    if _broken_text(text):
        return FormProblem(_("This is not JSON: it breaks off or goes wrong at the marked place."), fault.clause)
    return problem_of(fault)


def _refused(refused: Refused, names: Sequence[str]) -> FormProblem:
    """The problem of a refusal, with the name of its place where it has one."""
    where = place_sentence(refused.at, names)
    sentence = f"{refused.sentence} ({where})" if where else refused.sentence
    return FormProblem(sentence, refused.code, refused.at)


def _save_pasted(
    request: HttpRequest, access: ClubAccess, chain: Chain, form: PasteForm, sent: engine_bridge.Record
) -> HttpResponse:
    """Store the pasted record unchanged, as the table screen does."""
    body = {
        "number": form.cleaned_data["number"],
        "players": player_ids(form.cleaned_data["players"]),
        "record": sent,
    }
    try:
        answer = services.hand_enter(
            table=chain.table, author=actor_of(request), key=form.cleaned_data["key"], body=body
        )
    except Refused as refused:
        problem = FormProblem.of(refused)
        pieces = marked_record(sent, refused.at)
        text = form.cleaned_data["text"]
        return _paste_page(request, access, chain, text, problem, pieces, status=refused.status)
    return see_coins(chain, access, answer.number)


def _broken_text(text: str) -> list[tuple[str, bool]]:
    """The pasted text in pieces; the first character that is not JSON is marked."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        place = min(error.pos, max(len(text) - 1, 0))
        return [(text[:place], False), (text[place : place + 1], True), (text[place + 1 :], False)]
    except (ValueError, RecursionError):
        return []
    return []


def _paste_page(
    request: HttpRequest,
    access: ClubAccess,
    chain: Chain,
    text: str,
    problem: FormProblem | None = None,
    pieces: list[tuple[str, bool]] | None = None,
    kept: str = "",
    *,
    preview: Preview | None = None,
    status: int | None = None,
) -> HttpResponse:
    """`pieces` are the record with its fault marked, `kept` its valid part, `preview` that of a tally."""
    context = {
        "access": access,
        "club": access.club,
        "table": chain.table,
        "evening": chain.table.evening,
        "closed": chain.table.evening.state != Evening.State.OPEN,
        "number": chain.start.number,
        "players": ",".join(map(str, chain.players)),
        "key": engine_bridge.new_key(),
        "text": text,
        "problem": problem,
        "clause": problem.clause if problem else "",
        "pieces": pieces or [],
        "record": kept,
        "preview": preview,
        "rules_url": rules_url(chain.table.evening),
    }
    return render(request, "games/cards/paste.html", context, status=status or (422 if problem else 200))
