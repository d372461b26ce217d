"""Addresses of the pages with records."""

from django.urls import path

from . import views

urlpatterns = [
    path("c/<slug:club>/records/", views.club_records, name="club-records"),
    path("c/<slug:club>/s/<slug:season>/records/", views.season_records, name="season-records"),
]
