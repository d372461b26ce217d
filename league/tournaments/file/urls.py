"""Addresses of a tournament's file."""

from django.urls import path

from . import views

CLUB = "c/<slug:club>/tournaments/"

urlpatterns = [
    path(CLUB + "import/", views.tournament_import_page, name="tournament-import"),
    path(CLUB + "<slug:tournament>/file.json", views.tournament_file, name="tournament-file"),
]
