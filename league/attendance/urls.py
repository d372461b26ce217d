"""Addresses of the answers to planned evenings. `league.reports` has the calendar of a player's link."""

from django.urls import path

from ..features import feature_patterns
from . import reserve_views, views

urlpatterns = feature_patterns(
    "attendance",
    path("c/<slug:club>/s/<slug:season>/plan/<int:planned>/coming/", views.planned_coming, name="planned-coming"),
    path("c/<slug:club>/p/<int:player>/coming/", views.player_coming, name="player-coming"),
    path("c/<slug:club>/reserves/", reserve_views.reserves, name="club-reserves"),
    path("c/<slug:club>/coming/<str:token>/", views.linked_coming, name="coming-link"),
)
