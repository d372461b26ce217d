"""Create a tournament, change it, and take it from state to state. Each call is one transaction."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused, form_outdated
from ..ledger.idempotency import keyed, submit_once
from ..locks import lock_club
from ..models import Club, DeskMember, Evening, Membership, OwnEntry, Role, Round, Season, Submission, Tournament, User
from ..standings.day_limits import check_planned_day
from . import awards, messages, tables
from .formats import Format
from .locking import desk_write, locked, must_be
from .podium import may_be_revealed, podium_places
from .results import ranking_of
from .texts import fits

State = Tournament.State
RESERVED = frozenset({"new", "import"})
MAX_AWARDS = 200
MAX_SEED = 999_999_999
TEXTS = {"name": 80, "fee": 120, "prizes": 1000}


@dataclass(frozen=True)
class Basics:
    """The fields of a new tournament, besides its format."""

    name: str
    starts_on: date
    game: str
    ends_on: date | None = None
    begins_at: time | None = None
    fee: str = ""
    prizes: str = ""
    names_shown: bool = False


def tournament_create(
    *, club: Club, author: User | None, basics: Basics, format: Format, key: uuid.UUID | None = None
) -> Tournament:
    """Create a tournament in preparation, with an own season for its chips.

    Raises:
        Refused: 422 for a name that is empty or too long, an unknown game, a day that is too far away, an end before
            the beginning, or a format that does not fit the game.
    """
    _check_basics(basics)
    format.check()
    check_sizes(format, basics.game)

    def write(submission: Submission | None) -> Tournament:
        lock_club(club.pk)
        season = Season.every.create(
            club=club,
            slug=f"chips-{uuid.uuid4().hex}",
            name=basics.name,
            starts_on=basics.starts_on,
            points_only=True,
            in_chips=True,
        )
        tournament = Tournament.objects.create(
            club=club,
            slug=free_slug(club, basics.name),
            name=basics.name,
            starts_on=basics.starts_on,
            ends_on=basics.ends_on,
            begins_at=basics.begins_at,
            game=basics.game,
            house_rules=tables.of_games().house_rules(club.pk, basics.game),
            season=season,
            format=format.stored(),
            fee=basics.fee,
            prizes=basics.prizes,
            lot_seed=secrets.randbelow(MAX_SEED) + 1,
            names_shown_since=timezone.now() if basics.names_shown else None,
            opened_by=author,
            submission=submission,
        )
        _log(tournament, author, "made")
        return tournament

    if key is None:
        with transaction.atomic():
            return write(None)
    body = f"tournament {club.pk} {basics!r} {format.stored()!r}"
    return submit_once(
        club_id=club.pk,
        key=key,
        body_hash=uuid.uuid5(uuid.NAMESPACE_OID, body).hex,
        author=author,
        write=write,
        stored=lambda first: Tournament.objects.get(submission=first),
    )


def tournament_change(*, tournament: Tournament, author: User | None, changes: Mapping[str, Any]) -> Tournament:
    """Change name, days, begin, fee, prizes or game. The game only before the first draw was published.

    Raises:
        Refused: 422 as `tournament_create`; 409 for a game that is being played, or in which a hand was recorded before
            the first draw was taken back.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        fields = [name for name, value in changes.items() if getattr(now, name) != value]
        if "game" in fields:
            must_be(now, State.DRAFT, State.OPEN)
            if Evening.objects.filter(season=now.season).exists():
                sentence = _("The tables of a draw that was taken back have records of this game: it stays.")
                raise Refused(status=409, code="game", sentence=sentence, at="game")
        for name in fields:
            setattr(now, name, changes[name])
        _check_basics(Basics(now.name, now.starts_on, now.game, now.ends_on, now.begins_at, now.fee, now.prizes))
        if "game" in fields:
            check_sizes(Format.read(now.format), now.game)
            now.house_rules = tables.of_games().house_rules(now.club_id, now.game)
            fields.append("house_rules")
        if fields:
            now.save(update_fields=fields)
            Season.every.filter(pk=now.season_id).update(name=now.name, starts_on=now.starts_on)
            _log(now, author, "changed")
        return now


