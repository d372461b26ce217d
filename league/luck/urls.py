"""Addresses of the luck of a season."""

from django.urls import path

from ..features import feature_patterns
from . import views

SEASON = "c/<slug:club>/s/<slug:season>/"

urlpatterns = feature_patterns(
    "luck",
    path(SEASON + "luck/", views.luck, name="season-luck"),
    path(SEASON + "luck.csv", views.luck_csv, name="luck-csv"),
)
