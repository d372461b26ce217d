"""Making a cup, inviting clubs, taking part, and what counts. Each call is one transaction, with the cup locked.

What a club does is in its own log. The log of the other one says what happened, without the account of a stranger.
"""

from __future__ import annotations

import hashlib
import itertools
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused, form_outdated
from ..features.table import CUPS
from ..locks import lock_club
from ..models import (
    Club,
    Cup,
    CupClub,
    CupEvening,
    CupInvitation,
    CupPerson,
    CupPlayer,
    CupTournament,
    Player,
    Tournament,
    User,
)
from ..roster.cup_lists import tidy
from .evenings import may_count

State = CupInvitation.State
MAX_NAME = 80
MAX_PLACES = 100
MAX_PLACE_POINTS = 1000
MAX_BEST_OF = 100
MAX_QUALIFIERS = 200
MAX_CUPS = 50
MAX_OPEN = 50
MAX_TOURNAMENTS = 200
MAX_EVENINGS = 200
PLACE_POINTS = (10, 8, 6, 5, 4, 3, 2, 1)
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without letters and digits that look alike."""
CODE_GROUPS = 4


@dataclass(frozen=True)
class Basics:
    """The fields of a cup that its owner chooses."""

    name: str
    events: str = Cup.Events.TOURNAMENTS
    kind: str = Cup.Kind.PLACES
    place_points: tuple[int, ...] = PLACE_POINTS
    best_of: int | None = None
    qualifiers: int | None = None
    public: bool = False


@transaction.atomic
def cup_create(*, club: Club, actor: User | None, basics: Basics) -> Cup:
    """Make a cup that the club runs and takes part in.

    Raises:
        Refused: 409 in a practice club, and for more than 50 cups of a club; 422 for a field out of its limits.
    """
    lock_club(club.pk)
    _check_club(club, basics.public)
    _check(basics)
    if Cup.objects.filter(owner=club).count() >= MAX_CUPS:
        sentence = _("A club runs at most %(most)d cups.") % {"most": MAX_CUPS}
        raise Refused(status=409, code="cups", sentence=sentence)
    # The end is random: a short name says nothing of the cups of other clubs.
    slug = f"{slugify(basics.name)[:30].strip('-') or 'cup'}-{secrets.token_hex(3)}"
    cup = Cup.objects.create(owner=club, slug=slug, **_fields(basics))
    CupClub.objects.create(cup=cup, club=club, joined_at=timezone.now())
    _log(cup, club, actor, "made")
    return cup


@transaction.atomic
def cup_change(*, cup: Cup, actor: User | None, basics: Basics) -> Cup:
    """Change a cup. What the clubs agreed to stays: once another club takes part it does not become public.

    Raises:
        Refused: 409 for a closed cup, and for one that would become public; 422 as `cup_create`.
    """
    now = _open(cup)
    _check(basics)
    if basics.public and not now.public:
        _check_club(now.owner, public=True)
        if CupClub.objects.filter(cup=now, left_at=None).exclude(club=now.owner_id).exists():
            sentence = _("Other clubs agreed to a cup that only their members read. Make a new one for everybody.")
            raise Refused(status=409, code="public", sentence=sentence, at="public")
    values = _fields(basics)
    changed = [name for name, value in values.items() if getattr(now, name) != value]
    for name in changed:
        setattr(now, name, values[name])
    if changed:
        now.save(update_fields=changed)
        _log(now, now.owner, actor, "changed")
    return now


@transaction.atomic
def cup_close(*, cup: Cup, actor: User | None, closed: bool = True) -> Cup:
    """Close a cup, or open it again. In a closed one nothing is invited, counted or put on the list; clubs may
    leave."""
    now = locked(cup)
    if closed != (now.closed_at is not None):
        now.closed_at = timezone.now() if closed else None
        now.save(update_fields=["closed_at"])
        _log(now, now.owner, actor, "closed" if closed else "reopened")
    return now


@transaction.atomic
def club_invite(*, cup: Cup, actor: User | None, short_name: str) -> CupInvitation:
    """Invite the club with this short name. The answer is the same if there is no such club, or one that nobody shall
    know of; the invitation waits then in vain.

    Raises:
        Refused: 422 for no short name; 409 for a closed cup, for a club that takes part or is invited, and for more
            than 50 open invitations.
    """
    now = _open(cup)
    short_name = short_name.strip().lower()
    if not short_name or len(short_name) > 60 or slugify(short_name) != short_name:
        sentence = _("This is no short name of a club: it has small letters, digits and hyphens.")
        raise Refused(status=422, code="club", sentence=sentence, at="short_name")
    if CupClub.objects.filter(cup=now, club__slug=short_name, left_at=None).exists():
        raise Refused(status=409, code="club", sentence=_("This club takes part already."), at="short_name")
    if CupInvitation.objects.filter(cup=now, short_name=short_name, state=State.OPEN).exists():
        raise Refused(status=409, code="club", sentence=_("This club is invited already."), at="short_name")
    return _invite(now, actor, short_name=short_name)


@transaction.atomic
def code_make(*, cup: Cup, actor: User | None) -> tuple[CupInvitation, str]:
    """Make an invitation by a code, and return both. The code is shown once, and works once.

    Raises:
        Refused: 409 for a closed cup, and for more than 50 open invitations.
    """
    code = "-".join("".join(secrets.choice(CODE_LETTERS) for _nth in range(4)) for _group in range(CODE_GROUPS))
    return _invite(_open(cup), actor, code_digest=_digest(code)), code


def _invite(cup: Cup, actor: User | None, **values: str) -> CupInvitation:
    last = CupInvitation.objects.filter(cup=cup).aggregate(last=Max("number"))["last"] or 0
    if CupInvitation.objects.filter(cup=cup, state=State.OPEN).count() >= MAX_OPEN:
        raise Refused(status=409, code="invitations", sentence=_("Too many invitations wait. Withdraw some first."))
    made = CupInvitation.objects.create(cup=cup, number=last + 1, **values)
    _log(cup, cup.owner, actor, "invited")
    return made


@transaction.atomic
def invitation_withdraw(*, cup: Cup, actor: User | None, number: int) -> None:
    """Withdraw an invitation that was not answered; any other one stays as it is."""
    now = locked(cup)
    waiting = CupInvitation.objects.filter(cup=now, number=number, state=State.OPEN)
    if waiting.update(state=State.WITHDRAWN, answered_at=timezone.now(), code_digest=""):
        _log(now, now.owner, actor, "withdrawn")


@transaction.atomic
def code_use(*, club: Club, code: str) -> CupInvitation:
    """Turn the invitation of a code into one of this club, which it then accepts or declines.

    Raises:
        Refused: 422 for a code that is wrong or was used; 409 in a practice club, and if the club takes part.
    """
    _check_club(club, public=False)
    given = CupInvitation.objects.filter(code_digest=_digest(code), state=State.OPEN)
    invitation = given.first()
    if invitation is not None:
        locked(invitation.cup)
        # Another club may have used the code until the cup was locked.
        invitation = given.first()
    if invitation is None:
        sentence = _("This code is wrong, or was used. Ask the club that gave it to you.")
        raise Refused(status=422, code="code", sentence=sentence, at="code")
    if CupClub.objects.filter(cup=invitation.cup_id, club=club, left_at=None).exists():
        raise Refused(status=409, code="club", sentence=_("Your club takes part already."), at="code")
    # An invitation by name that waits as well is answered by the same page.
    waiting = CupInvitation.objects.filter(cup=invitation.cup_id, short_name=club.slug, state=State.OPEN)
    waiting.update(state=State.WITHDRAWN, answered_at=timezone.now())
    invitation.short_name, invitation.code_digest = club.slug, ""
    invitation.save(update_fields=["short_name", "code_digest"])
    return invitation


def invitation_of(club: Club, cup: str) -> CupInvitation | None:
    """Return the open invitation of a club to a cup, by its short name."""
    waiting = CupInvitation.objects.filter(short_name=club.slug, cup__slug=cup, state=State.OPEN)
    return waiting.select_related("cup__owner").first()


@transaction.atomic
def invitation_accept(*, invitation: CupInvitation, club: Club, actor: User | None, public: bool) -> Cup:
    """Take part in a cup. `public`: whether its page is for everybody, as the person has just read. The club gets the
    feature.

    Raises:
        Refused: 409 if the invitation does not wait any more, the cup is closed or for others than the person has read;
            in a practice club.
    """
    now = _open(invitation.cup)
    _check_club(club, public=False)
    if now.public != public:
        sentence = _("The cup was changed meanwhile: read again who sees it.")
        raise Refused(status=409, code="public", sentence=sentence)
    _answer(invitation, State.ACCEPTED)
    CupClub.objects.update_or_create(cup=now, club=club, defaults={"joined_at": timezone.now(), "left_at": None})
    fresh = lock_club(club.pk)
    if CUPS.key not in fresh.features:
        fresh.features = [*fresh.features, CUPS.key]
        fresh.save(update_fields=["features"])
    _log(now, club, actor, "accepted")
    _log(now, now.owner, None, "club_joined")
    return now


@transaction.atomic
def invitation_decline(*, invitation: CupInvitation, club: Club, actor: User | None) -> None:
    """Decline an invitation. Raises Refused with 409 if it does not wait any more."""
    now = locked(invitation.cup)
    _answer(invitation, State.DECLINED)
    _log(now, club, actor, "declined")
    _log(now, now.owner, None, "club_declined")


def _answer(invitation: CupInvitation, state: str) -> None:
    waiting = CupInvitation.objects.filter(pk=invitation.pk, state=State.OPEN)
    if not waiting.update(state=state, answered_at=timezone.now()):
        sentence = _("This invitation was withdrawn or answered meanwhile.")
        raise Refused(status=409, code="invitation", sentence=sentence)


@transaction.atomic
def cup_leave(*, cup: Cup, club: Club, actor: User | None) -> None:
    """Leave a cup: the club's tournaments, evenings and players are off its page at once.

    Raises:
        Refused: 409 for the club that runs it, and for one that does not take part.
    """
    now = locked(cup)
    if now.owner_id == club.pk:
        sentence = _("Your club runs this cup. Close it instead.")
        raise Refused(status=409, code="owner", sentence=sentence)
    if not CupClub.objects.filter(cup=now, club=club, left_at=None).update(left_at=timezone.now()):
        raise Refused(status=409, code="club", sentence=_("Your club does not take part in this cup."))
    CupTournament.objects.filter(cup=now, tournament__club=club).delete()
    CupEvening.objects.filter(cup=now, evening__club=club).delete()
    CupPlayer.objects.filter(cup=now, player__club=club).delete()
    tidy(now)
    _log(now, club, actor, "left")
    _log(now, now.owner, None, "club_left")


@transaction.atomic
def tournaments_set(*, cup: Cup, club: Club, actor: User | None, slugs: Collection[str]) -> None:
    """Say which tournaments of the club count in a cup; those that are not named do not.

    Raises:
        Refused: 409 for a closed cup, one without the club and one of evenings alone, 422 for an unknown tournament or
            more than 200.
    """
    now = _part(cup, club)
    if not now.takes_tournaments:
        raise Refused(status=409, code="events", sentence=_("Tournaments do not count in this cup."))
    wanted = {
        tournament.pk
        for tournament in Tournament.objects.filter(club=club, slug__in=slugs)
        if tournament.slug in set(slugs)
    }
    if len(wanted) != len(set(slugs)):
        raise form_outdated()
    if len(wanted) > MAX_TOURNAMENTS:
        sentence = _("At most %(most)d tournaments of a club count.") % {"most": MAX_TOURNAMENTS}
        raise Refused(status=422, code="tournaments", sentence=sentence)
    known = CupTournament.objects.filter(cup=now, tournament__club=club)
    before = set(known.values_list("tournament_id", flat=True))
    known.exclude(tournament__in=wanted).delete()
    CupTournament.objects.bulk_create(CupTournament(cup=now, tournament_id=pk) for pk in sorted(wanted - before))
    if wanted != before:
        _log(now, club, actor, "tournaments")


@transaction.atomic
def evenings_set(*, cup: Cup, club: Club, actor: User | None, evenings: Collection[int]) -> None:
    """Say which evenings of the club count in a cup; those that are not named do not.

    Raises:
        Refused: 409 for a closed cup, one without the club and one of tournaments alone, 422 for an evening that may
            not count or more than 200.
    """
    now = _part(cup, club)
    if not now.takes_evenings:
        raise Refused(status=409, code="events", sentence=_("Evenings do not count in this cup."))
    wanted = set(may_count(club).filter(pk__in=evenings).order_by().values_list("pk", flat=True))
    if len(wanted) != len(set(evenings)):
        raise form_outdated()
    if len(wanted) > MAX_EVENINGS:
        sentence = _("At most %(most)d evenings of a club count.") % {"most": MAX_EVENINGS}
        raise Refused(status=422, code="evenings", sentence=sentence)
    known = CupEvening.objects.filter(cup=now, evening__club=club)
    before = set(known.values_list("evening_id", flat=True))
    known.exclude(evening__in=wanted).delete()
    CupEvening.objects.bulk_create(CupEvening(cup=now, evening_id=pk) for pk in sorted(wanted - before))
    if wanted != before:
        _log(now, club, actor, "evenings")


@transaction.atomic
def players_set(*, cup: Cup, club: Club, actor: User | None, places: Mapping[int, int | None]) -> None:
    """Put players of the club on the list of a cup: under the number of a person, under a person of their own (0), or
    off it (None). Players who are not named stay.

    Raises:
        Refused: 409 for a closed cup and one without the club, and for two players of the club under one person; 422
            for a player who is not of the club, and a person who is not on the list.
    """
    now = _part(cup, club)
    players = {player.pk: player for player in Player.objects.filter(club=club, pk__in=places, main=None)}
    if len(players) != len(places):
        raise form_outdated()
    people = {cup_person.number: cup_person for cup_person in CupPerson.objects.filter(cup=now)}
    rows = {row.player_id: row for row in CupPlayer.objects.filter(cup=now, player__club=club).select_related("person")}
    last = max(people, default=0)
    changed = 0
    for pk, number in places.items():
        row = rows.get(pk)
        if number is None:
            if row is not None:
                rows.pop(pk).delete()
                changed += 1
            continue
        if number == 0 and row is not None and _alone(row):
            continue
        if number == 0:
            last += 1
            person = CupPerson.objects.create(cup=now, number=last)
        elif number in people:
            person = people[number]
        else:
            raise form_outdated()
        if row is not None and row.person_id == person.pk:
            continue
        if row is None:
            rows[pk] = CupPlayer.objects.create(cup=now, person=person, player=players[pk])
        else:
            row.person = person
            row.save(update_fields=["person"])
        changed += 1
    _check_one_a_club(list(rows.values()))
    tidy(now)
    if changed:
        _log(now, club, actor, "players")


def _alone(row: CupPlayer) -> bool:
    return not CupPlayer.objects.filter(person=row.person_id).exclude(pk=row.pk).exists()


def _check_one_a_club(rows: Sequence[CupPlayer]) -> None:
    people = [row.person_id for row in rows]
    if len(set(people)) != len(people):
        sentence = _("Two players of your club are the same person in the cup. Merge them in the roster instead.")
        raise Refused(status=409, code="person", sentence=sentence)


def locked(cup: Cup) -> Cup:
    rows = Cup.objects.order_by().select_for_update(no_key=True, of=("self",))
    return rows.select_related("owner").get(pk=cup.pk)


def _open(cup: Cup) -> Cup:
    now = locked(cup)
    if now.closed_at is not None:
        sentence = _("This cup is closed. The club that runs it can open it again.")
        raise Refused(status=409, code="closed", sentence=sentence)
    return now


def _part(cup: Cup, club: Club) -> Cup:
    now = _open(cup)
    if not CupClub.objects.filter(cup=now, club=club, left_at=None).exists():
        raise Refused(status=409, code="club", sentence=_("Your club does not take part in this cup."))
    return now


def _check_club(club: Club, public: bool) -> None:
    if club.practice_until is not None:
        raise Refused(status=409, code="practice", sentence=_("A practice club takes part in no cup."))
    if public and not club.public:
        sentence = _("Your club is private, so its cup is for the members of its clubs.")
        raise Refused(status=409, code="public", sentence=sentence, at="public")


def _check(basics: Basics) -> None:
    name = basics.name.strip()
    if not name or len(name) > MAX_NAME or "\0" in name:
        sentence = _("A name has 1 to %(most)d characters.") % {"most": MAX_NAME}
        raise Refused(status=422, code="name", sentence=sentence, at="name")
    if basics.kind not in Cup.Kind.values or basics.events not in Cup.Events.values:
        raise form_outdated()
    if basics.events != Cup.Events.TOURNAMENTS and basics.kind != Cup.Kind.PLACES:
        sentence = _("Evenings count by place alone: they are about money, and a cup shows no amounts.")
        raise Refused(status=422, code="events", sentence=sentence, at="events")
    places = basics.place_points
    if basics.kind == Cup.Kind.PLACES and not places:
        sentence = _("Say how many points the first place gets, then the second and so on.")
        raise Refused(status=422, code="place_points", sentence=sentence, at="place_points")
    falling = all(higher >= other for higher, other in itertools.pairwise(places))
    if len(places) > MAX_PLACES or not falling or any(not 0 <= place <= MAX_PLACE_POINTS for place in places):
        sentence = _("Points by place: whole numbers from 0 to 1000, none higher than the one before.")
        raise Refused(status=422, code="place_points", sentence=sentence, at="place_points")
    for field, value, least, most in (
        ("best_of", basics.best_of, 1, MAX_BEST_OF),
        ("qualifiers", basics.qualifiers, 2, MAX_QUALIFIERS),
    ):
        if value is not None and not least <= value <= most:
            sentence = _("A number from %(least)d to %(most)d.") % {"least": least, "most": most}
            raise Refused(status=422, code=field, sentence=sentence, at=field)


def _fields(basics: Basics) -> dict[str, object]:
    return {
        "name": basics.name.strip(),
        "events": basics.events,
        "kind": basics.kind,
        "place_points": list(basics.place_points),
        "best_of": basics.best_of,
        "qualifiers": basics.qualifiers,
        "public": basics.public,
    }


def _digest(code: str) -> str:
    """Return the digest of a code, however it is typed: with blanks, without hyphens, in small letters."""
    return hashlib.sha256("".join(char for char in code.upper() if char.isalnum()).encode()).hexdigest()


def _log(cup: Cup, club: Club, actor: User | None, did: str) -> None:
    audit.write(What.CUP_CHANGED, club=club, actor=actor, about=f"cup:{cup.pk}", data={"did": did})
