"""The push device of a session: whoever signs out in a browser, here or elsewhere, gets nothing there any more."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase

from league.models import PushDevice, User

DEVICE = "push_device"
"""The key in a session under which the device stands that was switched on in it."""


def forget_device(user: User, session: SessionBase) -> None:
    """Remove the device that the user switched on in this session. One statement at most."""
    if (device := session.get(DEVICE)) is not None:
        PushDevice.objects.filter(user=user, pk=device).delete()


def forget_device_of(user: User, session_key: str) -> None:
    """Remove the device of another session of the user."""
    forget_device(user, import_module(settings.SESSION_ENGINE).SessionStore(session_key))


def forget_other_devices(user: User, session: SessionBase | None) -> None:
    """Remove all devices of the user but that of this session: a new password ends all other sessions."""
    kept = session.get(DEVICE) if session is not None else None
    PushDevice.objects.filter(user=user).exclude(pk=kept or 0).delete()
