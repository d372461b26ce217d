"""Request a large file, make it, remove it.

A worker claims a file for a minute and renews that while it works. If it is killed, its claim runs out and the sweep
wakes another one; after three attempts the file counts as not made. A maker that lost its claim writes nothing more.
"""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Mapping
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, QuerySet, Sum
from django.db.models.functions import Now
from django.http import Http404
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from .. import after_commit, locks
from ..config import celery
from ..errors import Refused
from ..models import Club, LargeFile, User
from ..money import show_francs
from . import store
from .kinds import Opened, Wanted, kind_of

log = structlog.get_logger(__name__)

State = LargeFile.State
KEPT = timedelta(days=1)
"""The time for which a file is kept after it was made, and for which it may wait for a worker."""
LEASE = timedelta(minutes=1)
RENEWED_SECONDS = 1.0
MAKING_SECONDS = 900.0
"""The longest time for one file. A file of a million hands takes a tenth of it."""
MOST_ATTEMPTS = 3
MOST_FILES = 5
"""The most files that a person has in a club; one more replaces the oldest."""
NOT_ALLOWED, BROKEN = "not_allowed", "broken"
TASK = "league.large_files.tasks.make"


class TookTooLong(Exception):
    """A file was not made within `MAKING_SECONDS`: this attempt has failed."""


class ClaimLost(Exception):
    """Another worker makes this file, or it was removed."""


def wanted_by(file: LargeFile) -> Wanted:
    """Return the request of a file."""
    return Wanted(file.asker, file.club, file.subject, file.options)


def open_file(file: LargeFile) -> Opened:
    """Open the file with the requester's current rights. Raises Http404 or PermissionDenied."""
    if not file.asker.is_active:
        raise PermissionDenied
    return kind_of(file.kind).open(wanted_by(file))


def file_ask(
    *, club: Club, asker: User, kind: str, subject: int, form: str, options: Mapping[str, str], language: str
) -> LargeFile:
    """Store the request for a file, and wake a worker. A second request while the file is not made stores nothing.

    Raises:
        Http404: there is no such file. PermissionDenied: the person may not have it.
        Refused: 409, code `quota`: the club has reached the size that the operator of the server allows.
    """
    if form not in kind_of(kind).forms:
        raise Http404("no such form")
    opened = kind_of(kind).open(Wanted(asker, club, subject, options))
    about = {"kind": kind, "subject": subject, "form": form, "options": dict(options), "language": language}
    with transaction.atomic():
        own = LargeFile.objects.filter(club=club, asker=asker)
        running = own.filter(state__in=(State.WAITING, State.MAKING), **about).first()
        if running is not None:
            return running
        _check_size(club)
        file = LargeFile.objects.create(
            club=club, asker=asker, rows=opened.rows(), expires_at=timezone.now() + KEPT, **about
        )
        for older in own.order_by("-asked_at", "-pk")[MOST_FILES:]:
            older.delete()
        after_commit.once(celery.wake, TASK)
    return file


def stored_bytes(club: Club) -> int:
    """Return the size of all large files of a club that are kept."""
    return LargeFile.objects.filter(club=club).aggregate(size=Sum("size"))["size"] or 0


def _check_size(club: Club) -> None:
    if club.most_file_mb is None or stored_bytes(club) < club.most_file_mb * 10**6:
        return
    sentence = _("On this server the club has room for %(n)d MB of large files. Remove one first, or wait for a day.")
    raise Refused(status=409, code="quota", sentence=sentence % {"n": club.most_file_mb})


def files_of(club: Club, asker: User) -> QuerySet[LargeFile]:
    """Return the files of a person in a club that are still kept, newest first."""
    return LargeFile.objects.filter(club=club, asker=asker, expires_at__gt=timezone.now()).order_by("-asked_at", "-pk")


def due() -> QuerySet[LargeFile]:
    """Return the files that wait for a worker, and those whose worker no longer renews its claim."""
    unfinished = LargeFile.objects.filter(state__in=(State.WAITING, State.MAKING), expires_at__gt=Now())
    return unfinished.filter(locks.free("lease_until", LEASE)).order_by("asked_at")


def claim() -> LargeFile | None:
    """Claim the file that waits longest; None if none is due. A file that failed too often is given up."""
    due().filter(attempts__gte=MOST_ATTEMPTS).update(state=State.FAILED, fault=BROKEN)
    values = {"state": State.MAKING, "maker": uuid.uuid4(), "rows_done": 0, "attempts": F("attempts") + 1}
    return locks.claim(due(), "lease_until", LEASE, **values)


class _Claim:
    """The claim of one maker: counts the rows, and renews itself once a second."""

    def __init__(self, file: LargeFile) -> None:
        self.mine = LargeFile.objects.filter(pk=file.pk, maker=file.maker, state=State.MAKING)
        self.rows = 0
        self.renewed = time.monotonic()
        self.until = self.renewed + MAKING_SECONDS

    def counted(self, rows: int) -> None:
        self.rows += rows
        self.alive()

    def alive(self) -> None:
        """Renew the claim if that is due. Raises ClaimLost or TookTooLong."""
        if time.monotonic() > self.until:
            raise TookTooLong
        if time.monotonic() - self.renewed >= RENEWED_SECONDS:
            self.write(lease_until=Now() + LEASE, rows_done=self.rows)
            self.renewed = time.monotonic()

    def write(self, **values: object) -> None:
        """Write columns of the file. Raises ClaimLost."""
        if not self.mine.update(**values):
            raise ClaimLost


def file_make(file: LargeFile) -> bool:
    """Make a file that was claimed. Return True if it is ready."""
    own = _Claim(file)
    try:
        size = _make(file, own)
        now = timezone.now()
        own.write(state=State.READY, size=size, rows_done=own.rows, ready_at=now, expires_at=now + KEPT)
    except (Http404, PermissionDenied):
        own.mine.update(state=State.FAILED, fault=NOT_ALLOWED)
        return False
    except ClaimLost:
        log.info("large_file_claim_lost", file=str(file.pk))
        return False
    return True


def _make(file: LargeFile, own: _Claim) -> int:
    """Write the file into a temporary one as its asker sees it now, then store it; return its size."""
    store.drop(file, left_over=True)
    show_francs()
    with translation.override(file.language), tempfile.TemporaryFile(dir=_folder()) as content:
        open_file(file).write(content, file.form, own.counted)
        own.alive()
        return store.write(file, file.maker or uuid.uuid4(), content, own.alive)


def _folder() -> str | None:
    """Return the folder for a file that may be too large for the memory in which `/tmp` often is."""
    return str(settings.DATA_DIR) if settings.DATA_DIR.is_dir() else None


def file_remove(*, club: Club, asker: User, file: uuid.UUID) -> bool:
    """Remove an own file, made or not. Return False if there is none."""
    large_file = LargeFile.objects.filter(club=club, asker=asker, pk=file).first()
    if large_file is None:
        return False
    large_file.delete()
    return True


def drop_files(club: Club) -> None:
    """Remove all files of a club: one of its persons is forgotten, and any of them may have that name."""
    LargeFile.objects.filter(club=club).delete()


def tidy() -> int:
    """Delete expired files; return their number."""
    large_files = list(LargeFile.objects.filter(expires_at__lte=timezone.now()).only("pk"))
    for file in large_files:
        store.drop(file)
        file.delete()
    return len(large_files)
