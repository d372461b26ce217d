"""What the pages of corrections begin and end with: who it is, the table and its hands, and what saving would do."""

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
from league.models import Evening
from league.posted import actor_of, see

from .. import recording
from .. import selectors as tables
from ..errors import Refused
from ..models import Table
from . import corrections, forms, program, reading
from .edits import Edit
from .program import Entry


@dataclass(frozen=True)
class Desk:
    """What every page of corrections begins with: who it is, the table and its hands, and what was sent."""

    request: HttpRequest
    access: ClubAccess
    table: Table
    entries: tuple[Entry, ...]
    data: Mapping[str, Any]

    @property
    def step(self) -> str:
        """What was asked for; '' where the page was only opened."""
        return str(self.data.get("step", ""))

    def url(self, name: str, number: int | None = None) -> str:
        """An address of this table, of one of its hands where it has a number."""
        at: dict[str, Any] = {"club": self.access.club.slug, "table": self.table.pk}
        return reverse(name, kwargs=at if number is None else at | {"number": number})

    def check(self, number: int, more: int = 0) -> None:
        """Raise Http404 where there is no such hand, `more` places beyond the last one."""
        if not 1 <= number <= len(self.entries) + more:
            raise Http404("no such hand")

    def context(self) -> dict[str, Any]:
        """What every one of their templates needs."""
        return {
            "access": self.access,
            "club": self.access.club,
            "table": self.table,
            "evening": self.table.evening,
            "final": self.table.evening.standing() == Evening.Standing.FINAL,
            "hands": len(self.entries),
        }


@dataclass(frozen=True)
class Matter:
    """What a page is about: its heading, what saving it says, where it leads then, and where it can be changed."""

    title: str
    save: str
    done: str
    then: str
    back: str
    number: int


def desk(request: HttpRequest, club: str, table: int) -> Desk:
    """The gate, and the table with its hands. Raises Http404 and PermissionDenied as the gate does."""
    access = club_for(request.user, club, Right.RECORD)
    found = tables.table_of(club_id=access.club.pk, table_id=table)
    if found is None:
        raise Http404("no such table")
    access.counts_plainly(found.evening.season)
    data = request.POST if request.method == "POST" else request.GET
    return Desk(request, access, found, tuple(program.read(found)), data.dict())


def asked_of(at: Desk) -> str:
    """The digest of a correction as it was sent. What it means hangs on the hands, and these are others once it is
    stored: the same request must be known again by what stood in it."""
    sent = [*forms.carried(at.data), ("keep", str(at.data.get("keep", ""))), ("reason", str(at.data.get("reason", "")))]
    return recording.body_hash(["correct", at.request.path, sorted(sent)])


def stored_before(at: Desk) -> HttpResponse | None:
    """The answer to a save that is stored already under its key; None for everything else."""
    key, _seen, _reason = forms.SaveForm(at.data).said()
    if at.request.method != "POST" or at.step != "save" or key is None:
        return None
    made = corrections.stored_as(table=at.table, key=key, asked=asked_of(at))
    if made is None:
        return None
    messages.success(at.request, f"{reading.said_of(made)}.")
    return see(at.url("hand-history", made.details.get("to", made.number)))


def mend(
    at: Desk,
    matter: Matter,
    edit: Callable[[bool], Edit],
    keep: bool,
    no: Callable[[Refused], HttpResponse],
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show what an edit would do, or do it. `no` is the page that says why not."""
    if at.step in ("keep", "along"):
        keep = at.step == "keep"
    if at.step == "save" and at.request.method == "POST":
        saved = forms.SaveForm(at.data)
        key, seen, reason = saved.said()
        if key is None:
            return no(Refused(status=422, code="R1", sentence=_("This page is not complete. Load it again.")))
        try:
            corrections.correct(
                table=at.table,
                edit=edit(keep),
                author=actor_of(at.request),
                key=key,
                reason=reason,
                seen=seen,
                asked=asked_of(at),
            )
        except Refused as refused:
            if refused.code != "moved_on":
                return no(refused)
            return _planned(at, matter, edit, keep, no, more, refused)
        messages.success(at.request, matter.done)
        return see(matter.then)
    return _planned(at, matter, edit, keep, no, more)


def _planned(
    at: Desk,
    matter: Matter,
    edit: Callable[[bool], Edit],
    keep: bool,
    no: Callable[[Refused], HttpResponse],
    more: Mapping[str, Any] | None,
    moved_on: Refused | None = None,
) -> HttpResponse:
    fresh = at.table
    if moved_on:
        found = tables.table_of(club_id=at.access.club.pk, table_id=at.table.pk)
        fresh = found or fresh
    plans: dict[bool, corrections.Plan] = {}
    why: dict[bool, Refused] = {}
    for way in (keep, not keep):
        try:
            plans[way] = corrections.plan(table=fresh, edit=edit(way))
        except Refused as refused:
            why[way] = refused
    if keep not in plans and keep not in why:
        raise LookupError
    if keep in why and not (why[keep].code == "later" and (not keep) in plans):
        return no(why[keep])
    if keep in why:
        # As it was asked for a later hand becomes impossible; dealt the other way it does not.
        return plan_page(at, matter, plan=plans[not keep], keep=not keep, refused=why[keep], more=more)
    differ = (not keep) in plans and [c.after and c.after.record for c in plans[keep].rows] != [
        c.after and c.after.record for c in plans[not keep].rows
    ]
    return plan_page(at, matter, plan=plans[keep], keep=keep, ways=differ, refused=moved_on, more=more)


def plan_page(
    at: Desk,
    matter: Matter,
    *,
    plan: corrections.Plan | None = None,
    keep: bool = False,
    ways: bool = False,
    refused: Refused | None = None,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    saved = forms.SaveForm(at.data)
    context = at.context() | {
        "matter": matter,
        "plan": reading.plan_view(plan) if plan else None,
        "keep": keep,
        "ways": ways,
        "refused": refused,
        "blocking": blocking(at, refused, matter.number),
        "joins": joins(at, refused),
        "carried": forms.carried(at.data),
        "key": recording.new_key(),
        "reason": saved.said()[2],
        "reasons": [_("tapped the wrong row"), _("tricks counted wrongly"), _("forgotten"), _("entered twice")],
        **(more or {}),
    }
    # A page that was only opened has refused nothing yet.
    no = refused is not None and at.step != "" and (plan is None or refused.code == "moved_on")
    status = refused.status if refused and no else 200
    return render(at.request, "games/mend_plan.html", context, status=status)


def joins(at: Desk, refused: Refused | None) -> tuple[int, str] | None:
    """The table that has coins of this one's pot, and where it can be joined to it; None where it is not that."""
    if refused is None or "table" not in refused.details:
        return None
    where = {"club": at.access.club.slug, "table": refused.details["table"]}
    return refused.details["table_number"], reverse("table-night", kwargs=where)


def blocking(at: Desk, refused: Refused | None, own: int) -> tuple[int, str] | None:
    """The later hand that becomes impossible, and where it can be put right first."""
    number = refused.details.get("number") if refused and refused.code == "later" else None
    if not isinstance(number, int) or not 1 <= number <= len(at.entries):
        return None
    return number, at.url("hand-edit", number)
