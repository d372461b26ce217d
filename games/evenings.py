"""Beginning an evening: who is here, who sits where, who deals first, and the house rules as they stand tonight."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import ledger
from league.models import Account, Club, Evening, HouseRules, Player, Season, Transfer, User
from league.roster.services import player_store
from league.submissions import Repeated, submit

from . import logged, recording
from .closing import pots
from .errors import Refused, key_reused
from .models import Happening, Place, Table

MAX_NICKNAME = 40


@dataclass(frozen=True)
class Sitting:
    """Somebody in the seating order: a player of the roster, or a guest who gets a player by this."""

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
    game: str = recording.GAME,
    carry: bool = False,
) -> Table:
    """Open an evening of one game with one table; with a `key` once, however often it is asked for.

    `seating` is the order of play, an entry each: "p" and a player's id, or "g" and a guest's nickname; `first_dealer`
    is one of them. The evening keeps the club's newest house rules of that game. With `carry` what lies in the club's
    box from an earlier evening comes into the pot, in whole coins.

    Raises:
        Refused: 422 where there is no such game, where the seats are too few, too many or no different players of this
            club, or where the key was used for another evening; 409 where nothing to carry lies in the box any more.
    """
    # What lies in the box is money; a season in points alone begins with an empty pot.
    carry = carry and not season.points_only
    sitting = [_sitting(entry) for entry in seating]
    _check_seating(game, seating, first_dealer)
    asked = ["evening", season.pk, list(seating), first_dealer, str(held_on), game, *(["carry"] if carry else [])]
    digest = recording.body_hash(asked)
    try:
        with transaction.atomic():
            claimed = submit(club_id=club.pk, key=key, body_hash=digest, author=author) if key else None
            if carry:
                pots.lock_club(club.pk)
            players = _players(club, sitting, author)
            ledger.purses(club.pk, [player.pk for player in players])
            evening = Evening.objects.create(
                club=club,
                season=season,
                number=_next_number(season),
                held_on=held_on,
                game=game,
                house_rules=house_rules_of(club, game),
                opened_by=author,
                submission=claimed,
            )
            table = table_open(
                evening=evening,
                players=players,
                first_dealer=players[list(seating).index(first_dealer)],
                number=1,
            )
            if carry:
                _carry(table, author)
            logged.evening_begun(evening)
    except Repeated as repeated:
        return _same_evening(repeated, digest)
    except IntegrityError as fault:
        raise _named_twice(fault) from fault
    return table


def carried(club: Club, game: str) -> int:
    """What an evening of this game would find in the pot from an earlier one, in Rappen: what lies in the club's box,
    in whole coins."""
    box = pots.held(club.pk, Account.Kind.BOX)
    if box <= 0:
        return 0
    newest = HouseRules.objects.filter(club=club, game=game).order_by("-version").first()
    coin = int(recording.house_rules(game, newest.values if newest else {})["coin"])
    return box // coin * coin


def _carry(table: Table, author: User | None) -> None:
    """From the box into the table's pot. The club's row is locked."""
    evening = table.evening
    amount = carried(evening.club, evening.game)
    if amount == 0:
        raise Refused(
            status=409,
            code="carry",
            sentence=_("What lay there from the last evening is in another pot by now. Look at the page again."),
        )
    box = pots.account_of(evening.club_id, Account.Kind.BOX)
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


def _same_evening(repeated: Repeated, digest: str) -> Table:
    """The table that the first use of the key opened. Raises Refused (422) where the request is another one."""
    table = Table.objects.filter(evening__submission=repeated.submission).order_by("number").first()
    if table is None or repeated.submission.body_hash != digest:
        raise key_reused()
    return table


def table_open(*, evening: Evening, players: Sequence[Player], first_dealer: Player, number: int) -> Table:
    """A table with an empty pot. The caller holds the transaction."""
    pot = ledger.open_account(club_id=evening.club_id, kind=Account.Kind.POT)
    table = Table.objects.create(
        evening=evening, number=number, pot_account=pot, first_dealer=first_dealer, dealer=first_dealer
    )
    Place.objects.bulk_create(Place(table=table, seat=seat, player=player) for seat, player in enumerate(players))
    return table


def last_game(club: Club) -> str:
    """The game of the club's newest evening; Chratze where there was none."""
    newest = Evening.objects.filter(club=club).order_by("-held_on", "-pk").values_list("game", flat=True).first()
    return newest or recording.GAME


