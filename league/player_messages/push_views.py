"""The devices on the pages of messages: what their forms and scripts send. And the address at which a browser says that
its subscription is another one now."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from .. import counters
from ..accounts.push_sign_out import DEVICE
from ..accounts.selectors import device as browser_name
from ..errors import Refused, form_outdated
from ..features import uses
from ..features.table import MESSAGES
from ..models import Club, MessageChoice
from ..web.requests import see
from . import push_devices, push_sending
from .push_devices import Owner, Subscription
from .push_key import public_key

DOES = ("device-on", "device-off", "device-left", "device-test")
"""What a form of the page does with a device."""
MOST_TESTS, TEST_SECONDS = 10, 60 * 60
MOST_RENEWALS = 60


def context_of(owner: Owner) -> dict[str, object]:
    """Return what the part of the page with the devices shows."""
    return {"devices": [(device, push_devices.mark(device)) for device in owner.devices]}


def devices_do(request: HttpRequest, owner: Owner, club: Club) -> HttpResponse:
    """Do what was sent about a device; a script asks for an answer in JSON, a form is led back to the page.

    Raises:
        Refused: 422 for a subscription that cannot be used or a form without meaning, 409 for too many devices or
            without the feature, which nobody needs to remove a device, 429 for too many tests.
    """
    do, sent = request.POST["do"], request.POST
    if do in ("device-on", "device-test") and not uses(club, "own-messages"):
        raise Refused(status=409, code="messages", sentence=_("This is not offered here any more."))
    if do == "device-on":
        _on(request, owner, club)
    elif do == "device-left":
        push_devices.endpoint_off(owner, sent.get("endpoint", ""))
    elif do == "device-off":
        push_devices.device_off(owner, sent.get("device", ""))
        messages.success(request, _("Removed."))
    elif do == "device-test":
        _test(request, owner)
    else:
        raise form_outdated()
    if request.accepts("text/html"):
        return see(request.path)
    return JsonResponse({})


def refusal(refused: Refused) -> HttpResponse:
    """Return a refusal for a script."""
    return JsonResponse({"sentence": refused.sentence}, status=refused.status)


def _on(request: HttpRequest, owner: Owner, club: Club) -> None:
    device = push_devices.device_on(owner, _sent(request), browser_name(request.headers.get("User-Agent", "")))
    if owner.user is not None:
        request.session[DEVICE] = device.pk
    # Whoever switches a device on wants the messages there. Without a choice nothing is sent: it is made on the page.
    if owner.choices.filter(player__club=club).update(way=MessageChoice.Way.PUSH):
        messages.success(request, _("This device gets the messages now, in place of mails."))
    else:
        messages.success(request, _("This device is ready. Choose what you would like to get."))


def _sent(request: HttpRequest) -> Subscription:
    return Subscription(*(request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")))


def _test(request: HttpRequest, owner: Owner) -> None:
    device = owner.devices.filter(pk=_number(request.POST.get("device", ""))).first()
    if device is None:
        raise form_outdated()
    about = f"user:{owner.user.pk}" if owner.user else f"player:{owner.player.pk if owner.player else 0}"
    if counters.count([f"push-test-{about}"], TEST_SECONDS)[0] > MOST_TESTS:
        raise Refused(status=429, code="tests", sentence=_("Too many tests. Try again in an hour."))
    sent = push_sending.try_out(device)
    if not sent.error:
        messages.success(request, _("Sent. The message appears in a few seconds."))
    elif sent.status in push_sending.GONE:
        messages.error(request, _("This browser gets nothing any more, so it was removed. Switch it on again there."))
    else:
        messages.error(request, _("The push service did not take the message. Try again later."))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def renew(request: HttpRequest) -> HttpResponse:
    """Give a page or a service worker the key and a token (GET), and let the worker replace its subscription by a new
    one (POST): the browser has ended the old one. It proves itself with the old address and its secret. A server that
    sends no mail has no messages, so it is not found there."""
    if not MESSAGES.offered:
        raise Http404("no messages without mail")
    if request.method != "POST":
        return JsonResponse({"key": public_key(), "token": get_token(request)})
    old = request.POST.get("old", "")
    if counters.count([f"push-renew:{request.META.get('REMOTE_ADDR', '')}"], TEST_SECONDS)[0] > MOST_RENEWALS:
        return refusal(Refused(status=429, code="renewals", sentence=_("Too many tests. Try again in an hour.")))
    try:
        renewed = push_devices.device_renew(old, request.POST.get("old_auth", ""), _sent(request))
    except Refused as refused:
        return refusal(refused)
    return JsonResponse({}, status=200 if renewed else 404)
