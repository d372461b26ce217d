"""Addresses of a tournament's file."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
