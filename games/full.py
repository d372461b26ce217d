"""Hands card by card: a stored one played through, the next one entered, a record pasted, and the club's pack."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubAccess, Right, club_for
from league.models import Club, Evening
from league.posted import actor_of, see

from . import messages, recording, selectors, services, steps
from .chain import Chain
from .errors import Refused
from .forms import Problem
from .models import Table
from .preview import Preview, told
from .views import signed_in

SAMPLE = ("As", "Kh", "Qd", "Jc", "Th", "9s", "6d")
"""Cards that show what a pack looks like."""


@require_safe
def through(request: HttpRequest, club: str, table: int, number: int) -> HttpResponse:
    """A stored hand step by step; `?step=` names the step, from 0 before the deal."""
    access = club_for(request.user, club)
    at = _table(access, table)
    hand = selectors.hand_view(at, number)
    if hand is None or not recording.is_told(hand.record):
        raise Http404("no such hand, or its cards were not written down")
    hand = selectors.as_read(hand, access.names)
    course = steps.walk(dict(hand.record))
    last = len(course.scenes)
    wanted = request.GET.get("step", "")
    step = min(int(wanted), last) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 5 else 0
    ends = messages.summary(dict(hand.result), dict(enumerate(hand.names))) if step == last else ""
    context = {
        "access": access,
        "club": access.club,
        "faces": access.club.faces,
        "evening": at.evening,
        "table": at,
        "hand": hand,
        "step": step,
        "last": last,
        "lies": steps.table(course, step, hand.names, access.club.faces),
        "ends": ends,
        "told": [steps.said(scene, hand.names, access.club.faces) for scene in course.scenes],
        "may_manage": access.may(Right.MANAGE),
    }
    return render(request, "games/through.html", context)


class StepForm(forms.Form):
    """An answer to what is asked, with the hand so far. `record` is what the chain does not know of it, as JSON."""

    key = forms.UUIDField()
    number = forms.IntegerField(min_value=1, max_value=1_000_000)
    players = forms.CharField(max_length=200)
    record = forms.CharField(max_length=20_000, required=False)
    do = forms.ChoiceField(choices=[(word, word) for word in ("add", "back", "blind", "go", "save")], required=False)
    blind = forms.ChoiceField(choices=[("", ""), ("blind", "blind"), ("double", "double")], required=False)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """The next hand of a table, entered card by card: each step is verified as it is made."""
    access, chain, names = _chain(request, club, table)
    nothing = steps.empty(chain.start.fields(), None)
    if request.method != "POST":
        return _cards_page(request, access, chain, names, nothing)
    form = StepForm(request.POST)
    if not form.is_valid():
        sentence = _("The page sent something that this form has not. Load the page again.")
        return _cards_page(request, access, chain, names, nothing, Problem(sentence, code="R1"))
    record, fault = _so_far(chain, form.cleaned_data["record"])
    if form.cleaned_data["do"] == "save":
        return _save(request, access, chain, names, form, record)
    problem = _moved_on(chain, form) or (_problem(fault) if fault else None)
    if problem is None:
        record, problem = _stepped(form, record, request.POST.getlist("answer"))
    return _cards_page(request, access, chain, names, record, problem, key=form.cleaned_data["key"])


def _moved_on(chain: Chain, form: StepForm) -> Problem | None:
    due = chain.start.number
    if form.cleaned_data["number"] == due:
        return None
    return Problem(
        _("This table has moved on: hand %(due)d is next. Load the page again.") % {"due": due}, code="number"
    )


def _so_far(chain: Chain, text: str) -> tuple[recording.Record, recording.Fault | None]:
    """The hand so far; of one that breaks a clause as much as breaks none, and the clause."""
    start = chain.start.fields()
    nothing = steps.empty(start, None)
    try:
        sent = steps.read(text) if text.strip() else nothing
    except recording.Fault as fault:
        return nothing, fault
    record = nothing | {name: sent[name] for name in steps.TOLD if name in sent} | start
    try:
        steps.walk(record)
    except recording.Fault as fault:
        return steps.sound(record) or nothing, fault
    return record, None


def _stepped(form: StepForm, record: recording.Record, answer: list[str]) -> tuple[recording.Record, Problem | None]:
    """The hand one step on or back, or why not."""
    do = form.cleaned_data["do"]
    if do == "back":
        return steps.taken_back(record), None
    if do == "go":
        return record, None
    try:
        if do == "blind":
            # Only before the first card: the choice decides how many the dealer gets.
            known = {name: record[name] for name in record if name not in steps.TOLD}
            return steps.empty(known, form.cleaned_data["blind"]), None
        ask = steps.walk(record).ask
        if ask is None:
            return record, None
        # A tap on what is said instead counts alone, whatever cards are ticked.
        instead = [word for word in ("rob", "last word") if word in answer]
        return steps.answered(record, ask, instead or answer), None
    except recording.Fault as fault:
        return record, _problem(fault)


def _problem(fault: recording.Fault) -> Problem:
    return Problem(messages.sentence(fault.clause), fault.clause, fault.at)


def _clause(problem: Problem | None) -> str:
    """The clause of a rulebook, or of the record, that a problem names; empty where it is another."""
    return problem.code if problem and problem.code[:1] in ("C", "K", "R") else ""


def _save(
    request: HttpRequest, access: ClubAccess, chain: Chain, names: list[str], form: StepForm, record: recording.Record
) -> HttpResponse:
    """Store the whole hand, as the table screen does."""
    body = {
        "number": form.cleaned_data["number"],
        "players": _numbers(form.cleaned_data["players"]),
        # As it was sent: a second tap must be the same request, though the table has moved on by then.
        "record": steps.sent_part(form.cleaned_data["record"]),
    }
    try:
        answer = services.hand_enter(
            table=chain.table, author=actor_of(request), key=form.cleaned_data["key"], body=body
        )
    except Refused as refused:
        problem = Problem(refused.sentence, refused.code, refused.at)
        return _cards_page(request, access, chain, names, record, problem, status=refused.status)
    return _paid(chain, access, answer.number)


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",") if word.isascii() and word.isdecimal() and len(word) < 19]


def _paid(chain: Chain, access: ClubAccess, number: int) -> HttpResponse:
    where = {"club": access.club.slug, "table": chain.table.pk, "number": number}
    return see(reverse("hand-paid", kwargs=where))


def _cards_page(
    request: HttpRequest,
    access: ClubAccess,
    chain: Chain,
    names: list[str],
    record: recording.Record,
    problem: Problem | None = None,
    *,
    key: uuid.UUID | None = None,
    status: int | None = None,
) -> HttpResponse:
    course = steps.walk(record)
    ask = course.ask
    rules = recording.house_rules(chain.start.game, chain.start.rules)
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
        "key": key or recording.new_key(),
        "record": steps.told_part(record),
        "begun": begun,
        "blinds": [] if begun else _blinds(str(rules.get("blind", "none"))),
        "blind": record.get("blind") or "",
        "lies": steps.table(course, len(course.scenes), names, faces),
        "ask": ask,
        "asked": steps.wanted(ask, names) if ask else "",
        "choices": steps.choices(ask, chain.start.game) if ask else [],
        "words": ask is not None and ask.kind in ("call", "answer"),
        "several": ask is not None and (bool(ask.counts) or ask.wanted > 1),
        "most": max(ask.counts) if ask and ask.counts else ask.wanted if ask else 0,
        "robber": names[ask.robber] if ask and ask.robber is not None else "",
        "preview": _told(chain, record, names) if ask is None else None,
        "problem": problem,
        "clause": _clause(problem),
        "may_manage": access.may(Right.MANAGE),
    }
    if status is None:
        # htmx shows nothing of an answer that is refused by its status.
        status = 422 if problem and not request.htmx else 200  # type: ignore[attr-defined]
    return render(request, "games/full.html", context, status=status)


def _blinds(allowed: str) -> list[str]:
    return {"none": [], "blind": ["", "blind"], "double": ["", "double"], "both": ["", "blind", "double"]}[allowed]


def _told(chain: Chain, record: recording.Record, names: list[str]) -> Preview:
    """What storing the whole hand would do."""
    result = recording.replay(record)
    if result["ok"]:
        return told(chain.start, result, names)
    refused = messages.refusal(result["error"])
    return Preview(ok=False, sentence=refused.sentence, clause=refused.code, at=refused.at)


class PasteForm(forms.Form):
    """A record as text; with a key, a number and players it is stored."""

    text = forms.CharField(max_length=20_000, strip=False)
    do = forms.ChoiceField(choices=[("", ""), ("save", "save")], required=False)
    key = forms.UUIDField(required=False)
    number = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)
    players = forms.CharField(max_length=200, required=False)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest, club: str, table: int) -> HttpResponse:
    """A record as JSON: its first fault at its place, or on to the hand that it tells; a tally is stored from here."""
    access, chain, names = _chain(request, club, table)
    if request.method != "POST":
        return _paste_page(request, access, chain, "")
    form = PasteForm(request.POST)
    text = request.POST.get("text", "")[:20_000]
    if not form.is_valid():
        problem = Problem(_("Paste one record, at most 20,000 characters long."), code="form")
        return _paste_page(request, access, chain, text, problem)
    try:
        sent = steps.read(text)
    except recording.Fault as fault:
        return _paste_page(request, access, chain, text, _unreadable(fault, text), _broken_text(text))
    if form.cleaned_data["do"] == "save" and form.cleaned_data["key"] and form.cleaned_data["number"]:
        return _save_pasted(request, access, chain, form, sent)
    record, differs = recording.complete(chain.start, sent)
    if differs is not None:
        words = {"name": differs}
        problem = Problem(
            _("The record says something else than this table about “%(name)s”.") % words, "chain", differs
        )
        return _paste_page(request, access, chain, text, problem, steps.shown_record(sent, differs))
    result = recording.replay(record)
    if not result["ok"]:
        problem = _refused(messages.refusal(result["error"]), names)
        sound = steps.sound(record) if recording.is_told(record) else None
        kept = steps.told_part(sound) if sound else ""
        return _paste_page(request, access, chain, text, problem, steps.shown_record(sent, problem.at), kept)
    if not recording.is_told(record):
        return _paste_page(request, access, chain, text, preview=told(chain.start, result, names))
    return _cards_page(request, access, chain, names, record, status=200)


def _unreadable(fault: recording.Fault, text: str) -> Problem:
    """What is no JSON, or none of which each field stands once."""
    if _broken_text(text):
        return Problem(_("This is not JSON: it breaks off or goes wrong at the place marked."), fault.clause)
    return _problem(fault)


def _refused(refused: Refused, names: Sequence[str]) -> Problem:
    """A refusal with its place in words, where words say it."""
    where = steps.place_in_words(refused.at, names)
    sentence = f"{refused.sentence} ({where})" if where else refused.sentence
    return Problem(sentence, refused.code, refused.at)


def _save_pasted(
    request: HttpRequest, access: ClubAccess, chain: Chain, form: PasteForm, sent: recording.Record
) -> HttpResponse:
    """Store the pasted record as it is, as the table screen does."""
    body = {
        "number": form.cleaned_data["number"],
        "players": _numbers(form.cleaned_data["players"]),
        "record": sent,
    }
    try:
        answer = services.hand_enter(
            table=chain.table, author=actor_of(request), key=form.cleaned_data["key"], body=body
        )
    except Refused as refused:
        problem = Problem(refused.sentence, refused.code, refused.at)
        pieces = steps.shown_record(sent, refused.at)
        text = form.cleaned_data["text"]
        return _paste_page(request, access, chain, text, problem, pieces, status=refused.status)
    return _paid(chain, access, answer.number)


def _broken_text(text: str) -> list[tuple[str, bool]]:
    """What was pasted, with the character at which it stops being JSON."""
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
    problem: Problem | None = None,
    pieces: list[tuple[str, bool]] | None = None,
    kept: str = "",
    *,
    preview: Preview | None = None,
    status: int | None = None,
) -> HttpResponse:
    """`pieces` are the record with its fault marked, `kept` as much of it as is right, `preview` what a tally does."""
    context = {
        "access": access,
        "club": access.club,
        "table": chain.table,
        "evening": chain.table.evening,
        "closed": chain.table.evening.state != Evening.State.OPEN,
        "number": chain.start.number,
        "players": ",".join(map(str, chain.players)),
        "key": recording.new_key(),
        "text": text,
        "problem": problem,
        "clause": _clause(problem),
        "pieces": pieces or [],
        "record": kept,
        "preview": preview,
    }
    return render(request, "games/full_paste.html", context, status=status or (422 if problem else 200))


class FacesForm(forms.Form):
    """Which pack the club plays with."""

    faces = forms.ChoiceField(choices=Club.Faces.choices)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def faces(request: HttpRequest, club: str) -> HttpResponse:
    """The faces of the club's cards, for everybody who looks at its hands."""
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
    return render(request, "games/full_faces.html", context, status=422 if form.errors else 200)


def _chain(request: HttpRequest, club: str, table: int) -> tuple[ClubAccess, Chain, list[str]]:
    """The gate of the recording pages, and what the next hand starts with."""
    access = club_for(request.user, club, Right.RECORD)
    at = _table(access, table)
    chain, nicknames = selectors.chain_of(at)
    return access, chain, [nicknames[player] for player in chain.players]


def _table(access: ClubAccess, pk: int) -> Table:
    found = selectors.table_of(club_id=access.club.pk, table_id=pk)
    if found is None:
        raise Http404("no such table")
    access.counts_plainly(found.evening.season)
    return found
