"""Making a key for a program, and revoking it. The key itself is shown once; what is kept is its SHA-512."""

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
from ..models import ApiToken, Club, Membership, User

SCOPES = tuple(scope.value for scope in ApiToken.Scope)
READ = ApiToken.Scope.READ.value
DAYS = 90
MOST_DAYS = 365
MOST_KEYS = 50
"""A person's keys that hold: a program that makes one each time it runs is stopped here."""


@dataclass(frozen=True)
class Made:
    """A new key with its text, which is nowhere else: whoever gets it shows it once."""

    key: ApiToken
    text: str


def keys_of(user: User, by: ApiToken | None = None) -> QuerySet[ApiToken]:
    """A person's keys, those that ran out among them, the newest first, each with its club.

    `by`: the key that asks. One for a club knows of those for that club alone.
    """
    known = ApiToken.objects.filter(user=user)
    if by is not None and by.club_id is not None:
        known = known.filter(club=by.club_id)
    return known.select_related("club").order_by("-created", "digest")


@transaction.atomic
def key_make(
    *,
    user: User,
    name: str,
    scopes: Collection[str] = (READ,),
    club: Club | None = None,
    days: int = DAYS,
    by: ApiToken | None = None,
) -> Made:
    """A key for `days` days, within `scopes` and, where `club` is given, in that club alone. `read` is in every key.

    `by`: the key that asks for it. It can hand on no more than it has: no other scope, no other club, no later end.

    Raises:
        Refused: 422 for a name that is empty or too long, an unknown scope, or a time that is too long; 404 for a club
            that the person is not of; 409 for too many keys; 403 for more than the asking key has.
    """
    name = name.strip()
    if not 1 <= len(name) <= 60 or not name.isprintable():
        raise Refused(status=422, code="key", sentence=_("A key needs a name of at most 60 characters."), at="name")
    if not set(scopes) <= set(SCOPES):
        raise Refused(status=422, code="key", sentence=_("There is no such scope."), at="scopes")
    if not 1 <= days <= MOST_DAYS:
        said = _("A key is valid for 1 to %(most)d days.") % {"most": MOST_DAYS}
        raise Refused(status=422, code="key", sentence=said, at="days")
    if club is not None and not Membership.objects.filter(club=club, user=user).exists():
        raise Refused(status=404, code="club", sentence=_("You are not of this club."), at="club")
    wanted = [scope for scope in SCOPES if scope == READ or scope in scopes]
    end = timezone.now() + timedelta(days=days)
    if by is not None:
        _check_no_more(by, wanted, club, end)
    # One at a time a person: of two at once none passes the limit.
    User.objects.select_for_update().get(pk=user.pk)
    if ApiToken.objects.filter(user=user, expiry__gt=timezone.now()).count() >= MOST_KEYS:
        sentence = _("You have %(most)d keys already. Revoke one first.") % {"most": MOST_KEYS}
        raise Refused(status=409, code="key", sentence=sentence)
    key, text = ApiToken.objects.create(user, expiry=timedelta(days=days), name=name, scopes=wanted, club=club)  # type: ignore[no-untyped-call]
    data: audit.Data = {"scopes": wanted, "days": days}
    _log(What.TOKEN_MADE, key, data)
    return Made(key, text)


def _log(what: What, key: ApiToken, data: audit.Data) -> None:
    """In the log of the key's club; for one of all clubs in that of each."""
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
    """End a key at once; `token_key` is its first letters, as the list has them. `by`: as for `keys_of`.

    Raises:
        Refused: 404 for a key that is not this person's.
    """
    # What has a NUL in it no database can look for.
    found = keys_of(user, by).filter(token_key=token_key.replace("\0", " ")).first()
    if found is None:
        raise Refused(status=404, code="key", sentence=_("There is no such key."))
    _log(What.TOKEN_REVOKED, found, {})
    found.delete()
