"""The app on a phone: its service worker, its manifest, and the page that is shown without a network."""

from __future__ import annotations

import json
import re

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..played_games import description
from ..static_sources import text_path
from . import app_version
from .kept_pages import account_of

SIZES = (192, 512)


def app(request: HttpRequest) -> dict[str, object]:
    """Context processor: `app_version`, and `app_account` for the service worker."""
    return {"app_version": app_version.version(), "app_account": SimpleLazyObject(lambda: account_of(request))}


@login_not_required
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, with its version and its files in front of it: each version is another script."""
    shell = {
        "version": app_version.version(),
        "files": app_version.files(),
        "fresh": settings.DEBUG,
        "offline": reverse("offline"),
        "token": reverse("outbox"),
        "renew": reverse("push-renew"),
        "icon": static("icons/any-192.png"),
    }
    text = f"const APP = {json.dumps(shell)};\n{script()}"
    headers = {"Cache-Control": "no-cache, max-age=0", "Service-Worker-Allowed": "/"}
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers=headers)


def script() -> str:
    """Return the text of the worker, without the lines that the server puts in front of it."""
    return text_path("built/worker.js").read_text(encoding="utf-8")


@login_not_required
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest, in the language of the reader."""
    paper = _paper()
    name = settings.PRODUCT_NAME
    shortcuts = [
        {"name": _("Clubs"), "url": f"{reverse('home')}?all=1"},
        {"name": _("Pot splitter"), "url": reverse("calculator")},
    ]
    shell = {
        "id": "/",
        "name": name,
        "short_name": name,
        "description": description(),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": paper,
        "theme_color": paper,
        "categories": ["games", "utilities"],
        "icons": [*_icons("any"), *_icons("maskable")],
        "shortcuts": shortcuts,
    }
    return JsonResponse(shell, content_type="application/manifest+json")


def _icons(purpose: str) -> list[dict[str, str]]:
    def source(size: int) -> str:
        return static(f"icons/{purpose}-{size}.png")

    return [{"src": source(n), "sizes": f"{n}x{n}", "type": "image/png", "purpose": purpose} for n in SIZES]


def _paper() -> str:
    """Return the light colour of the page: a manifest has one colour, the pages name the dark one themselves."""
    match = re.search(r"--paper: (#[0-9a-f]{6})", text_path("css/tokens.css").read_text(encoding="utf-8"))
    return match[1] if match else "#ffffff"


@login_not_required
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page in place of one that needs the network: the pages that this phone keeps, and the writes that wait. It
    depends on no account."""
    return render(request, "offline.html")
