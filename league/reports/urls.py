"""Addresses of reports."""

from django.urls import path

from ..features import feature_patterns
from . import views
from .feeds import personal
from .feeds import views as feeds

urlpatterns = [
    path("c/<slug:club>/s/<slug:season>/report/", views.season, name="season-report"),
    path("c/<slug:club>/p/<int:player>/statement/", views.player, name="player-statement"),
    *feature_patterns(
        "feeds",
        path("c/<slug:club>/s/<slug:season>/embed/", feeds.standings_embed, name="standings-embed"),
        path("c/<slug:club>/s/<slug:season>/standings.json", feeds.standings_json, name="standings-json"),
        path("c/<slug:club>/evenings.ics", feeds.calendar, name="club-calendar"),
        path("c/<slug:club>/results.atom", feeds.results_atom, name="club-results-atom"),
        path("c/<slug:club>/feeds/", feeds.feeds, name="club-feeds"),
        path("c/<slug:club>/feeds/renew/", feeds.feeds_renew, name="club-feeds-renew"),
    ),
    *feature_patterns(
        "attendance",
        path("c/<slug:club>/coming/<str:token>/evenings.ics", personal.coming_calendar, name="coming-calendar"),
    ),
    *feature_patterns("treasury", path("c/<slug:club>/treasurer/", views.treasurer, name="treasurer-list")),
]
