"""Addresses of the pages on which a club is run."""

from django.urls import path

from . import club, log, people, roster, seasons

urlpatterns = [
    path("c/<slug:club>/people/", people.people, name="club-people"),
    path("c/<slug:club>/roster/", roster.roster, name="club-roster"),
    path("c/<slug:club>/p/<int:player>/edit/", roster.player_edit, name="player-edit"),
    path("c/<slug:club>/p/<int:player>/same/", roster.player_merge, name="player-merge"),
    path("c/<slug:club>/seasons/", seasons.seasons, name="club-seasons"),
    path("c/<slug:club>/seasons/new/", seasons.season_new, name="season-new"),
    path("c/<slug:club>/s/<slug:season>/edit/", seasons.season_edit, name="season-edit"),
    path("c/<slug:club>/settings/", club.settings, name="club-settings"),
    path("c/<slug:club>/log/", log.log, name="club-log"),
    path("c/<slug:club>/log.csv", log.log_csv, name="log-csv"),
]
