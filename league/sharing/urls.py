"""Addresses of the pictures of the league's pages."""

from django.urls import path

from . import views

urlpatterns = [
    path("picture.png", views.site_picture, name="site-picture"),
    path("c/<slug:club>/picture.png", views.club_picture, name="club-picture"),
    path("c/<slug:club>/p/<int:player>/picture.png", views.player_picture, name="player-picture"),
    path("c/<slug:club>/s/<slug:season>/picture.png", views.season_picture, name="season-picture"),
    path("c/<slug:club>/s/<slug:season>/champions/picture.png", views.champions_picture, name="champions-picture"),
]
