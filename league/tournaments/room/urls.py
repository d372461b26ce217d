"""Addresses of a tournament's public pages."""

from django.urls import path

from . import own_entry, own_name, views

TOURNAMENT = "c/<slug:club>/tournaments/<slug:tournament>/"

urlpatterns = [
    path(TOURNAMENT, views.tournament, name="tournament"),
    path(TOURNAMENT + "picture.png", views.picture, name="tournament-picture"),
    path(TOURNAMENT + "seat/", views.seat, name="tournament-seat"),
    path(TOURNAMENT + "seat/find/", views.seat_find, name="tournament-seat-find"),
    path(TOURNAMENT + "enter/", own_entry.own_entry, name="tournament-own-entry"),
    path(TOURNAMENT + "name/", own_name.own_name, name="tournament-own-name"),
    path(TOURNAMENT + "screen/", views.screen, name="tournament-screen"),
    path(TOURNAMENT + "clock/", views.clock, name="tournament-clock"),
]
