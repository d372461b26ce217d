"""The common part of the pages of corrections: gate, table and hands, and the preview before saving."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import ClubAccess, Right, club_for
from league.web.requests import actor_of, see

from .. import engine_bridge
from ..errors import Refused
from ..hands import selectors as tables
from ..hands.effect_lines import rules_url
from ..hands.gate import table_for
from ..hands.rounds import why_final
from ..models import Table
from . import forms, replay, selectors, services
from .edits import Edit
from .replay import Entry


@dataclass(frozen=True)
class CorrectionPage:
    """One request to a page of corrections: the reader's access, the table with its hands, and the data sent."""

    request: HttpRequest
    access: ClubAccess
    table: Table
    entries: tuple[Entry, ...]
    data: Mapping[str, Any]

    @property
    def step(self) -> str:
        """The step that was requested; '' where the page was only visited."""
        return str(self.data.get("step", ""))

    def url(self, name: str, number: int | None = None) -> str:
        """The address of a page of this table, or of its hand `number`."""
        kwargs: dict[str, Any] = {"club": self.access.club.slug, "table": self.table.pk}
        return reverse(name, kwargs=kwargs if number is None else kwargs | {"number": number})

    def check(self, number: int, more: int = 0) -> None:
        """Raise Http404 for a number that is no hand; up to `more` beyond the last one are allowed."""
        if not 1 <= number <= len(self.entries) + more:
            raise Http404("no such hand")

    def context(self) -> dict[str, Any]:
        """The context that all templates of corrections need."""
        return {
            "access": self.access,
            "club": self.access.club,
            "table": self.table,
            "evening": self.table.evening,
            "final": why_final(self.table.evening),
            "hands": len(self.entries),
            "rules_url": rules_url(self.table.evening),
        }


@dataclass(frozen=True)
class Subject:
    """Texts and addresses of one correction: `title`, `save` (the button), `done` (the notice after it), `then` (the
    next page), `back` (the page where it can be changed), and the `number` of the hand."""

    title: str
    save: str
    done: str
    then: str
    back: str
    number: int


def correction_page(request: HttpRequest, club: str, table: int) -> CorrectionPage:
    """The gate, and the table with its hands. Raises Http404 and PermissionDenied as the gate does."""
    access = club_for(request.user, club, Right.RECORD)
    card_table = table_for(access, table)
    data = request.POST if request.method == "POST" else request.GET
    return CorrectionPage(request, access, card_table, tuple(replay.read(card_table)), data.dict())


def request_hash_of(page: CorrectionPage) -> str:
    """The hash of a correction as it was sent. The edit itself depends on the hands, and these are different once it is
    stored, so a repeated request is recognised by its fields."""
    sent = [
        *forms.carried_fields(page.data),
        ("keep", str(page.data.get("keep", ""))),
        ("reason", str(page.data.get("reason", ""))),
    ]
    return engine_bridge.body_hash(["correct", page.request.path, sorted(sent)])


def repeated_answer(page: CorrectionPage) -> HttpResponse | None:
    """The answer to a save that is already stored under its key; None for any other request."""
    key, _seen, _reason = forms.SaveForm(page.data).values()
    if page.request.method != "POST" or page.step != "save" or key is None:
        return None
    made = services.stored_correction(table=page.table, key=key, request_hash=request_hash_of(page))
    if made is None:
        return None
    messages.success(page.request, f"{selectors.sentence_of(made)}.")
    return see(page.url("hand-history", made.details.get("to", made.number)))


