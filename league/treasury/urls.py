"""Addresses of the treasurer's pages."""

from django.urls import path

from . import statement_views, views

urlpatterns = [
    path("c/<slug:club>/treasury/", views.book, name="treasury"),
    path("c/<slug:club>/treasury/report/", views.report, name="treasury-report"),
    path("c/<slug:club>/treasury/undo/", views.undo, name="treasury-undo"),
    path("c/<slug:club>/treasury/balances/", views.balances, name="treasury-balances"),
    path("c/<slug:club>/treasury/statements/", statement_views.statement_list, name="treasury-statements"),
    path("c/<slug:club>/treasury/statements/account/", statement_views.billing, name="treasury-billing"),
    path("c/<slug:club>/treasury/statements.pdf", statement_views.statements_pdf, name="statements-pdf"),
]
