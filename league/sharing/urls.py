"""Addresses of the pictures of the league's pages."""

from django.urls import path

from ..features import feature_patterns
from . import season_views, views

SEASON = "c/<slug:club>/s/<slug:season>/"

urlpatterns = [
    path("picture.png", views.site_picture, name="site-picture"),
    path("c/<slug:club>/picture.png", views.club_picture, name="club-picture"),
    path("c/<slug:club>/p/<int:player>/picture.png", views.player_picture, name="player-picture"),
    path(SEASON + "picture.png", views.season_picture, name="season-picture"),
    path(SEASON + "champions/picture.png", views.champions_picture, name="champions-picture"),
    *feature_patterns(
        "statistics",
        path("c/<slug:club>/records/picture.png", season_views.club_records_picture, name="club-records-picture"),
        path(SEASON + "records/picture.png", season_views.season_records_picture, name="season-records-picture"),
        path(SEASON + "statistics/picture.png", season_views.statistics_picture, name="statistics-picture"),
        path(SEASON + "chances/picture.png", season_views.chances_picture, name="chances-picture"),
    ),
]
