"""Addresses of the treasurer's pages."""

from django.urls import path

from ..features import feature_patterns
from . import annual_views, bill_views, ledger_views, statement_views, views

urlpatterns = feature_patterns(
    "treasury",
    path("c/<slug:club>/treasury/", views.book, name="treasury"),
    path("c/<slug:club>/treasury/report/", views.report, name="treasury-report"),
    path("c/<slug:club>/treasury/undo/", views.undo, name="treasury-undo"),
    path("c/<slug:club>/treasury/ledger/", ledger_views.ledger, name="treasury-ledger"),
    path("c/<slug:club>/treasury/year/", annual_views.annual, name="treasury-year"),
    path("c/<slug:club>/treasury/balances/", views.balances, name="treasury-balances"),
    path("c/<slug:club>/treasury/statements/", statement_views.statement_list, name="treasury-statements"),
    path("c/<slug:club>/treasury/statements/send/", bill_views.send, name="bills-send"),
    path("c/<slug:club>/bill/", bill_views.mine, name="bill-mine"),
    path("c/<slug:club>/bill.pdf", bill_views.mine_pdf, name="bill-mine-pdf"),
    path("c/<slug:club>/treasury/statements/account/", statement_views.billing, name="treasury-billing"),
    path("c/<slug:club>/treasury/statements.pdf", statement_views.statements_pdf, name="statements-pdf"),
)
