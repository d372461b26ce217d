"""Addresses of large files."""

from django.urls import path

from . import views

urlpatterns = [
    path("c/<slug:club>/files/", views.files, name="club-files"),
    path("c/<slug:club>/files/<uuid:file>/", views.file, name="club-file"),
]
