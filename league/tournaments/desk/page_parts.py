"""Common parts of the desk's views: the page with its problem, the key of a form, the way back."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from ...errors import Refused, form_outdated
from ...web.polling import etag_of
from ...web.requests import see
from ..clock import Clock
from ..entries import Newcomer
from ..gate import TournamentAccess
from ..own_entries import waiting
from .people import Person
from .selectors import Desk, desk_of, desk_state
from .steps import may_take_back, next_step, tables_sentence

AT_ONCE = 300
"""People of one form."""

Given = ParamSpec("Given")
Done = TypeVar("Done")


@dataclass(frozen=True)
class DeskRefusal:
    """A refusal with its choices. `confirm`: the form that overrides the refusal, its `label` and hidden fields;
    `choices`: people of whom one was meant; `enter`: a nickname that could be entered."""

    sentence: str
    at: str = ""
    confirm_url: str = ""
    confirm_label: str = ""
    confirm_fields: Mapping[str, Any] = field(default_factory=dict)
    choices: tuple[Person, ...] = ()
    enter: str = ""

    @classmethod
    def of(cls, refused: Refused) -> DeskRefusal:
        return cls(refused.sentence, refused.at)


def key_of(request: HttpRequest) -> uuid.UUID | None:
    """Return the key of the form that was sent; None if the form has none.

    Raises:
        Refused: 422 for an invalid key.
    """
    sent = request.POST.get("key", "")
    if not sent:
        return None
    try:
        return uuid.UUID(sent)
    except ValueError as fault:
        raise form_outdated() from fault


def whole(text: str | None) -> int | None:
    """Return a whole number as it is typed, with either minus sign; None for anything else."""
    tidy = (text or "").strip().replace("−", "-").replace("–", "-").replace("'", "").replace("’", "").removeprefix("+")
    digits = tidy.removeprefix("-")
    return int(tidy) if digits.isascii() and digits.isdecimal() and len(digits) < 13 else None


def check_number(people: Sequence[Newcomer]) -> None:
    """Refuse a list of more people than one form may enter."""
    if len(people) > AT_ONCE:
        sentence = _("At most %(most)d people at once, please.") % {"most": AT_ONCE}
        raise Refused(status=422, code="entrants", sentence=sentence, at="names")


def number_of(request: HttpRequest, name: str) -> int:
    """Return a whole number that the form sent. Raises Refused (422) for anything else."""
    number = whole(request.POST.get(name))
    if number is None:
        raise form_outdated()
    return number


def dispatch(actions: Mapping[str, Callable[Given, Done]], do: str, *args: Given.args, **kwargs: Given.kwargs) -> Done:
    """Carry out the action that a form named. Raises Refused (422) for an action that the page does not have."""
    action = actions.get(do)
    if action is None:
        raise form_outdated()
    return action(*args, **kwargs)


def url_of(access: TournamentAccess, name: str = "tournament-desk", **more: Any) -> str:
    """Return the address of a page of this tournament."""
    return reverse(name, kwargs={"club": access.club.slug, "tournament": access.tournament.slug, **more})


def back(access: TournamentAccess, name: str = "tournament-desk", tail: str = "", **more: Any) -> HttpResponse:
    """Redirect to a page of this tournament after a POST."""
    return see(url_of(access, name, **more) + tail)


def common(access: TournamentAccess) -> dict[str, Any]:
    """The context of every page of the desk."""
    return {
        "access": access.access,
        "club": access.club,
        "tournament": access.tournament,
        "key": uuid.uuid4(),
        "may_manage": access.access.role == "owner",
    }


def desk_context(access: TournamentAccess, *, shown: int | None = None) -> dict[str, Any]:
    """The context of the desk's screen."""
    etag = desk_etag(access, shown)
    desk = desk_of(access, shown=shown)
    return {
        **common(access),
        "desk": desk,
        "names": [[person.number, person.name, person.here, person.gone] for person in desk.people],
        "clock_text": clock_text(desk.clock) if desk.clock else "",
        "step": next_step(desk),
        "etag": etag,
        "shown": shown,
        "with_missing": _with_missing(desk),
        "may_take_back": may_take_back(desk),
        "own_waiting": _own_waiting(access),
    }


def _own_waiting(access: TournamentAccess) -> int:
    """Return the number of people who entered themselves and wait. No query where nobody can."""
    return 0 if access.tournament.own_entry_places is None else waiting(access.tournament).count()


def clock_text(clock: Clock) -> str:
    """Return the time of the clock: the remaining or, without a limit, the elapsed time, as minutes and seconds."""
    seconds = clock.elapsed if clock.remaining is None else clock.remaining
    minutes, rest = divmod(abs(seconds), 60)
    return f"{'−' if seconds < 0 else ''}{minutes}:{rest:02d}"


def hours_text(minutes: int) -> str:
    """Return a length of time in words."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(m)d min") % {"m": rest}
    return _("%(h)d h %(m)d min") % {"h": hours, "m": rest} if rest else _("%(h)d h") % {"h": hours}


def desk_etag(access: TournamentAccess, shown: int | None) -> str:
    """Return the ETag of the desk's screen."""
    return etag_of(access.access, *desk_state(access), access.runs, shown)


def desk_page(
    request: HttpRequest,
    access: TournamentAccess,
    *,
    problem: DeskRefusal | None = None,
    status: int = 200,
    shown: int | None = None,
    **more: Any,
) -> HttpResponse:
    """Render the desk's screen; `problem` is the reason of a refusal."""
    context = desk_context(access, shown=shown) | {"problem": problem} | more
    return render(request, "league/tournaments/desk/desk.html", context, status=status)


def _with_missing(desk: Desk) -> str:
    """The tables with one more entrant, and with all missing ones."""
    if not desk.missing or desk.phase in ("draft", "over"):
        return ""
    return tables_sentence(desk, len(desk.here) + len(desk.missing))
