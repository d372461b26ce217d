"""Addresses of closing an evening, settling up, receipts and debts."""

from django.urls import path

from league.features import feature_patterns
from league.web.compression import shows_secret

from . import bank_views, cash_out_views, debts_views, receipt_views, views

urlpatterns = [
    path("c/<slug:club>/e/<int:evening>/close/", views.evening_close, name="evening-close"),
    path("c/<slug:club>/e/<int:evening>/reopen/", views.evening_reopen, name="evening-reopen"),
    path("c/<slug:club>/e/<int:evening>/last/", views.evening_last, name="evening-last"),
    path("c/<slug:club>/e/<int:evening>/paid/", views.payments_mark, name="payments-mark"),
    path(
        "c/<slug:club>/e/<int:evening>/cash-out/<int:player>/", cash_out_views.evening_cash_out, name="evening-cash-out"
    ),
    path("c/<slug:club>/e/<int:evening>/receipts/", shows_secret(receipt_views.receipt_links), name="receipts"),
    path("c/<slug:club>/window/", views.club_window, name="club-window"),
    path("c/<slug:club>/debts/", debts_views.debts, name="debts"),
    path("c/<slug:club>/debts/paid/", debts_views.debts_paid, name="debts-paid"),
    path("c/<slug:club>/debts.csv", debts_views.debts_csv, name="debts-csv"),
    path("r/<str:token>/", shows_secret(receipt_views.receipt), name="receipt"),
    *feature_patterns(
        "treasury", path("c/<slug:club>/treasury/bank/", bank_views.bank_statement, name="treasury-bank")
    ),
]