def house_rules_of(club: Club, game: str) -> HouseRules:
    """The newest version of the club's house rules; a club that never set any gets the game's defaults as version 1."""
    newest = HouseRules.objects.filter(club=club, game=game).order_by("-version").first()
    return newest or HouseRules.objects.create(club=club, game=game, version=1)


def house_rules_set(*, club: Club, game: str, values: Mapping[str, Any], author: User | None) -> HouseRules:
    """The next version of a club's house rules; it takes effect with the next evening.

    Raises:
        Refused: 422 (R4) for an unknown rule or a value it cannot take.
    """
    try:
        recording.house_rules(game, values)
    except recording.Fault as fault:
        raise Refused(status=422, code=fault.clause, sentence=str(fault), at=fault.at) from fault
    newest = HouseRules.objects.filter(club=club, game=game).aggregate(last=Max("version"))["last"] or 0
    return HouseRules.objects.create(club=club, game=game, version=newest + 1, values=dict(values), author=author)


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
    if game not in recording.GAMES:
        raise Refused(status=422, code="game", sentence=_("There is no such game."), at="game")
    least, most = recording.SEATS[game]
    if not least <= len(seating) <= most:
        count = len(seating)
        said = (
            ngettext(
                "Kratzen is for three to six players; %(count)d is ticked.",
                "Kratzen is for three to six players; %(count)d are ticked.",
                count,
            )
            if game == recording.KRATZEN
            else ngettext(
                "Chratze is for two to seven players; %(count)d is ticked.",
                "Chratze is for two to seven players; %(count)d are ticked.",
                count,
            )
        )
        problem = said % {"count": count}
    elif len({entry.casefold() for entry in seating}) < len(seating):
        problem = _("Somebody is named twice.")
    elif first_dealer not in seating:
        problem = _("Say who deals first; it must be one of those who are here.")
    if problem:
        raise Refused(status=422, code="seating", sentence=problem, at="seating")


def _players(club: Club, sitting: Sequence[Sitting], author: User | None) -> list[Player]:
    """The players by seat; guests get one. Raises Refused for a player who is not of this club."""
    wanted = [s.player_id for s in sitting if s.player_id is not None]
    # Whoever counts for somebody else by now sits down as that one.
    found = Player.objects.filter(club=club, pk__in=wanted).select_related("main")
    known = {player.pk: player.main or player for player in found}
    if len({player.pk for player in known.values()}) < len(known):
        raise Refused(status=422, code="seating", sentence=_("Somebody is named twice."), at="seating")
    players = []
    for one in sitting:
        if one.nickname is not None:
            players.append(player_store(Player(club=club, nickname=one.nickname, guest=True), author))
        elif one.player_id in known:
            players.append(known[one.player_id])
        else:
            raise Refused(
                status=422,
                code="seating",
                sentence=_("One of the players is not in this club."),
                at="seating",
            )
    return players


def _next_number(season: Season) -> int:
    # The season's row is locked, so that two evenings begun at once get two numbers.
    Season.objects.select_for_update().get(pk=season.pk)
    last: int | None = Evening.objects.filter(season=season).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _named_twice(fault: IntegrityError) -> Exception:
    if "player_nickname_once_a_club" not in str(fault) and "nickname" not in str(fault):
        return fault
    return Refused(
        status=422,
        code="seating",
        sentence=_("A guest has the nickname of somebody in the roster. Tick that player, or choose another nickname."),
        at="seating",
    )
