"""Addresses of the pages of a club's webhooks."""

from django.urls import path

from ..features import feature_patterns
from ..web.compression import shows_secret
from . import views

WEBHOOKS = "c/<slug:club>/webhooks/"

urlpatterns = feature_patterns(
    "webhooks",
    path(WEBHOOKS, shows_secret(views.webhooks), name="webhooks"),
    path(WEBHOOKS + "<uuid:webhook>/", shows_secret(views.webhook), name="webhook"),
    path(WEBHOOKS + "<uuid:webhook>/d/<uuid:delivery>/", views.webhook_replay, name="webhook-replay"),
)
