"""Addresses of the pages of API keys."""

from django.urls import path

from . import views

urlpatterns = [
    path("account/keys/", views.keys, name="account-keys"),
    path("account/keys/revoke/", views.revoke, name="account-key-revoke"),
]
