"""Addresses of the desk."""

from django.urls import path

from . import draw_views, entrant_views, list_views, own_entry_views, round_views, setup_views, views

TOURNAMENTS = "c/<slug:club>/tournaments/"
DESK = TOURNAMENTS + "<slug:tournament>/desk/"

urlpatterns = [
    path(TOURNAMENTS, list_views.tournaments, name="tournaments"),
    path(TOURNAMENTS + "new/", list_views.tournament_new, name="tournament-new"),
    path(DESK, views.desk, name="tournament-desk"),
    path(DESK + "live/", views.desk_live, name="tournament-desk-live"),
    path(DESK + "setup/", setup_views.setup, name="tournament-setup"),
    path(DESK + "entrants/", entrant_views.entrants, name="tournament-entrants"),
    path(DESK + "entrants/here/", entrant_views.check_in, name="tournament-check-in"),
    path(DESK + "entrants/<int:number>/", entrant_views.entrant, name="tournament-entrant"),
    path(DESK + "own-entries/", own_entry_views.own_entries_decide, name="tournament-own-entries"),
    path(DESK + "draw/", draw_views.draw, name="tournament-draw"),
    path(DESK + "round/", round_views.round_change, name="tournament-round"),
    path(DESK + "round/<int:number>/table/<int:table>/", round_views.sheet, name="tournament-sheet"),
]
