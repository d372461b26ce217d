"""Addresses of the operator's pages."""

from django.urls import path

from . import views

urlpatterns = [
    path("operator/", views.operator, name="operator"),
    path("operator/clubs/<slug:slug>/", views.operator_club, name="operator-club"),
]
