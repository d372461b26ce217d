"""The page that enters a hand card by card: its steps, and storing the complete hand."""

from __future__ import annotations

import uuid

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.access import ClubAccess, Right, club_for
from league.models import Evening
from league.web.requests import actor_of, see

from .. import engine_bridge
from ..errors import FormProblem, Refused, form_outdated
from ..hands import clause_sentences, selectors, services
from ..hands.chain import Chain
from ..hands.effect_lines import rules_url
from ..hands.gate import signed_in, table_for
from ..hands.preview import Preview, preview_of
from ..models import MAX_NUMBER
from . import steps


class StepForm(forms.Form):
    """An answer to a question, with the hand so far. `record` has the fields that the chain does not decide (JSON)."""

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER)
    players = forms.CharField(max_length=200)
    record = forms.CharField(max_length=20_000, required=False)
    do = forms.ChoiceField(choices=[(word, word) for word in ("add", "back", "blind", "go", "save")], required=False)
    blind = forms.ChoiceField(choices=[("", ""), ("blind", "blind"), ("double", "double")], required=False)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """Enter the next hand of a table card by card: each step is checked when it is entered."""
    access, chain, names = gate(request, club, table)
    nothing = steps.empty_record(chain.start.fields(), None)
    if request.method != "POST":
        return cards_page(request, access, chain, names, nothing)
    form = StepForm(request.POST)
    if not form.is_valid():
        return cards_page(request, access, chain, names, nothing, FormProblem.of(form_outdated()))
    record, fault = _record_so_far(chain, form.cleaned_data["record"])
    if form.cleaned_data["do"] == "save":
        return _save(request, access, chain, names, form, record)
    problem = _outdated(chain, form) or (problem_of(fault) if fault else None)
    if problem is None:
        record, problem = _apply_step(form, record, request.POST.getlist("answer"))
    return cards_page(request, access, chain, names, record, problem, key=form.cleaned_data["key"])


def _outdated(chain: Chain, form: StepForm) -> FormProblem | None:
    due = chain.start.number
    if form.cleaned_data["number"] == due:
        return None
    return FormProblem(
        _("This table has moved on: hand %(due)d is next. Reload the page.") % {"due": due}, code="number"
    )


def _record_so_far(chain: Chain, text: str) -> tuple[engine_bridge.Record, engine_bridge.Fault | None]:
    """The record so far, cut before the step that breaks a clause; and the fault, if there is one."""
    start = chain.start.fields()
    nothing = steps.empty_record(start, None)
    try:
        sent = steps.parse_record(text) if text.strip() else nothing
    except engine_bridge.Fault as fault:
        return nothing, fault
    record = nothing | {name: sent[name] for name in steps.CARD_FIELDS if name in sent} | start
    try:
        steps.walk(record)
    except engine_bridge.Fault as fault:
        return steps.valid_part(record) or nothing, fault
    return record, None


def _apply_step(
    form: StepForm, record: engine_bridge.Record, answer: list[str]
) -> tuple[engine_bridge.Record, FormProblem | None]:
    """Go one step forward or back; return the record and the problem, if there is one."""
    do = form.cleaned_data["do"]
    if do == "back":
        return steps.undo_answer(record), None
    if do == "go":
        return record, None
    try:
        if do == "blind":
            # Only before the first card: the choice decides how many cards the dealer gets.
            known = {name: record[name] for name in record if name not in steps.CARD_FIELDS}
            return steps.empty_record(known, form.cleaned_data["blind"]), None
        question = steps.walk(record).question
        if question is None:
            return record, None
        # A tap on one of these buttons counts alone; ticked cards are ignored.
        instead = [word for word in ("rob", "last word") if word in answer]
        return steps.add_answer(record, question, instead or answer), None
    except engine_bridge.Fault as fault:
        return record, problem_of(fault)


def problem_of(fault: engine_bridge.Fault) -> FormProblem:
    return FormProblem(clause_sentences.sentence(fault.clause), fault.clause, fault.at)


