"""Addresses of the pages with records."""

from django.urls import path

from ..features import feature_patterns
from . import views

urlpatterns = feature_patterns(
    "statistics",
    path("c/<slug:club>/records/", views.club_records, name="club-records"),
    path("c/<slug:club>/s/<slug:season>/records/", views.season_records, name="season-records"),
)
