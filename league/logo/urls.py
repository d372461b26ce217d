"""Addresses of the logo."""

from django.urls import path

from . import views

urlpatterns = [
    path("c/<slug:club>/logo/", views.change, name="club-logo"),
    path("c/<slug:club>/logo.png", views.picture, name="club-logo-picture"),
]
