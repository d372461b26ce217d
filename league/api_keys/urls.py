"""Addresses of the pages of API keys."""

from django.urls import path

from ..web.compression import shows_secret
from . import views

urlpatterns = [
    path("account/keys/", shows_secret(views.keys), name="account-keys"),
    path("account/keys/revoke/", views.revoke, name="account-key-revoke"),
]
