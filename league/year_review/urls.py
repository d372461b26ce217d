"""Addresses of the years in review."""

from django.urls import path

from ..features import feature_patterns
from . import views

CLUB = "c/<slug:club>/year/<int:year>/"
PLAYER = "c/<slug:club>/p/<int:player>/year/<int:year>/"

urlpatterns = feature_patterns(
    "statistics",
    path(CLUB, views.club_year, name="club-year"),
    path(CLUB + "<int:screen>.png", views.club_year_picture, name="club-year-picture"),
    path(PLAYER, views.player_year, name="player-year"),
    path(PLAYER + "<int:screen>.png", views.player_year_picture, name="player-year-picture"),
)