def preview_or_save(
    page: CorrectionPage,
    subject: Subject,
    edit: Callable[[bool], Edit],
    keep: bool,
    refused_page: Callable[[Refused], HttpResponse],
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the preview of an edit, or store the edit. `refused_page` is the page for a refusal."""
    if page.step in ("keep", "along"):
        keep = page.step == "keep"
    if page.step == "save" and page.request.method == "POST":
        saved = forms.SaveForm(page.data)
        key, seen, reason = saved.values()
        if key is None:
            return refused_page(Refused(status=422, code="R1", sentence=_("This page is not complete. Reload it.")))
        try:
            services.correct(
                table=page.table,
                edit=edit(keep),
                author=actor_of(page.request),
                key=key,
                reason=reason,
                seen=seen,
                request_hash=request_hash_of(page),
            )
        except Refused as refused:
            if refused.code != "moved_on":
                return refused_page(refused)
            return _planned(page, subject, edit, keep, refused_page, more, refused)
        messages.success(page.request, subject.done)
        return see(subject.then)
    return _planned(page, subject, edit, keep, refused_page, more)


def _planned(
    page: CorrectionPage,
    subject: Subject,
    edit: Callable[[bool], Edit],
    keep: bool,
    refused_page: Callable[[Refused], HttpResponse],
    more: Mapping[str, Any] | None,
    moved_on: Refused | None = None,
) -> HttpResponse:
    fresh = page.table
    if moved_on:
        current = tables.table_of(club=page.access.club, table_id=page.table.pk)
        fresh = current or fresh
    plans: dict[bool, services.Plan] = {}
    why: dict[bool, Refused] = {}
    for way in (keep, not keep):
        try:
            plans[way] = services.plan(table=fresh, edit=edit(way))
        except Refused as refused:
            why[way] = refused
    if keep not in plans and keep not in why:
        raise LookupError
    if keep in why and not (why[keep].code == "later" and (not keep) in plans):
        return refused_page(why[keep])
    if keep in why:
        # A later hand becomes impossible with the dealers as requested, but not with the other choice.
        return plan_page(page, subject, plan=plans[not keep], keep=not keep, refused=why[keep], more=more)
    differ = (not keep) in plans and [c.after and c.after.record for c in plans[keep].rows] != [
        c.after and c.after.record for c in plans[not keep].rows
    ]
    return plan_page(page, subject, plan=plans[keep], keep=keep, ways=differ, refused=moved_on, more=more)


def plan_page(
    page: CorrectionPage,
    subject: Subject,
    *,
    plan: services.Plan | None = None,
    keep: bool = False,
    ways: bool = False,
    refused: Refused | None = None,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    saved = forms.SaveForm(page.data)
    context = page.context() | {
        "subject": subject,
        "plan": selectors.plan_view(plan) if plan else None,
        "keep": keep,
        "ways": ways,
        "refused": refused,
        "blocking": blocking(page, refused, subject.number),
        "joins": joins(page, refused),
        "carried": forms.carried_fields(page.data),
        "key": engine_bridge.new_key(),
        "reason": saved.values()[2],
        "reasons": [_("tapped the wrong row"), _("tricks counted wrongly"), _("forgotten"), _("entered twice")],
        **(more or {}),
    }
    # A page that was only visited is no refused request.
    is_refusal = refused is not None and page.step != "" and (plan is None or refused.code == "moved_on")
    status = refused.status if refused and is_refusal else 200
    return render(page.request, "games/corrections/plan.html", context, status=status)


def joins(page: CorrectionPage, refused: Refused | None) -> tuple[int, str] | None:
    """The table that has coins of this table's pot, with the address where it can be merged; None otherwise."""
    if refused is None or "table" not in refused.details:
        return None
    place = {"club": page.access.club.slug, "table": refused.details["table"]}
    return refused.details["table_number"], reverse("table-seating", kwargs=place)


def blocking(page: CorrectionPage, refused: Refused | None, own: int) -> tuple[int, str] | None:
    """The later hand that becomes impossible, with the address where it can be corrected first; None otherwise."""
    number = refused.details.get("number") if refused and refused.code == "later" else None
    if not isinstance(number, int) or not 1 <= number <= len(page.entries):
        return None
    return number, page.url("hand-edit", number)
