"""Begin an evening: create it with its table, seats and first dealer, and carry the coins of the box into its pot."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from league import ledger
from league.ledger import club_accounts
from league.ledger.idempotency import submit_once
from league.locks import lock_club
from league.models import Account, Club, Evening, HouseRules, Player, Season, Submission, Transfer, User
from league.roster.services import MAX_NICKNAME, NameTaken, free_nickname, player_called, player_store
from league.standings.closed_seasons import lock_open
from league.standings.day_limits import EARLIEST

from .. import engine_bridge
from ..errors import Refused, unknown_player
from ..events import audit_log
from ..hands.tables import table_create
from ..models import FirstSeat, Happening, Table
from ..offered import game_of
from .house_rules import house_rules_of

AHEAD = timedelta(days=366)
"""An evening may begin up to this time ahead: any later day is a mistyped year."""


@dataclass(frozen=True)
class BegunOnPhone:
    """The differences of an evening that was begun on a phone without a network, and arrives after its hands.

    It keeps the version of the house rules by which the phone played, None for the newest one. A guest with the
    nickname of a player of the club is that player, and one whose nickname only looks like another one gets a number
    behind it. The pot begins empty if another evening has emptied the box.
    """

    rules_version: int | None = None


@dataclass(frozen=True)
class Sitting:
    """An entry of the seating order: a player of the roster, or the nickname of a guest."""

    player_id: int | None
    nickname: str | None


def evening_start(
    *,
    club: Club,
    season: Season,
    author: User | None,
    seating: Sequence[str],
    first_dealer: str,
    held_on: date,
    key: uuid.UUID | None = None,
    game: str = engine_bridge.GAME,
    carry: bool = False,
    settling: str | None = None,
    begun_on_phone: BegunOnPhone | None = None,
) -> Table:
    """Begin an evening of one game with one table; with a `key` only once, however often it is requested.

    `seating` is the order of play, an entry each: "p" and a player's id, or "g" and a guest's nickname; `first_dealer`
    is one of them. The evening keeps the newest house rules of that game. With `carry` the coins in the club's box from
    an earlier evening are moved into the pot, in whole coins. `settling` is how the evening settles up, None for the
    way of the club. `begun_on_phone`: its hands were played before it arrives here.

    Raises:
        Refused: 422 where there is no such game or `settling`, where the day is too far away, where the seats are too
            few, too many or no different players of this club, or where the key was used for another evening; 409 where
            the season is closed, where the box is empty by now, or where the club has no such version of the rules.
    """
    # The box holds money; in a season of points alone the pot begins empty.
    carry = carry and not season.points_only
    sitting = [_sitting(entry) for entry in seating]
    _check_seating(game, seating, first_dealer)
    _check_settling(settling)
    _check_day(held_on)
    rules_version = begun_on_phone.rules_version if begun_on_phone else None
    options = ("carry" if carry else None, settling, rules_version)
    request = ["evening", season.pk, list(seating), first_dealer, str(held_on), game, *filter(None, options)]

    def write(submission: Submission | None) -> Table:
        # For the coins in the box, and so that nobody else adds a guest of the same name meanwhile.
        if carry or any(person.player_id is None for person in sitting):
            lock_club(club.pk)
        players = _players(club, sitting, author, known_guests=begun_on_phone is not None)
        ledger.ensure_player_accounts(club.pk, [player.pk for player in players])
        evening = Evening.objects.create(
            club=club,
            season=season,
            number=_next_number(season),
            held_on=held_on,
            game=game,
            house_rules=house_rules_of(club, game, rules_version),
            settling=settling or club.settling,
            opened_by=author,
            submission=submission,
        )
        dealer = players[list(seating).index(first_dealer)]
        table = table_create(evening=evening, players=players, first_dealer=dealer, number=1)
        _keep_first_seats(table, players, submission)
        if carry:
            _carry_from_box(table, author, may_be_empty=begun_on_phone is not None)
        audit_log.evening_begun(evening)
        return table

    def stored(first: Submission) -> Table:
        return Table.objects.filter(evening__submission=first).earliest("number")

    with _names_are_free():
        if key is None:
            with transaction.atomic():
                return write(None)
        body_hash = engine_bridge.body_hash(request)
        return submit_once(club_id=club.pk, key=key, body_hash=body_hash, author=author, write=write, stored=stored)


def _keep_first_seats(table: Table, players: Sequence[Player], submission: Submission | None) -> None:
    """Store the first seating, if the evening began with a key: later writes of a phone name a guest by key and
    place."""
    if submission is not None:
        FirstSeat.objects.bulk_create(
            FirstSeat(table=table, seat=seat, player=player) for seat, player in enumerate(players)
        )


def _check_settling(settling: str | None) -> None:
    if settling is not None and settling not in Club.Settling.values:
        raise Refused(status=422, code="settling", sentence=_("Choose how you settle up."), at="settling")


def _check_day(held_on: date) -> None:
    if not EARLIEST <= held_on <= timezone.localdate() + AHEAD:
        sentence = _("An evening is not held before 1900, nor more than a year ahead. Check the date.")
        raise Refused(status=422, code="held_on", sentence=sentence, at="held_on")


def carried_amount(club: Club, game: str) -> int:
    """The amount that an evening of this game would carry from the club's box into its pot: whole coins, in Rappen."""
    box = club_accounts.held(club.pk, Account.Kind.BOX)
    if box <= 0:
        return 0
    newest = HouseRules.objects.filter(club=club, game=game).order_by("-version").first()
    return _whole_coins(box, newest or HouseRules(club=club, game=game))


