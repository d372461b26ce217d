"""Creating an API key, and revoking it. The text of the key is shown once; only its SHA-512 is stored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..features import uses
from ..models import ApiToken, Club, Membership, User

SCOPES = tuple(scope.value for scope in ApiToken.Scope)
READ = ApiToken.Scope.READ.value
DAYS = 90
MAX_DAYS = 365
MAX_KEYS = 50
"""Valid keys per user: this stops a program that creates a key each time it runs."""


@dataclass(frozen=True)
class NewKey:
    """A new key with its text, which is not stored: the answer shows it once."""

    key: ApiToken
    text: str


def keys_of(user: User, by: ApiToken | None = None) -> QuerySet[ApiToken]:
    """Return a user's keys with their clubs, the newest first, expired ones included.

    `by`: the key of the request. A key for a club lists the keys for that club only.
    """
    known = ApiToken.objects.filter(user=user)
    if by is not None and by.club_id is not None:
        known = known.filter(club=by.club_id)
    return known.select_related("club").order_by("-created", "digest")


def keys_offered(user: User, club: Club | None = None) -> bool:
    """Return True if a key for a club may be created; one for all clubs if one of these uses keys. Existing keys stay
    valid."""
    clubs = [club] if club is not None else list(Club.objects.filter(memberships__user=user))
    return not clubs or any(uses(candidate, "webhooks") for candidate in clubs)


@transaction.atomic
def key_create(
    *,
    user: User,
    name: str,
    scopes: Collection[str] = (READ,),
    club: Club | None = None,
    days: int = DAYS,
    by: ApiToken | None = None,
) -> NewKey:
    """Create a key for `days` days with these scopes, for one club or for all. Every key has the scope `read`.

    `by`: the key of the request. The new key gets no scope, no club and no later end than this key has.

    Raises:
        Refused: 422 for a name that is empty or too long, an unknown scope, or too many days; 404 for a club without
            this user; 409 for too many keys, or a club that uses none; 403 for more than the key `by` allows.
    """
    name = name.strip()
    if not 1 <= len(name) <= 60 or not name.isprintable():
        raise Refused(status=422, code="key", sentence=_("A key needs a name of at most 60 characters."), at="name")
    if not set(scopes) <= set(SCOPES):
        raise Refused(status=422, code="key", sentence=_("There is no such scope."), at="scopes")
    if not 1 <= days <= MAX_DAYS:
        sentence = _("A key is valid for 1 to %(most)d days.") % {"most": MAX_DAYS}
        raise Refused(status=422, code="key", sentence=sentence, at="days")
    if club is not None and not Membership.objects.filter(club=club, user=user).exists():
        raise Refused(status=404, code="club", sentence=_("You are not in this club."), at="club")
    if not keys_offered(user, club):
        sentence = _("Your club uses no keys for programs. An owner may switch on “Webhooks and API keys”.")
        raise Refused(status=409, code="switched_off", sentence=sentence, at="club")
    wanted = [scope for scope in SCOPES if scope == READ or scope in scopes]
    end = timezone.now() + timedelta(days=days)
    if by is not None:
        _check_no_more(by, wanted, club, end)
    # Lock the user, so that two requests at once cannot pass the limit.
    User.objects.select_for_update().get(pk=user.pk)
    if ApiToken.objects.filter(user=user, expiry__gt=timezone.now()).count() >= MAX_KEYS:
        sentence = _("You already have %(most)d keys. Revoke one first.") % {"most": MAX_KEYS}
        raise Refused(status=409, code="key", sentence=sentence)
    key, text = ApiToken.objects.create(user, expiry=timedelta(days=days), name=name, scopes=wanted, club=club)  # type: ignore[no-untyped-call]
    data: audit.Data = {"scopes": wanted, "days": days}
    _log(What.TOKEN_MADE, key, data)
    return NewKey(key, text)


def _log(what: What, key: ApiToken, data: audit.Data) -> None:
    """Write to the log of the key's club, or of all clubs of the user for a key without a club."""
    about = f"token:{key.token_key}"
    if key.club is None:
        audit.write_for_person(what, person=key.user, actor=key.user, about=about, data=data)
    else:
        audit.write(what, club=key.club, actor=key.user, about=about, data=data)


def _check_no_more(by: ApiToken, scopes: Collection[str], club: Club | None, end: datetime) -> None:
    more_clubs = by.club_id is not None and (club is None or club.pk != by.club_id)
    longer = by.expiry is not None and end > by.expiry
    if more_clubs or longer or not set(scopes) <= {READ, *by.scopes}:
        sentence = _("A key cannot hand on more than it has: no other scope, no other club, no later end.")
        raise Refused(status=403, code="key_more", sentence=sentence)


@transaction.atomic
def key_revoke(*, user: User, token_key: str, by: ApiToken | None = None) -> None:
    """Delete a key; `token_key` is its first characters, as the list shows them. `by`: as for `keys_of`.

    Raises:
        Refused: 404 for a key of another user.
    """
    # PostgreSQL refuses a text with NUL.
    api_token = keys_of(user, by).filter(token_key=token_key.replace("\0", " ")).first()
    if api_token is None:
        raise Refused(status=404, code="key", sentence=_("There is no such key."))
    _log(What.TOKEN_REVOKED, api_token, {})
    api_token.delete()
