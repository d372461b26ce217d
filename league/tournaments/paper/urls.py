"""Addresses of a tournament's paper."""

from django.urls import path

from . import views

TOURNAMENT = "c/<slug:club>/tournaments/<slug:tournament>/"

urlpatterns = [
    path(TOURNAMENT + "paper/", views.papers, name="tournament-papers"),
    path(TOURNAMENT + "paper/<slug:kind>.pdf", views.paper, name="tournament-paper"),
]
