"""Helpers for requests with forms: the actor, and the redirect after a POST."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from ..models import User


def actor_of(request: HttpRequest) -> User | None:
    """Return the signed-in user, None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def see(url: str) -> HttpResponse:
    """Return a 303 after a POST, so that a reload stores nothing again."""
    response = redirect(url)
    response.status_code = HTTPStatus.SEE_OTHER
    return response
