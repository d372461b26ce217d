"""Addresses of the statistics."""

from django.urls import path

from ..features import feature_patterns
from . import views

urlpatterns = feature_patterns(
    "statistics",
    path("c/<slug:club>/s/<slug:season>/statistics/", views.season_statistics, name="season-statistics"),
)
