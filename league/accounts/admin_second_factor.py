"""The admin requires a second factor in the session; signing in is not enough."""

from __future__ import annotations

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _


class SecondFactorAdminSite(AdminSite):
    """The admin, for superusers who used a password and a second factor in this session."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and second_factor_used(request)

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Redirect to the sign-in page, to the page of factors, or to the form for the missing factor."""
        onward = request.GET.get("next") or reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(onward)
        if not super().has_permission(request):
            raise PermissionDenied
        if self.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        types = _factor_types(request)
        if not types:
            messages.warning(request, _("The admin needs a second factor. Set one up first."))
            return redirect("mfa_index")
        view = "mfa_reauthenticate" if Authenticator.Type.TOTP in types else "mfa_reauthenticate_webauthn"
        return HttpResponseRedirect(f"{reverse(view)}?{urlencode({'next': onward})}")


def _factor_types(request: HttpRequest) -> set[str]:
    """Return the types of the user's factors; recovery codes alone do not count."""
    types = Authenticator.objects.filter(user_id=request.user.pk).values_list("type", flat=True)
    return set(types) - {Authenticator.Type.RECOVERY_CODES}


def second_factor_used(request: HttpRequest) -> bool:
    """Return True if a second factor that still exists was used in this session."""
    records = get_authentication_records(request, request.user)  # type: ignore[arg-type]
    return any(record.get("method") == "mfa" for record in records) and bool(_factor_types(request))
