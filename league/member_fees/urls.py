"""Addresses of the pages of member fees."""

from django.urls import path

from ..features import feature_patterns
from . import views

urlpatterns = feature_patterns(
    "member_fees",
    path("c/<slug:club>/treasury/fees/", views.fee_list, name="member-fees"),
    path("c/<slug:club>/treasury/fees/new/", views.fee_new, name="member-fee-new"),
    path("c/<slug:club>/treasury/fees.csv", views.fees_csv, name="member-fees-csv"),
    path("c/<slug:club>/treasury/fees/<uuid:fee>/", views.fee, name="member-fee"),
    path("c/<slug:club>/treasury/fees/<uuid:fee>/undo/", views.undo, name="member-fee-undo"),
)
