"""Addresses of the club admin."""

from django.urls import path

from ..features import feature_patterns
from ..web.compression import shows_secret
from . import (
    adjustment_views,
    club_page_views,
    club_views,
    feature_views,
    formula_views,
    log_views,
    people_views,
    plan_views,
    roster_views,
    season_end_views,
    season_views,
    team_views,
)

SEASON = "c/<slug:club>/s/<slug:season>/"

urlpatterns = [
    path("c/<slug:club>/club/", club_page_views.club_pages, name="club-pages"),
    path("c/<slug:club>/standings/", club_page_views.club_standings, name="club-standings"),
    path("c/<slug:club>/people/", shows_secret(people_views.people), name="club-people"),
    path("c/<slug:club>/roster/", roster_views.roster, name="club-roster"),
    path("c/<slug:club>/p/<int:player>/edit/", roster_views.player_edit, name="player-edit"),
    path("c/<slug:club>/p/<int:player>/same/", roster_views.player_merge, name="player-merge"),
    path("c/<slug:club>/seasons/", season_views.seasons, name="club-seasons"),
    path("c/<slug:club>/seasons/new/", season_views.season_new, name="season-new"),
    path(SEASON + "edit/", season_views.season_edit, name="season-edit"),
    path(SEASON + "close/", season_end_views.season_close, name="season-close"),
    path(SEASON + "plan/", plan_views.season_plan, name="season-plan"),
    path(SEASON + "plan/<int:planned>/", plan_views.planned_evening, name="planned-evening"),
    path("c/<slug:club>/settings/", club_views.settings, name="club-settings"),
    path("c/<slug:club>/settings/table/", club_views.at_table, name="club-at-table"),
    path("c/<slug:club>/settings/readers/", club_views.visibility, name="club-visibility"),
    path("c/<slug:club>/features/", feature_views.features, name="club-features"),
    path("c/<slug:club>/log/", log_views.log, name="club-log"),
    path("c/<slug:club>/log.csv", log_views.log_csv, name="log-csv"),
    *feature_patterns(
        "formula",
        path(SEASON + "formula/", formula_views.season_formula, name="season-formula"),
        path(SEASON + "formula/versions/", formula_views.season_formula_versions, name="season-formula-versions"),
    ),
    *feature_patterns(
        "penalties", path(SEASON + "adjustments/", adjustment_views.season_adjustments, name="season-adjustments")
    ),
    *feature_patterns("teams", path(SEASON + "teams/", team_views.season_teams, name="season-teams")),
]
