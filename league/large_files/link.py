"""The link to a large file: signed, for one person, valid for a day."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core import signing
from django.urls import reverse

from ..models import LargeFile, User
from .services import KEPT

SALT = "league.large_files.link"


def link_to(file: LargeFile) -> str:
    """Return the address of a file that is ready, for the person who asked for it."""
    key = signing.TimestampSigner(salt=SALT).sign(_value(file, file.asker_id))
    where = {"club": file.club.slug, "file": file.pk}
    return f"{reverse('club-file', kwargs=where)}?{urlencode({'key': key})}"


def is_valid(file: LargeFile, user: User, key: str) -> bool:
    """Return True if the link was made for this file and this person within the last day."""
    try:
        value = signing.TimestampSigner(salt=SALT).unsign(key, max_age=KEPT)
    except signing.BadSignature:
        return False
    return value == _value(file, user.pk)


def _value(file: LargeFile, person: int) -> str:
    return f"{file.pk}.{person}"
