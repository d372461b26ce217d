"""Pages of a club's webhooks, each with the log of its messages."""

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
from ..errors import Refused
from ..models import Delivery, Webhook
from ..web.club_navigation import club_admin_context
from ..web.requests import actor_of, see
from . import selectors, services
from .delivery_sentences import FAULTS


@dataclass(frozen=True)
class Typed:
    """The values of the form: stored, or sent and refused."""

    url: str = ""
    events: tuple[str, ...] = tuple(event.value for event in services.EVENTS)

    @classmethod
    def sent(cls, post: QueryDict) -> Typed:
        return cls(post.get("url", ""), tuple(post.getlist("events")))

    @property
    def choices(self) -> list[tuple[str, Any, bool]]:
        """Each event with its label and whether it is ticked."""
        return [(event.value, event.label, event.value in self.events) for event in services.EVENTS]


@dataclass(frozen=True)
class DeliveryLine:
    """A line of the log."""

    delivery: Delivery
    fault: str | Promise
    body: str

    @classmethod
    def of(cls, delivery: Delivery) -> DeliveryLine:
        return cls(
            delivery,
            FAULTS.get(delivery.error, ""),
            json.dumps(delivery.body, ensure_ascii=False, sort_keys=True, indent=2),
        )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, club: str) -> HttpResponse:
    """List the webhooks of a club and add one. The answer to adding shows the secret, once."""
    access = club_for(request.user, club, Right.MANAGE)
    if request.method != "POST":
        return _list(request, access, Typed())
    typed = Typed.sent(request.POST)
    try:
        added = services.webhook_add(club=access.club, actor=actor_of(request), url=typed.url, events=typed.events)
    except Refused as refused:
        return _list(request, access, typed, refused)
    return _secret(request, access, added)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, club: str, webhook: uuid.UUID) -> HttpResponse:
    """Show a webhook with its log; change, switch, test or remove it, or replace its secret."""
    access, chosen_webhook = _webhook_for(request, club, webhook)
    if request.method != "POST":
        return _webhook_page(request, access, chosen_webhook, Typed(chosen_webhook.url, tuple(chosen_webhook.events)))
    typed = (
        Typed.sent(request.POST)
        if request.POST.get("do") == "change"
        else Typed(chosen_webhook.url, tuple(chosen_webhook.events))
    )
    try:
        return _do(request, access, chosen_webhook, typed)
    except Refused as refused:
        return _webhook_page(request, access, chosen_webhook, typed, refused)


@login_required
@never_cache
@require_POST
def webhook_replay(request: HttpRequest, club: str, webhook: uuid.UUID, delivery: uuid.UUID) -> HttpResponse:
    """Send a message again."""
    access, chosen_webhook = _webhook_for(request, club, webhook)
    chosen = selectors.delivery_of(access.club, delivery)
    if chosen is None or chosen.webhook_id != chosen_webhook.pk:
        raise Http404("no such message")
    try:
        services.delivery_replay(delivery=chosen, actor=actor_of(request))
    except Refused as refused:
        return _webhook_page(
            request, access, chosen_webhook, Typed(chosen_webhook.url, tuple(chosen_webhook.events)), refused
        )
    messages.success(request, _("The message is sent again."))
    return _redirect("webhook", access, chosen_webhook)


def _do(request: HttpRequest, access: ClubAccess, webhook: Webhook, typed: Typed) -> HttpResponse:
    """Carry out the action of the button. Raises Refused."""
    actor = actor_of(request)
    match request.POST.get("do"):
        case "change":
            services.webhook_change(webhook=webhook, actor=actor, url=typed.url, events=typed.events)
            messages.success(request, _("The webhook is changed."))
        case "on" | "off" as way:
            services.webhook_change(webhook=webhook, actor=actor, active=way == "on")
        case "roll":
            return _secret(request, access, services.webhook_roll(webhook=webhook, actor=actor), rolled=True)
        case "ping":
            services.webhook_ping(webhook=webhook, actor=actor)
            messages.success(request, _("A test is on its way. Reload the page to see the result."))
        case "remove":
            services.webhook_remove(webhook=webhook, actor=actor)
            messages.success(request, _("The webhook is removed; nothing more is sent there."))
            return _redirect("webhooks", access)
        case _:
            raise Refused(status=422, code="do", sentence=_("Choose what to do with the webhook."))
    return _redirect("webhook", access, webhook)


def _webhook_for(request: HttpRequest, club: str, pk: uuid.UUID) -> tuple[ClubAccess, Webhook]:
    access = club_for(request.user, club, Right.MANAGE)
    webhook = selectors.webhook_of(access.club, pk)
    if webhook is None:
        raise Http404("no such webhook")
    return access, webhook


def _redirect(name: str, access: ClubAccess, webhook: Webhook | None = None) -> HttpResponse:
    more = {} if webhook is None else {"webhook": webhook.pk}
    return see(reverse(name, kwargs={"club": access.club.slug, **more}))


def _list(request: HttpRequest, access: ClubAccess, typed: Typed, refused: Refused | None = None) -> HttpResponse:
    context = {
        **club_admin_context(access),
        "webhooks": list(selectors.webhooks_of(access.club)),
        "most": services.MAX_WEBHOOKS,
        "typed": typed,
        "refused": refused,
    }
    return render(request, "league/webhooks/list.html", context, status=refused.status if refused else 200)


def _webhook_page(
    request: HttpRequest, access: ClubAccess, webhook: Webhook, typed: Typed, refused: Refused | None = None
) -> HttpResponse:
    webhook.refresh_from_db()
    if webhook.removed_at is not None:
        raise Http404("no such webhook")
    found_page, after = selectors.page(webhook, _uuid(request.GET.get("after", "")))
    context = {
        "club": access.club,
        "webhook": webhook,
        "both_until": webhook.old_until if webhook.old_until and webhook.old_until > timezone.now() else None,
        "typed": typed,
        "refused": refused,
        "lines": [DeliveryLine.of(delivery) for delivery in found_page],
        "after": after,
    }
    return render(request, "league/webhooks/webhook.html", context, status=refused.status if refused else 200)


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _secret(request: HttpRequest, access: ClubAccess, webhook: Webhook, *, rolled: bool = False) -> HttpResponse:
    """Render the only page that shows a secret. Browsers do not store it (`never_cache`)."""
    context = {"club": access.club, "webhook": webhook, "rolled": rolled, "hours": services.OLD_SECRET_HOURS}
    return render(request, "league/webhooks/secret.html", context)
