"""Addresses of the league's pages and files."""

from django.urls import include, path

from .career import exports as career_exports
from .career import views as career_views
from .features import feature_patterns
from .standings import exports, views
from .standings.formula import sum_views
from .web import app_shell, browser_outbox, language

SEASON = "c/<slug:club>/s/<slug:season>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("", include("league.club_admin.urls")),
    path("language/", language.language, name="language"),
    path("outbox/", browser_outbox.token, name="outbox"),
    path("worker.js", app_shell.worker, name="worker"),
    path("manifest.webmanifest", app_shell.manifest, name="manifest"),
    path("offline/", app_shell.offline, name="offline"),
    path("", include("league.accounts.urls")),
    path("", include("league.treasury.urls")),
    path("", include("league.member_fees.urls")),
    path("", include("league.webhooks.urls")),
    path("", include("league.api_keys.urls")),
    path("", include("league.privacy.urls")),
    path("", include("league.cups.urls")),
    path("", include("league.tournaments.urls")),
    path("", include("league.records.urls")),
    path("", include("league.chances.urls")),
    path("", include("league.luck.urls")),
    path("", include("league.champions.urls")),
    path("", include("league.year_review.urls")),
    path("", include("league.imports.urls")),
    path("", include("league.statistics.urls")),
    path("", include("league.sharing.urls")),
    path("", include("league.attendance.urls")),
    path("", include("league.player_messages.urls")),
    path("", include("league.pub_screen.urls")),
    path("", include("league.reports.urls")),
    path("", include("league.large_files.urls")),
    path("", include("league.logo.urls")),
    path("", include("league.operator.urls")),
    path("c/<slug:club>/", views.club, name="club"),
    path("c/<slug:club>/p/<int:player>/", career_views.player, name="player"),
    path("c/<slug:club>/p/<int:player>/evenings.csv", career_exports.evenings_csv, name="evenings-csv"),
    path(SEASON, views.season, name="season"),
    path(SEASON + "standings/", views.season_standings, name="season-standings"),
    path(SEASON + "sum/<int:player>/", sum_views.season_sum, name="season-sum"),
    path(SEASON + "standings.csv", exports.standings_csv, name="standings-csv"),
    path(SEASON + "results.csv", exports.results_csv, name="results-csv"),
    path(SEASON + "ledger.csv", exports.ledger_csv, name="ledger-csv"),
    *feature_patterns("teams", path(SEASON + "team/<int:number>/", sum_views.season_team, name="season-team")),
]