def format_change(*, tournament: Tournament, author: User | None, parts: Mapping[str, Any]) -> Tournament:
    """Change parts of the format before the first draw is published.

    Raises:
        Refused: 409 once the tournament has begun; 422 as `Format.changed`.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        must_be(now, State.DRAFT, State.OPEN)
        format = Format.read(now.format).changed(parts)
        check_sizes(format, now.game)
        if format.stored() == Format.read(now.format).stored():
            return now
        now.format, now.format_version = format.stored(), now.format_version + 1
        now.save(update_fields=["format", "format_version"])
        _log(now, author, "format")
        return now


def closed_tables_set(*, tournament: Tournament, author: User | None, numbers: Sequence[int]) -> Tournament:
    """Leave table numbers out of every following draw."""
    if any(type(number) is not int or not 1 <= number <= 999 for number in numbers):
        raise Refused(status=422, code="tables", sentence=_("Table numbers go from 1 to 999."), at="closed_tables")

    with desk_write(tournament, author) as desk:
        now = desk.now
        now.closed_tables = sorted(set(numbers))
        now.save(update_fields=["closed_tables"])
        _log(now, author, "changed")
        return now


def names_show(*, tournament: Tournament, author: User | None, shown: bool) -> Tournament:
    """Choose whether the pages of the tournament show nicknames to visitors while it runs. Its end ends that.

    Raises:
        Refused: 409 once the tournament is finished.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        must_be(now, State.DRAFT, State.OPEN, State.RUNNING)
        if shown != (now.names_shown_since is not None):
            now.names_shown_since = timezone.now() if shown else None
            now.save(update_fields=["names_shown_since"])
            _log(now, author, "names_shown" if shown else "names_hidden")
        return now


def podium_reveal(*, tournament: Tournament, author: User | None, step: int | None) -> Tournament:
    """Show so many places of the podium on the big screen, from the last one; None takes the podium off the screen.

    Raises:
        Refused: 409 before the last round is finished; 422 for more places than the podium has.
    """
    with desk_write(tournament, author) as desk:
        now = desk.now
        if step is not None:
            if not may_be_revealed(now, now.rounds.order_by("number").last()):
                sentence = _("The podium is shown after the last round.")
                raise Refused(status=409, code="round", sentence=sentence)
            if not 0 <= step <= len(podium_places(ranking_of(now))):
                raise form_outdated()
        now.reveal_step = step
        now.save(update_fields=["reveal_step"])
        return now


def award_set(
    *, tournament: Tournament, author: User | None, season: Season | None, points: Sequence[int]
) -> Tournament:
    """Set the season that gets points for the places of this tournament, and the points; None for no season.

    The points of a finished tournament are given at once; those given before are taken back.

    Raises:
        Refused: 422 for a season of another club, or for points that are no whole numbers from 0 to 10,000; 409 if the
            tournament is finished and the season that gets or got the points is closed.
    """
    if season is not None and (season.club_id != tournament.club_id or season.in_chips):
        raise Refused(status=422, code="season", sentence=_("There is no such season in this club."), at="season")
    if len(points) > MAX_AWARDS or any(type(point) is not int or not 0 <= point <= 10_000 for point in points):
        sentence = _("Give the points of each place as whole numbers from 0 to 10,000.")
        raise Refused(status=422, code="points", sentence=sentence, at="points")

    with desk_write(tournament, author) as desk:
        now = desk.now
        chosen = (season.pk if season else None, list(points) if season else [])
        if chosen == (now.award_season_id, now.award_points):
            return now
        finished = now.state == State.FINISHED
        if finished:
            awards.take_back(now)
        now.award_season, now.award_points = season, chosen[1]
        now.save(update_fields=["award_season", "award_points"])
        if finished:
            awards.award(now, author)
        _log(now, author, "award")
        return now


_keyed = keyed(lambda _first, *, tournament, **_given: Tournament.objects.get(pk=tournament.pk))


@_keyed
def entries_open(*, tournament: Tournament, author: User | None, key: uuid.UUID | None = None) -> Tournament:
    """Draft → open: people can be entered, and everybody who may read the club sees the tournament."""
    with _move(tournament, author, key, "opened", State.DRAFT, State.OPEN) as now:
        return now


@_keyed
def entries_close(*, tournament: Tournament, author: User | None, key: uuid.UUID | None = None) -> Tournament:
    """Open → draft, while nobody is entered."""
    with _move(tournament, author, key, "withdrawn", State.OPEN, State.DRAFT) as now:
        if now.entrants.exists():
            sentence = _("People are entered already. Take them out first.")
            raise Refused(status=409, code="entrants", sentence=sentence)
        return now


@_keyed
def tournament_finish(*, tournament: Tournament, author: User | None, key: uuid.UUID | None = None) -> Tournament:
    """Running → finished. All rounds that were drawn are finished; rounds that were not drawn are not played."""
    with _move(tournament, author, key, "finished", State.RUNNING, State.FINISHED) as now:
        if now.rounds.exclude(state=Round.State.FINISHED).exists():
            sentence = _("A round is still being played. Finish it, or take its draw back.")
            raise Refused(status=409, code="round", sentence=sentence)
        now.names_shown_since = None
        OwnEntry.objects.filter(tournament=now).delete()
        awards.award(now, author)
        return now