def carried_amounts(club: Club, versions: Iterable[HouseRules]) -> dict[str, int]:
    """The same for each game; `versions` are all versions of the club's house rules. One query."""
    box = club_accounts.held(club.pk, Account.Kind.BOX)
    newest = {
        house_rules.game: house_rules for house_rules in sorted(versions, key=lambda house_rules: house_rules.version)
    }
    return {
        game: _whole_coins(box, newest.get(game) or HouseRules(club=club, game=game)) for game in engine_bridge.GAMES
    }


def _whole_coins(box: int, rules: HouseRules) -> int:
    coin = int(engine_bridge.house_rules(rules.game, rules.values)["coin"])
    return max(box, 0) // coin * coin


def _carry_from_box(table: Table, author: User | None, *, may_be_empty: bool) -> None:
    """Move coins from the box into the table's pot. The caller has locked the club's row."""
    evening = table.evening
    amount = _whole_coins(club_accounts.held(evening.club_id, Account.Kind.BOX), evening.house_rules)
    if amount == 0 and may_be_empty:
        return
    if amount == 0:
        raise Refused(
            status=409,
            code="carry",
            sentence=_("What was left from the last evening is in another pot by now. Check the page again."),
        )
    box = club_accounts.account_of(evening.club_id, Account.Kind.BOX)
    happening = uuid.uuid4()
    posting = ledger.post(
        event=ledger.Event(evening=evening, source=happening, revision=1, author=author),
        moves=[ledger.Move(box.pk, table.pot_account_id, amount, Transfer.Kind.MOVED)],
    )
    Happening.objects.create(
        id=happening,
        table=table,
        after=0,
        kind=Happening.Kind.CARRIED,
        data={"amount": amount},
        posting=posting,
        author=author,
    )
    table.pot_minor = table.moved_minor = amount
    table.save(update_fields=["pot_minor", "moved_minor"])


def _sitting(entry: str) -> Sitting:
    kind, rest = entry[:1], entry[1:].strip()
    if kind == "p" and rest.isdecimal() and len(rest) < 19:
        return Sitting(player_id=int(rest), nickname=None)
    if kind == "g" and 0 < len(rest) <= MAX_NICKNAME and rest.isprintable():
        return Sitting(player_id=None, nickname=rest)
    raise Refused(
        status=422,
        code="seating",
        sentence=_("A guest needs a nickname of at most %(max)d characters.") % {"max": MAX_NICKNAME},
        at="seating",
    )


def _check_seating(game: str, seating: Sequence[str], first_dealer: str) -> None:
    problem = None
    if game not in engine_bridge.GAMES:
        raise Refused(status=422, code="game", sentence=_("There is no such game."), at="game")
    least, most = engine_bridge.SEATS[game]
    if not least <= len(seating) <= most:
        problem = game_of(game).records.wrong_number(len(seating))
    elif len({entry.casefold() for entry in seating}) < len(seating):
        problem = _("Somebody is named twice.")
    elif first_dealer not in seating:
        problem = _("Say who deals first; it must be one of those who are here.")
    if problem:
        raise Refused(status=422, code="seating", sentence=problem, at="seating")


def _players(
    club: Club, sitting: Sequence[Sitting], author: User | None, *, known_guests: bool = False
) -> list[Player]:
    """The players by seat; a guest gets a new player, with `known_guests` only if nobody has the nickname. Raises
    Refused for a player of another club."""
    sitting = [_as_known(club, person) for person in sitting] if known_guests else sitting
    wanted = [s.player_id for s in sitting if s.player_id is not None]
    # A player merged into another one takes the seat as the main player.
    people = Player.objects.filter(club=club, pk__in=wanted).select_related("main")
    known = {player.pk: player.main or player for player in people}
    listed = [known[pk].pk for pk in wanted if pk in known]
    if len(set(listed)) < len(listed):
        raise Refused(status=422, code="seating", sentence=_("Somebody is named twice."), at="seating")
    players = []
    for place, person in enumerate(sitting):
        if person.player_id is None:
            nickname = free_nickname(club.pk, str(person.nickname)) if known_guests else str(person.nickname)
            players.append(player_store(Player(club=club, nickname=nickname, guest=True), author))
        elif person.player_id in known:
            players.append(known[person.player_id])
        else:
            raise unknown_player(person.player_id, f"seating[{place}].player", code="seating")
    return players


def _as_known(club: Club, person: Sitting) -> Sitting:
    """The player of the club whom the guest's nickname names; the guest if there is none."""
    player = player_called(club.pk, str(person.nickname)) if person.player_id is None else None
    return person if player is None else Sitting(player_id=player.pk, nickname=None)


def _next_number(season: Season) -> int:
    # The lock on the season's row gives two evenings begun at once different numbers.
    lock_open(season.pk)
    last: int | None = Evening.objects.filter(season=season).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


@contextmanager
def _names_are_free() -> Iterator[None]:
    """Refuse a guest's name that another player has."""
    try:
        yield
    except (NameTaken, IntegrityError) as fault:
        if isinstance(fault, IntegrityError) and "nickname" not in str(fault):
            raise
        raise _named_twice() from fault


def _named_twice() -> Refused:
    return Refused(
        status=422,
        code="seating",
        sentence=_("A guest has the nickname of somebody in the roster. Tick that player, or choose another nickname."),
        at="seating",
    )
