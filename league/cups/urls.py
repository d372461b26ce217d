"""Addresses of cups. An invitation is answered, and a cup left, by a club that has not switched the feature on, too."""

from django.urls import path

from ..features import feature_patterns
from . import account_views, own_views, run_views, views

CUP = "c/<slug:club>/cups/<slug:cup>/"

urlpatterns = [
    *feature_patterns(
        "cups",
        path("c/<slug:club>/cups/", views.cups, name="cups"),
        path("c/<slug:club>/cups/new/", run_views.cup_new, name="cup-new"),
        path("c/<slug:club>/cups/join/", own_views.cup_join, name="cup-join"),
        path(CUP, views.cup, name="cup"),
        path(CUP + "standing.csv", views.cup_csv, name="cup-csv"),
        path(CUP + "results.atom", views.cup_atom, name="cup-atom"),
        path(CUP + "ours/", own_views.cup_ours, name="cup-ours"),
        path(CUP + "run/", run_views.cup_run, name="cup-run"),
        path(CUP + "rules/", run_views.cup_rules, name="cup-rules"),
    ),
    path(CUP + "invitation/", own_views.cup_invitation, name="cup-invitation"),
    path(CUP + "leave/", own_views.cup_leave, name="cup-leave"),
    path("account/cups/", account_views.account_cups, name="account-cups"),
]
