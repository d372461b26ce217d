"""The operator's pages, for staff who used a second factor in this session. For everybody else there are none."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from smtplib import SMTPException
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.decorators import login_required
from django.core.mail import send_mail
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ..accounts.club_requests import waiting_requests
from ..errors import Refused
from ..models import Club, User
from ..web.club_navigation import show_refusal
from ..web.requests import actor_of, see
from . import services
from .checks import checks
from .clubs import PAGE, found_clubs, with_figures
from .forms import ActForm, QuotaForm, SuspendForm

View = Callable[..., HttpResponse]


def for_operators(view: View) -> View:
    """Let in superusers with a second factor; send those without it to the form for it, and answer 404 to others."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_superuser:
            raise Http404
        if not admin.site.has_permission(request):
            return redirect(f"{reverse('admin:login')}?{urlencode({'next': request.get_full_path()})}")
        return view(request, *args, **kwargs)

    return guarded


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_operators
def operator(request: HttpRequest) -> HttpResponse:
    """Show the state of the service and its clubs; a POST sends a mail to the operator, to try it."""
    if request.method == "POST":
        return _mail_tried(request)
    wanted = request.GET.get("q", "").strip()[:120]
    page = Paginator(found_clubs(wanted), PAGE).get_page(request.GET.get("page"))
    numbers = [club.pk for club in page]
    figures = {club.pk: club for club in with_figures(Club.objects.filter(pk__in=numbers))}
    context = {
        "checks": checks(),
        "waiting": waiting_requests().count(),
        "wanted": wanted,
        "page": page,
        "clubs": [(club, figures[club.pk]) for club in page],
    }
    return render(request, "league/operator/operator.html", context)


def _mail_tried(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    address = request.user.email
    try:
        send_mail(_("Chratzete: mail works"), _("This is the mail that you asked for."), None, [address])
    except (SMTPException, OSError) as error:
        messages.error(request, _("The mail was not sent: %(error)s") % {"error": type(error).__name__})
    else:
        messages.success(request, _("A mail is on its way to %(address)s.") % {"address": address})
    return see(reverse("operator"))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_operators
def operator_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's figures, and what the operator may do with it; a POST does it."""
    club = get_object_or_404(with_figures(Club.objects.filter(slug=slug)))
    act = ActForm(request.POST) if request.method == "POST" else None
    sent = request.POST if act is not None else None
    wanted = act.cleaned_data["act"] if act is not None and act.is_valid() else ""
    quotas = QuotaForm(
        sent if wanted == "quotas" else None, initial={name: getattr(club, name) for name in services.QUOTAS}
    )
    reason = SuspendForm(sent if wanted == "suspend" else None)
    if act is not None and _done(request, club, wanted, quotas, reason):
        messages.success(request, _("Saved."))
        return see(reverse("operator-club", kwargs={"slug": slug}))
    context = {"club": club, "quotas": quotas, "reason": reason}
    return render(request, "league/operator/club.html", context, status=422 if act is not None else 200)


def _done(request: HttpRequest, club: Club, act: str, quotas: QuotaForm, reason: SuspendForm) -> bool:
    """Do what was tapped; return False if the form of it has errors, or nothing known was tapped."""
    actor = actor_of(request)
    form = {"quotas": quotas, "suspend": reason}.get(act)
    if form is not None and not form.is_valid():
        return False
    try:
        match act:
            case "suspend":
                services.club_suspend(club=club, actor=actor, **reason.cleaned_data)
            case "resume":
                services.club_resume(club=club, actor=actor)
            case "quotas":
                services.quotas_set(club=club, actor=actor, quotas=quotas.cleaned_data)
            case "name":
                services.name_take_down(club=club, actor=actor)
            case "logo":
                services.logo_take_down(club=club, actor=actor)
            case _:
                return False
    except Refused as refused:
        show_refusal(form or reason, refused)
        return False
    return True
