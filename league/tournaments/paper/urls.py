"""Addresses of a tournament's paper."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
