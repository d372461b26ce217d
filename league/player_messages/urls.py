"""Addresses of messages to players. The one that ends them stays when the club switches the feature off."""

from django.urls import path

from ..features import feature_patterns
from . import push_views, views

urlpatterns = [
    *feature_patterns(
        "messages",
        path("c/<slug:club>/messages/", views.own_messages, name="own-messages"),
        path("c/<slug:club>/coming/<str:token>/messages/", views.linked_messages, name="coming-messages"),
        path("c/<slug:club>/messages/confirm/<str:token>/", views.confirm, name="messages-confirm"),
    ),
    path("c/<slug:club>/messages/off/<str:token>/", views.messages_off, name="messages-off"),
    path("push/renew/", push_views.renew, name="push-renew"),
]