def _save(
    request: HttpRequest,
    access: ClubAccess,
    chain: Chain,
    names: list[str],
    form: StepForm,
    record: engine_bridge.Record,
) -> HttpResponse:
    """Store the complete hand, as the table screen does."""
    body = {
        "number": form.cleaned_data["number"],
        "players": player_ids(form.cleaned_data["players"]),
        # As it was sent: a second tap must be the same request, even after the next hand was stored.
        "record": steps.card_fields_of(form.cleaned_data["record"]),
    }
    try:
        answer = services.hand_enter(
            table=chain.table, author=actor_of(request), key=form.cleaned_data["key"], body=body
        )
    except Refused as refused:
        problem = FormProblem.of(refused)
        return cards_page(request, access, chain, names, record, problem, status=refused.status)
    return see_coins(chain, access, answer.number)


def player_ids(text: str) -> list[int]:
    return [int(word) for word in text.split(",") if word.isascii() and word.isdecimal() and len(word) < 19]


def see_coins(chain: Chain, access: ClubAccess, number: int) -> HttpResponse:
    where = {"club": access.club.slug, "table": chain.table.pk, "number": number}
    return see(reverse("hand-paid", kwargs=where))


def cards_page(
    request: HttpRequest,
    access: ClubAccess,
    chain: Chain,
    names: list[str],
    record: engine_bridge.Record,
    problem: FormProblem | None = None,
    *,
    key: uuid.UUID | None = None,
    status: int | None = None,
) -> HttpResponse:
    course = steps.walk(record)
    question = course.question
    rules = engine_bridge.house_rules(chain.start.game, chain.start.rules)
    faces = access.club.faces
    begun = bool(course.scenes)
    context = {
        "access": access,
        "club": access.club,
        "faces": faces,
        "table": chain.table,
        "evening": chain.table.evening,
        "closed": chain.table.evening.state != Evening.State.OPEN,
        "number": chain.start.number,
        "players": ",".join(map(str, chain.players)),
        "key": key or engine_bridge.new_key(),
        "record": steps.card_fields_json(record),
        "begun": begun,
        "blinds": [] if begun else _blinds(str(rules.get("blind", "none"))),
        "blind": record.get("blind") or "",
        "board": steps.board(course, chain.start.game, len(course.scenes), names, faces),
        "question": question,
        "question_sentence": steps.question_sentence(question, names) if question else "",
        "choices": steps.choices(question, chain.start.game) if question else [],
        "is_call": question is not None and question.kind in ("call", "answer"),
        "several": question is not None and (bool(question.counts) or question.wanted > 1),
        "most": max(question.counts) if question and question.counts else question.wanted if question else 0,
        "robber": names[question.robber] if question and question.robber is not None else "",
        "preview": _preview(chain, record, names) if question is None else None,
        "problem": problem,
        "clause": problem.clause if problem else "",
        "may_manage": access.may(Right.MANAGE),
        "rules_url": rules_url(chain.table.evening),
    }
    if status is None:
        # htmx does not show a response with an error status.
        status = 422 if problem and not request.htmx else 200  # type: ignore[attr-defined]
    return render(request, "games/cards/entry.html", context, status=status)


def _blinds(allowed: str) -> list[str]:
    return {"none": [], "blind": ["", "blind"], "double": ["", "double"], "both": ["", "blind", "double"]}[allowed]


def _preview(chain: Chain, record: engine_bridge.Record, names: list[str]) -> Preview:
    """Preview the complete hand."""
    result = engine_bridge.replay(record)
    if result["ok"]:
        return preview_of(chain.start, result, names, record)
    refused = clause_sentences.refusal(result["error"])
    return Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)


def gate(request: HttpRequest, club: str, table: int) -> tuple[ClubAccess, Chain, list[str]]:
    """The gate of the pages that record a hand, and the chain with the names by seat."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    chain, nicknames = selectors.chain_of(card_table)
    return access, chain, [nicknames[player] for player in chain.players]
