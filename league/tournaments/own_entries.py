"""Own entries: somebody enters on the public page of a tournament, without an account, and waits for the desk."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..models import Entrant, OwnEntry, Tournament, User
from ..roster.services import MAX_NICKNAME
from . import own_entry_mails
from .entries import Newcomer, enter, tidy_labels
from .locking import desk_write, locked, must_be

State = Tournament.State
SALT = "league.tournaments.own_entries"
MOST_PLACES = 2000
MOST_WAITING = 500
"""The most own entries of a tournament that wait, those without a confirmed code included."""
TRIES = 5
"""So many codes may be typed for one entry."""
CODE_HOURS = 24
KEPT_DAYS = 2
"""So many days after the last day own entries are deleted, even if nobody finished the tournament."""


@dataclass(frozen=True)
class Places:
    """The places of a tournament to which people enter themselves: in all, of entrants, and of those who wait."""

    all: int
    taken: int
    waiting: int

    @property
    def free(self) -> int:
        """The places that the desk can still give."""
        return max(self.all - self.taken, 0)

    @property
    def left(self) -> int:
        """The places for those who enter now; 0: they come on the waiting list."""
        return max(self.all - self.taken - self.waiting, 0)


def takes_own_entries(tournament: Tournament) -> bool:
    """Return True while people may enter themselves."""
    return tournament.own_entry_places is not None and tournament.state == State.OPEN


def check_open(tournament: Tournament) -> None:
    """Raise Refused (409) unless people may enter themselves now."""
    if not takes_own_entries(tournament):
        sentence = _("Nobody can enter here now. Ask the organisers.")
        raise Refused(status=409, code="own_entries", sentence=sentence)


def waiting(tournament: Tournament) -> QuerySet[OwnEntry]:
    """Return the own entries that wait for the desk, in the order in which they came."""
    return OwnEntry.objects.filter(tournament=tournament).exclude(confirmed_at=None).order_by("confirmed_at", "pk")


def places_of(tournament: Tournament) -> Places:
    """Return the places of a tournament. Two queries."""
    playing = Entrant.objects.filter(tournament=tournament, struck=False, withdrawn_round=None).count()
    return Places(tournament.own_entry_places or 0, playing, waiting(tournament).count())


def own_entries_offer(
    *, tournament: Tournament, author: User | None, places: int | None, labels: Sequence[str] = ()
) -> Tournament:
    """Let people enter themselves to so many places, with one of these labels; None ends it. Who waits goes on waiting.

    Raises:
        Refused: 409 once the tournament has begun; 422 for a wrong number of places, or wrong labels.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        must_be(now, State.DRAFT, State.OPEN)
        if places is not None and not 1 <= places <= MOST_PLACES:
            sentence = _("The places are from 1 to %(most)d.") % {"most": MOST_PLACES}
            raise Refused(status=422, code="places", sentence=sentence, at="places")
        chosen = tidy_labels(labels)
        if (now.own_entry_places, now.own_entry_labels or []) != (places, chosen):
            now.own_entry_places, now.own_entry_labels = places, chosen
            now.save(update_fields=["own_entry_places", "own_entry_labels"])
            _log(now, author, "own_entries_off" if places is None else "own_entries_on")
        return now


@transaction.atomic
def own_entry_ask(*, tournament: Tournament, name: str, label: str = "", mail: str = "") -> OwnEntry:
    """Store that somebody would like to take part. With a mail address the entry waits for the code that is sent to it,
    else for the desk.

    Raises:
        Refused: 409 while people cannot enter themselves, or if too many wait; 422 for a wrong name or label.
    """
    now = locked(tournament)
    check_open(now)
    tidy = " ".join(name.split())
    if not 0 < len(tidy) <= MAX_NICKNAME or not tidy.isprintable():
        sentence = _("Type a name of at most %(most)d characters.") % {"most": MAX_NICKNAME}
        raise Refused(status=422, code="nickname", sentence=sentence, at="name")
    if label not in (now.own_entry_labels or [""]):
        raise Refused(status=422, code="labels", sentence=_("Choose one of these."), at="label")
    if OwnEntry.objects.filter(tournament=now).count() >= MOST_WAITING:
        sentence = _("Too many people are waiting. Ask the organisers.")
        raise Refused(status=409, code="own_entries", sentence=sentence)
    about: dict[str, Any] = {"name": tidy, "label": label, "mail": mail, "language": get_language() or ""}
    confirmed_at = None if mail else timezone.now()
    entry = OwnEntry.objects.create(tournament=now, confirmed_at=confirmed_at, **about)
    if mail:
        code = f"{secrets.randbelow(10**6):06d}"
        entry.code = _digest(entry.pk, code)
        entry.save(update_fields=["code"])
        own_entry_mails.send_code(entry, code)
    else:
        _touch(now)
    return entry


