"""The pub screen of a club: for its readers, and by a link for a television; and the page on which an owner makes that
link."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ..access import ClubAccess, Right, club_for
from ..features.gate import check_on
from ..models import Club, PubScreenLink
from ..web import app_version
from ..web.club_navigation import club_admin_context
from ..web.kept_pages import keep_on_phone
from ..web.page_versions import State, state_of, versioned
from ..web.polling import answer_unless_known, etag_of
from ..web.qr import qr
from ..web.requests import actor_of, see
from . import link
from .scenes import scenes_of, screen_state


@versioned(screen_state)
@require_safe
def screen(request: HttpRequest, club: str) -> HttpResponseBase:
    """Show the pub screen to readers of the club."""
    access = club_for(request.user, club)
    return _screen(request, access, state_of(request, screen_state, club=club))


@require_safe
def linked_screen(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show the pub screen by its link, also that of a private club: with public names, as everybody in the pub reads
    it."""
    club = link.club_of_token(token)
    if club is None:
        raise Http404("no such link")
    check_on(club)
    access = ClubAccess(club=club, role=None, player_ids=frozenset())
    response = _screen(request, access, screen_state(club=club.slug))
    response["X-Robots-Tag"] = "noindex, nofollow"
    if not club.public:
        response["Cache-Control"] = "private, no-store"
    return response


def _screen(request: HttpRequest, access: ClubAccess, state: State | None) -> HttpResponseBase:
    """Return the page, or 304 if the screen has this state. The state was read before: no page is older than its
    version."""
    etag = etag_of(access, app_version.version(), state and state.numbers)
    return answer_unless_known(request, etag, lambda: _screen_page(request, access))


def _screen_page(request: HttpRequest, access: ClubAccess) -> HttpResponse:
    club = access.club
    context = {"club": club, "scenes": scenes_of(access), "back": club.get_absolute_url()}
    context["may_manage"] = access.may(Right.MANAGE)
    if club.public:
        where = request.build_absolute_uri(club.get_absolute_url())
        context |= {"address": where.partition("://")[2].rstrip("/"), "code": qr(where)}
    elif access.role is None:
        context["back"] = ""
    page = render(request, "league/pub_screen/screen.html", context)
    return keep_on_phone(page, _("Screen for the pub") + f": {club.name}")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link_page(request: HttpRequest, club: str) -> HttpResponse:
    """Show the link for a television; make another one, or end it."""
    access = club_for(request.user, club, Right.MANAGE)
    if request.method == "POST":
        write = link.link_end if request.POST.get("do") == "end" else link.link_renew
        write(club=access.club, actor=actor_of(request))
        return see(reverse("club-screen-link", kwargs={"club": club}))
    context = club_admin_context(access) | _link(request, access.club)
    return render(request, "league/pub_screen/link.html", context)


def _link(request: HttpRequest, club: Club) -> dict[str, object]:
    pub_screen_link = PubScreenLink.objects.filter(club=club).first()
    if pub_screen_link is None:
        return {}
    url = request.build_absolute_uri(reverse("screen-link", kwargs={"token": link.token_of(pub_screen_link)}))
    return {"link": pub_screen_link, "url": url, "code": qr(url)}
