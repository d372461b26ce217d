"""The admin behind a second factor of its own: being signed in is not enough."""

from __future__ import annotations

from allauth.account.internal.flows.login import get_authentication_records
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


class BackRoom(AdminSite):
    """Whoever runs the server comes in with a password and a second factor, both in this session."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and second_factor_used(request)

    def login(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """No form of its own: to the sign-in page, to the factors, or on to the factor that is still to be shown."""
        onward = request.GET.get("next") or reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(onward)
        if not super().has_permission(request):
            raise PermissionDenied
        if self.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        types = _types(request)
        if not types:
            messages.warning(request, _("The admin opens with a second factor. Set one up first."))
            return redirect("mfa_index")
        view = "mfa_reauthenticate" if Authenticator.Type.TOTP in types else "mfa_reauthenticate_webauthn"
        return HttpResponseRedirect(f"{reverse(view)}?{urlencode({'next': onward})}")


def _types(request: HttpRequest) -> set[str]:
    """The person's factors; codes for an emergency are none without another."""
    types = Authenticator.objects.filter(user_id=request.user.pk).values_list("type", flat=True)
    return set(types) - {Authenticator.Type.RECOVERY_CODES}


def second_factor_used(request: HttpRequest) -> bool:
    """Whether a second factor that is still there was shown in this session."""
    records = get_authentication_records(request, request.user)  # type: ignore[arg-type]
    return any(record.get("method") == "mfa" for record in records) and bool(_types(request))
