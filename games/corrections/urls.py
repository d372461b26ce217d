"""Addresses of corrections, the history of a hand, and the difference finder."""

from django.urls import URLPattern, URLResolver, path

from . import views
from .finder import views as finder_views

TABLE = "c/<slug:club>/t/<int:table>/"
HAND = TABLE + "h/<int:number>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(HAND + "edit/", views.hand_edit, name="hand-edit"),
    path(HAND + "insert/", views.hand_insert, name="hand-insert"),
    path(HAND + "out/", views.hand_out, name="hand-out"),
    path(HAND + "move/", views.hand_move, name="hand-move"),
    path(HAND + "history/", views.hand_history, name="hand-history"),
    path(TABLE + "seats/", views.table_seats, name="table-seats"),
    path(TABLE + "difference/", finder_views.table_difference, name="table-difference"),
    path("c/<slug:club>/e/<int:evening>/corrections/", views.evening_corrections, name="evening-corrections"),
]
