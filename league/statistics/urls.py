"""Addresses of the statistics."""

from django.urls import path

from . import views

urlpatterns = [
    path("c/<slug:club>/s/<slug:season>/statistics/", views.season_statistics, name="season-statistics"),
]
