"""Addresses of the league's pages and files."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from . import exports, views
from .accounts import SignIn

SEASON = "c/<slug:club>/s/<slug:season>/"

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("c/<slug:club>/", views.club, name="club"),
    path("c/<slug:club>/p/<int:player>/", views.player, name="player"),
    path(SEASON, views.season, name="season"),
    path(SEASON + "standings/", views.season_standings, name="season-standings"),
    path(SEASON + "standings.csv", exports.standings_csv, name="standings-csv"),
    path(SEASON + "results.csv", exports.results_csv, name="results-csv"),
    path(SEASON + "ledger.csv", exports.ledger_csv, name="ledger-csv"),
]
