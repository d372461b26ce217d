"""Addresses of an evening's end: closing, settling up, receipts, what is still open."""

from django.urls import path

from . import debts, handing, views

urlpatterns = [
    path("c/<slug:club>/e/<int:evening>/close/", views.evening_close, name="evening-close"),
    path("c/<slug:club>/e/<int:evening>/reopen/", views.evening_reopen, name="evening-reopen"),
    path("c/<slug:club>/e/<int:evening>/last/", views.evening_last, name="evening-last"),
    path("c/<slug:club>/e/<int:evening>/paid/", views.payments_mark, name="payments-mark"),
    path("c/<slug:club>/e/<int:evening>/receipts/", handing.receipts_out, name="receipts"),
    path("c/<slug:club>/window/", views.club_window, name="club-window"),
    path("c/<slug:club>/debts/", debts.debts, name="debts"),
    path("c/<slug:club>/debts/paid/", debts.debts_paid, name="debts-paid"),
    path("c/<slug:club>/debts.csv", debts.debts_csv, name="debts-csv"),
    path("r/<str:token>/", handing.receipt, name="receipt"),
]
