"""Addresses of the champions of a season and of a club."""

from django.urls import path

from . import views

urlpatterns = [
    path("c/<slug:club>/champions/", views.club_champions, name="club-champions"),
    path("c/<slug:club>/s/<slug:season>/champions/", views.season_champions, name="season-champions"),
]