@_keyed
def tournament_reopen(
    *, tournament: Tournament, author: User | None, owner: bool, reason: str, key: uuid.UUID | None = None
) -> Tournament:
    """Finished → running again, by an owner, with a reason that the log keeps.

    Raises:
        Refused: 403 for somebody who is no owner; 422 without a reason; 409 in another state.
    """
    with _move(tournament, author, key, "reopened", State.FINISHED, State.RUNNING, reason) as now:
        if not owner:
            sentence = _("Only an owner of the club can open a finished tournament again.")
            raise Refused(status=403, code="owner", sentence=sentence)
        if not reason.strip():
            sentence = _("Give a reason: a finished tournament is opened again only with one, and it is kept.")
            raise Refused(status=422, code="reason", sentence=sentence, at="reason")
        now.reopen_reason = reason[:200]
        awards.take_back(now)
        return now


@transaction.atomic
def tournament_archive(*, tournament: Tournament, author: User | None, archived: bool = True) -> Tournament:
    """Finished → archived: no writes are possible any more; or back."""
    now = locked(tournament)
    must_be(now, State.FINISHED if archived else State.ARCHIVED)
    now.state = State.ARCHIVED if archived else State.FINISHED
    now.save(update_fields=["state"])
    _log(now, author, "archived" if archived else "unarchived")
    return now


@transaction.atomic
def desk_member_set(*, tournament: Tournament, author: User | None, user: User, member: bool) -> None:
    """Name a recorder for the desk, or take that back. The caller has checked that the author is an owner.

    Raises:
        Refused: 422 for somebody who may not record in this club.
    """
    role = Membership.objects.filter(club=tournament.club_id, user=user).values_list("role", flat=True).first()
    if member and role not in (Role.RECORDER, Role.TREASURER, Role.OWNER):
        sentence = _("This person does not record in this club. Give them the role of a recorder first.")
        raise Refused(status=422, code="desk", sentence=sentence, at="user")
    if member:
        _row, changed = DeskMember.objects.get_or_create(tournament=tournament, user=user)
    else:
        changed = DeskMember.objects.filter(tournament=tournament, user=user).delete()[0] > 0
    if changed:
        data = {"did": "named" if member else "unnamed", "user": user.pk}
        _write_log(tournament, author, data)


def check_sizes(format: Format, game: str) -> None:
    """Refuse a format with sizes of tables that the game does not allow."""
    games = tables.of_games()
    if game not in games.games():
        raise Refused(status=422, code="game", sentence=_("There is no such game."), at="game")
    least, most = games.sizes(game)
    if format.least < least or format.most > most:
        sentence = _("%(game)s is played by %(least)d to %(most)d people at a table.")
        values = {"game": games.games()[game], "least": least, "most": most}
        raise Refused(status=422, code="format", sentence=sentence % values, at="most")


@contextmanager
def _move(
    tournament: Tournament,
    author: User | None,
    key: uuid.UUID | None,
    did: str,
    before: str,
    after: str,
    reason: str = "",
) -> Iterator[Tournament]:
    """Take the locked tournament to another state, in which the block changes it further."""
    with desk_write(tournament, author, key, ("state", did, reason)) as desk:
        must_be(desk.now, before)
        desk.now.state = after
        yield desk.now
        desk.now.save(update_fields=["state", "reopen_reason", "names_shown_since"])
        _log(desk.now, author, did)
        messages.state_changed(desk.now, did)


def _check_basics(basics: Basics) -> None:
    if not basics.name.strip():
        raise Refused(status=422, code="name", sentence=_("Give the tournament a name."), at="name")
    for name, most in TEXTS.items():
        if not fits(getattr(basics, name), most):
            sentence = _("At most %(most)d characters, please.") % {"most": most}
            raise Refused(status=422, code=name, sentence=sentence, at=name)
    if basics.game not in tables.of_games().games():
        raise Refused(status=422, code="game", sentence=_("There is no such game."), at="game")
    check_days(basics.starts_on, basics.ends_on)
    if basics.ends_on is not None and basics.ends_on < basics.starts_on:
        sentence = _("The last day lies before the first one.")
        raise Refused(status=422, code="ends_on", sentence=sentence, at="ends_on")


def check_days(starts_on: date, ends_on: date | None) -> None:
    """Raise Refused (422) for a day that is too far away."""
    check_planned_day(starts_on, code="starts_on", at="starts_on")
    if ends_on is not None:
        check_planned_day(ends_on, code="ends_on", at="ends_on")


def free_slug(club: Club, name: str) -> str:
    """Return a short name for a new tournament. The caller holds the club's lock."""
    base = slugify(name)[:30].strip("-") or "tournament"
    taken = set(Tournament.objects.filter(club=club, slug__startswith=base).values_list("slug", flat=True)) | RESERVED
    slug, number = base, 1
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug


def _log(tournament: Tournament, author: User | None, did: str) -> None:
    _write_log(tournament, author, {"did": did})


def _write_log(tournament: Tournament, author: User | None, data: audit.Data) -> None:
    about = f"tournament:{tournament.pk}"
    audit.write(What.TOURNAMENT_CHANGED, club=tournament.club, actor=author, about=about, data=data)