@transaction.atomic
def own_entry_confirm(*, tournament: Tournament, entry_id: uuid.UUID, code: str) -> OwnEntry | None:
    """Confirm an entry with the code of the mail; None for a wrong code. A second time changes nothing.

    Raises:
        Refused: 409 if the code is no longer valid: too old, tried too often, or the entry is gone.
    """
    now = locked(tournament)
    entry = OwnEntry.objects.filter(tournament=now, pk=entry_id).first()
    if entry is not None and entry.confirmed_at is not None:
        return entry
    if entry is None or entry.tries >= TRIES or entry.created_at < timezone.now() - timedelta(hours=CODE_HOURS):
        sentence = _("This code is no longer valid. Enter once more.")
        raise Refused(status=409, code="code", sentence=sentence)
    if not constant_time_compare(entry.code, _digest(entry.pk, "".join(code.split()))):
        OwnEntry.objects.filter(pk=entry.pk).update(tries=F("tries") + 1)
        return None
    entry.confirmed_at, entry.code = timezone.now(), ""
    entry.save(update_fields=["confirmed_at", "code"])
    _touch(now)
    return entry


def own_entries_accept(
    *, tournament: Tournament, author: User | None, entry_id: uuid.UUID | None = None
) -> list[Entrant]:
    """Enter somebody who waits; without `entry_id` as many as there are places, in the order in which they came. Their
    rows with the mail addresses are deleted.

    Raises:
        Refused: 404 for an entry that does not wait any more; 409 if no place is free, and as `enter`.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        must_be(now, State.OPEN, State.RUNNING)
        free = places_of(now).free
        rows = [_one(now, entry_id)] if entry_id is not None else list(waiting(now)[:free])
        if not free or not rows:
            sentence = _("No place is free. Give the tournament more places first.")
            raise Refused(status=409, code="places", sentence=sentence)
        people = [Newcomer(nickname=entry.name, labels=tuple(filter(None, [entry.label]))) for entry in rows]
        entered = enter(tournament=now, author=author, people=people)
        for entry in rows:
            own_entry_mails.send_answer(entry, accepted=True)
        OwnEntry.objects.filter(pk__in=[entry.pk for entry in rows]).delete()
        return entered


def own_entry_refuse(*, tournament: Tournament, author: User | None, entry_id: uuid.UUID) -> str:
    """Refuse somebody who waits: the row with the mail address is deleted. Return the name.

    Raises:
        Refused: 404 for an entry that does not wait any more.
    """
    with desk_write(tournament, author) as desk:
        entry = _one(desk.now, entry_id)
        own_entry_mails.send_answer(entry, accepted=False)
        entry.delete()
        _log(desk.now, author, "own_entry_refused")
        return entry.name


def _one(now: Tournament, entry_id: uuid.UUID) -> OwnEntry:
    entry = waiting(now).filter(pk=entry_id).first()
    if entry is None:
        raise Refused(status=404, code="own_entry", sentence=_("This entry does not wait any more."))
    entry.tournament = now
    return entry


def own_entries_end() -> int:
    """Delete the own entries whose code is too old, and those of tournaments that are over; return their number."""
    now, today = timezone.now(), timezone.localdate()
    rows = OwnEntry.objects.annotate(last_day=Coalesce(F("tournament__ends_on"), F("tournament__starts_on")))
    over = Q(tournament__state__in=[State.FINISHED, State.ARCHIVED]) | Q(last_day__lt=today - timedelta(days=KEPT_DAYS))
    old = Q(confirmed_at=None, created_at__lt=now - timedelta(hours=CODE_HOURS))
    return _delete(rows.filter(over | old).values_list("pk", flat=True))


def _touch(now: Tournament) -> None:
    """Give the tournament another version, so that an open page of the desk shows that somebody waits."""
    Tournament.objects.filter(pk=now.pk).update(own_entry_places=F("own_entry_places"))


def _delete(keys: Collection[uuid.UUID]) -> int:
    return OwnEntry.objects.filter(pk__in=list(keys)).delete()[0]


def _digest(entry_id: uuid.UUID, code: str) -> str:
    return salted_hmac(SALT, f"{entry_id}:{code}", algorithm="sha256").hexdigest()


def _log(now: Tournament, author: User | None, did: str) -> None:
    data: audit.Data = {"did": did}
    audit.write(What.TOURNAMENT_CHANGED, club=now.club, actor=author, about=f"tournament:{now.pk}", data=data)
