"""Addresses of the privacy pages: stored data, export, forgetting."""

from django.urls import path

from . import views

urlpatterns = [
    path("privacy/", views.privacy, name="privacy"),
    path("c/<slug:club>/privacy/", views.club_privacy, name="club-privacy"),
    path("c/<slug:club>/p/<int:player>/forget/", views.player_forget, name="player-forget"),
    path("account/data/", views.account_data, name="account-data"),
    path("account/data/file/", views.account_data_file, name="account-data-file"),
    path("account/forget/", views.account_forget, name="account-forget"),
]
