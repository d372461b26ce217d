"""Addresses of the pub screen."""

from django.urls import path

from ..features import feature_patterns
from . import views

urlpatterns = feature_patterns(
    "pub_screen",
    path("c/<slug:club>/screen/", views.screen, name="club-screen"),
    path("c/<slug:club>/screen/link/", views.link_page, name="club-screen-link"),
    path("screen/<str:token>/", views.linked_screen, name="screen-link"),
)
