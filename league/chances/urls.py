"""Addresses of the chances of a season."""

from django.urls import path

from ..features import feature_patterns
from . import views

SEASON = "c/<slug:club>/s/<slug:season>/chances/"

urlpatterns = feature_patterns(
    "statistics",
    path(SEASON, views.season_chances, name="season-chances"),
    path(SEASON + "live/", views.season_chances_live, name="season-chances-live"),
)
