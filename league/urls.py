"""Addresses of the league's pages and files."""

from django.urls import include, path

from .standings import exports, views
from .web import browser_outbox, language

SEASON = "c/<slug:club>/s/<slug:season>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("league.club_admin.urls")),
    path("language/", language.language, name="language"),
    path("outbox/", browser_outbox.token, name="outbox"),
    path("", include("league.accounts.urls")),
    path("", include("league.webhooks.urls")),
    path("", include("league.api_keys.urls")),
    path("", include("league.privacy.urls")),
    path("", include("league.tournaments.urls")),
    path("c/<slug:club>/", views.club, name="club"),
    path("c/<slug:club>/p/<int:player>/", views.player, name="player"),
    path(SEASON, views.season, name="season"),
    path(SEASON + "standings/", views.season_standings, name="season-standings"),
    path(SEASON + "standings.csv", exports.standings_csv, name="standings-csv"),
    path(SEASON + "results.csv", exports.results_csv, name="results-csv"),
    path(SEASON + "ledger.csv", exports.ledger_csv, name="ledger-csv"),
]
