"""Clubs that somebody asks for, where the operator of the server confirms or declines each."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language

from league.models import ClubRequest, User

from . import request_mails
from .services import Opening, check_limits, club_make


def needs_confirmation(user: User) -> bool:
    """Return True if the operator confirms a club of this person: the operator opens clubs at once."""
    return bool(settings.CLUBS_OPEN == "ask") and not user.is_superuser


@transaction.atomic
def club_ask(*, opening: Opening, owner: User, address: str) -> ClubRequest:
    """Store what the person answered, and tell the operators. As long as a request waits it is the person's only one.

    Raises:
        Refused: 422 for a club that could not be opened so; 429 for too many clubs a day.
    """
    # A second tap on the button waits here.
    User.objects.select_for_update().get(pk=owner.pk)
    waiting = ClubRequest.objects.filter(user=owner, state=ClubRequest.State.WAITING).first()
    if waiting is not None:
        return waiting
    _try(opening, owner)
    check_limits(owner, address)
    asked = ClubRequest.objects.create(
        user=owner,
        language=get_language() or settings.LANGUAGE_CODE,
        **{**opening._asdict(), "names": list(opening.names)},
    )
    request_mails.asked(asked)
    return asked


@transaction.atomic
def request_confirm(request: int) -> ClubRequest:
    """Open the club that was asked for. A request that was decided before stays as it is.

    Raises:
        DoesNotExist: the request was withdrawn.
        Refused: 422 if the club cannot be opened any more.
    """
    locked = _locked(request)
    if locked.state == ClubRequest.State.WAITING:
        club, _table = club_make(_opening(locked), locked.user)
        locked.club = club
        _decide(locked, ClubRequest.State.OPENED)
        request_mails.opened(locked)
    return locked


@transaction.atomic
def request_decline(request: int, reason: str) -> ClubRequest:
    """Decline a club, with a sentence for the person or without. A request that was decided before stays as it is.

    Raises:
        DoesNotExist: the request was withdrawn.
    """
    locked = _locked(request)
    if locked.state == ClubRequest.State.WAITING:
        locked.reason = reason
        _decide(locked, ClubRequest.State.DECLINED)
        request_mails.declined(locked)
    return locked


def request_withdraw(user: User) -> int:
    """Delete the person's own waiting request; return how many there were."""
    return ClubRequest.objects.filter(user=user, state=ClubRequest.State.WAITING).delete()[0]


def _locked(request: int) -> ClubRequest:
    """Return the request. Of two taps at once the second one waits here, and finds it decided."""
    return ClubRequest.objects.select_for_update(of=("self",)).select_related("user").get(pk=request)


def _decide(request: ClubRequest, state: str) -> None:
    request.state, request.decided_at, request.names = state, timezone.now(), []
    request.save()


def _opening(request: ClubRequest) -> Opening:
    return Opening(**{field: getattr(request, field) for field in Opening._fields})


def _try(opening: Opening, owner: User) -> None:
    """Open the club and take it back, so that a request is refused now for what the confirmation would refuse."""
    with transaction.atomic():
        club_make(opening, owner)
        transaction.set_rollback(True)
