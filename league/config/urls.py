"""All addresses: the operators' few here, the product's in `league.urls` and `games.urls`."""

from django.contrib import admin
from django.urls import include, path

from league.api import docs
from league.config import health

handler400 = "league.config.errors.bad_request"
handler403 = "league.config.errors.permission_denied"
handler404 = "league.config.errors.not_found"
# Asked for by the accounts' limits, not by Django.
handler429 = "league.config.errors.too_many"
handler500 = "league.config.errors.server_error"

urlpatterns = [
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("api/docs/", docs.reading, name="api-docs"),
    path("api/v1/", include("league.api.urls")),
    path("api/v1/", include("games.api.urls")),
    path("", include("league.urls")),
    path("", include("games.urls")),
]
