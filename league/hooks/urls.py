"""Addresses of the pages of a club's webhooks."""

from django.urls import path

from . import views

HOOKS = "c/<slug:club>/hooks/"

urlpatterns = [
    path(HOOKS, views.hooks, name="hooks"),
    path(HOOKS + "<uuid:hook>/", views.hook, name="hook"),
    path(HOOKS + "<uuid:hook>/d/<uuid:delivery>/", views.hook_replay, name="hook-replay"),
]
