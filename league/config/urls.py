"""All addresses: those for operators here, those of the product in `league.urls` and `games.urls`."""

from django.contrib import admin
from django.urls import include, path

from league.api import docs
from league.config import health
from league.monitoring.page import metrics

handler400 = "league.web.error_pages.bad_request"
handler403 = "league.web.error_pages.permission_denied"
handler404 = "league.web.error_pages.not_found"
# Used by allauth's rate limits, not by Django.
handler429 = "league.web.error_pages.too_many"
handler500 = "league.web.error_pages.server_error"

urlpatterns = [
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/docs/", docs.reading, name="api-docs"),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("league.api.urls")),
    path("", include("league.urls")),
    path("", include("games.urls")),
]
