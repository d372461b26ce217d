"""Addresses of a tournament's public pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
