"""Addresses of writes that a phone recorded without a network."""

from django.urls import path

from . import read_views, story_views, views

urlpatterns = [
    path("c/<slug:club>/night/", views.night, name="night"),
    path("c/<slug:club>/night/read/", read_views.night_read, name="night-read"),
    path("c/<slug:club>/t/<int:table>/night/", views.table_night, name="table-night"),
    path("c/<slug:club>/t/<int:table>/stories/", story_views.table_stories, name="table-stories"),
]
