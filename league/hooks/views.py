"""An owner's pages: a club's webhooks, and what was sent to each."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ..access import ClubAccess, Right, club_for
from ..desk.nav import desk_context
from ..errors import Refused
from ..models import Delivery, Webhook
from ..posted import actor_of, see
from . import selectors, services
from .words import FAULTS


@dataclass(frozen=True)
class Typed:
    """What stands in the form: as stored, or as it was sent and refused."""

    url: str = ""
    events: tuple[str, ...] = tuple(event.value for event in services.EVENTS)

    @classmethod
    def sent(cls, post: QueryDict) -> Typed:
        return cls(post.get("url", ""), tuple(post.getlist("events")))

    @property
    def choices(self) -> list[tuple[str, Any, bool]]:
        """Each event with its words and whether it is ticked."""
        return [(event.value, event.label, event.value in self.events) for event in services.EVENTS]


@dataclass(frozen=True)
class Line:
    """A line of the log."""

    delivery: Delivery
    fault: str | Promise
    body: str

    @classmethod
    def of(cls, delivery: Delivery) -> Line:
        return cls(
            delivery,
            FAULTS.get(delivery.error, ""),
            json.dumps(delivery.body, ensure_ascii=False, sort_keys=True, indent=2),
        )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hooks(request: HttpRequest, club: str) -> HttpResponse:
    """All webhooks of a club, and the form for one more. A new one's secret is shown in the answer, once."""
    access = club_for(request.user, club, Right.MANAGE)
    if request.method != "POST":
        return _list(request, access, Typed())
    typed = Typed.sent(request.POST)
    try:
        added = services.hook_add(club=access.club, actor=actor_of(request), url=typed.url, events=typed.events)
    except Refused as refused:
        return _list(request, access, typed, refused)
    return _secret(request, access, added)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hook(request: HttpRequest, club: str, hook: uuid.UUID) -> HttpResponse:
    """One webhook: change, switch, test, make its secret anew, remove; and the log of what was sent to it."""
    access, found = _hook_for(request, club, hook)
    if request.method != "POST":
        return _page(request, access, found, Typed(found.url, tuple(found.events)))
    typed = Typed.sent(request.POST) if request.POST.get("do") == "change" else Typed(found.url, tuple(found.events))
    try:
        return _do(request, access, found, typed)
    except Refused as refused:
        return _page(request, access, found, typed, refused)


@login_required
@never_cache
@require_POST
def hook_replay(request: HttpRequest, club: str, hook: uuid.UUID, delivery: uuid.UUID) -> HttpResponse:
    """Send a message again."""
    access, found = _hook_for(request, club, hook)
    chosen = selectors.delivery_of(access.club, delivery)
    if chosen is None or chosen.webhook_id != found.pk:
        raise Http404("no such message")
    try:
        services.delivery_replay(delivery=chosen, actor=actor_of(request))
    except Refused as refused:
        return _page(request, access, found, Typed(found.url, tuple(found.events)), refused)
    messages.success(request, _("The message is sent again."))
    return _on_to("hook", access, found)


def _do(request: HttpRequest, access: ClubAccess, found: Webhook, typed: Typed) -> HttpResponse:
    """What the button said. Raises Refused."""
    actor = actor_of(request)
    match request.POST.get("do"):
        case "change":
            services.hook_change(hook=found, actor=actor, url=typed.url, events=typed.events)
            messages.success(request, _("The webhook is changed."))
        case "on" | "off" as way:
            services.hook_change(hook=found, actor=actor, active=way == "on")
        case "roll":
            return _secret(request, access, services.hook_roll(hook=found, actor=actor), rolled=True)
        case "ping":
            services.hook_ping(hook=found, actor=actor)
            messages.success(request, _("A test is on its way. Load the page again to see how it went."))
        case "remove":
            services.hook_remove(hook=found, actor=actor)
            messages.success(request, _("The webhook is removed; nothing more is sent there."))
            return _on_to("hooks", access)
        case _:
            raise Refused(status=422, code="do", sentence=_("Say what is to be done with the webhook."))
    return _on_to("hook", access, found)


def _hook_for(request: HttpRequest, club: str, pk: uuid.UUID) -> tuple[ClubAccess, Webhook]:
    access = club_for(request.user, club, Right.MANAGE)
    found = selectors.hook_of(access.club, pk)
    if found is None:
        raise Http404("no such webhook")
    return access, found


def _on_to(name: str, access: ClubAccess, found: Webhook | None = None) -> HttpResponse:
    more = {} if found is None else {"hook": found.pk}
    return see(reverse(name, kwargs={"club": access.club.slug, **more}))


def _list(request: HttpRequest, access: ClubAccess, typed: Typed, refused: Refused | None = None) -> HttpResponse:
    context = {
        **desk_context(access, "hooks"),
        "hooks": list(selectors.hooks_of(access.club)),
        "most": services.MAX_HOOKS,
        "typed": typed,
        "refused": refused,
    }
    return render(request, "league/hooks/list.html", context, status=refused.status if refused else 200)


def _page(
    request: HttpRequest, access: ClubAccess, found: Webhook, typed: Typed, refused: Refused | None = None
) -> HttpResponse:
    found.refresh_from_db()
    if found.removed_at is not None:
        raise Http404("no such webhook")
    found_page, after = selectors.page(found, _uuid(request.GET.get("after", "")))
    context = {
        "club": access.club,
        "hook": found,
        "both_until": found.old_until if found.old_until and found.old_until > timezone.now() else None,
        "typed": typed,
        "refused": refused,
        "lines": [Line.of(delivery) for delivery in found_page],
        "after": after,
    }
    return render(request, "league/hooks/hook.html", context, status=refused.status if refused else 200)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _secret(request: HttpRequest, access: ClubAccess, found: Webhook, *, rolled: bool = False) -> HttpResponse:
    """The one page that shows a secret; it is not kept by browsers, and not shown again."""
    context = {"club": access.club, "hook": found, "rolled": rolled, "hours": services.OLD_SECRET_HOURS}
    return render(request, "league/hooks/secret.html", context)
