"""Writes allauth's events into the audit logs, and stores only the network of a session's address."""

from __future__ import annotations

import ipaddress
from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as factors
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.http import HttpRequest

from league.audit import What, write_for_person
from league.models import User

from .push_sign_out import forget_device, forget_other_devices


@receiver(account.user_logged_in)
def signed_in(user: User, **more: Any) -> None:
    write_for_person(What.SIGNED_IN, person=user, actor=user)


@receiver(user_logged_out)
def signed_out(user: User | None, request: HttpRequest | None = None, **more: Any) -> None:
    if user is not None:
        if request is not None:
            forget_device(user, request.session)
        write_for_person(What.SIGNED_OUT, person=user, actor=user)


@receiver([account.password_changed, account.password_set, account.password_reset])
def password_changed(user: User, request: HttpRequest | None = None, **more: Any) -> None:
    forget_other_devices(user, request.session if request is not None else None)
    write_for_person(What.PASSWORD_CHANGED, person=user, actor=user)


@receiver([factors.authenticator_added, factors.authenticator_reset])
def factor_added(user: User, authenticator: Any, **more: Any) -> None:
    write_for_person(What.FACTOR_ADDED, person=user, actor=user, data={"type": str(authenticator.type)})


@receiver(factors.authenticator_removed)
def factor_removed(user: User, authenticator: Any, **more: Any) -> None:
    write_for_person(What.FACTOR_REMOVED, person=user, actor=user, data={"type": str(authenticator.type)})


@receiver(factors.authentication_failed)
def factor_failed(user: User, authenticator: Any, **more: Any) -> None:
    write_for_person(What.SIGN_IN_FAILED, person=user, actor=None, data={"type": str(authenticator.type)})


@receiver(pre_save, sender=UserSession)
def network_alone(instance: UserSession, **more: Any) -> None:
    """Store the network of a session's address: enough for the user to recognise the session."""
    instance.ip = network_of(instance.ip)


def network_of(ip: str) -> str:
    """Return the /24 network of an IPv4 address, the /48 network of an IPv6 address."""
    address = ipaddress.ip_address(ip)
    return str(ipaddress.ip_network(f"{address}/{24 if address.version == 4 else 48}", strict=False).network_address)
