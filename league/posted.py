"""What a page does with a form that was sent: who sent it, and where it goes on."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from .models import User


def actor_of(request: HttpRequest) -> User | None:
    """Who is doing it."""
    return request.user if isinstance(request.user, User) else None


def see(url: str) -> HttpResponse:
    """303: the answer to a POST is read with a GET, so that a reload stores nothing again."""
    answer = redirect(url)
    answer.status_code = HTTPStatus.SEE_OTHER
    return answer
