"""Two players who turned out to be one person, and two who are two after all.

Nothing that was played changes: the hands keep the name under which they were played, the ledger its accounts. While
two are one person, standings, statistics and balances count what the one did for the other (`Player.main`). The rows of
`PlayerMerge` are the truth, append-only; `main` follows from them. Taking two apart gives what was there before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from .. import audit, standings
from ..audit import What
from ..errors import Refused
from ..marks import raise_mark
from ..models import Balance, Club, Player, PlayerMerge, ResultRow, Season, Standing, User
from ..roles import lock_club
from .person import person_of

MAX_REASON = 200

Together = Callable[[Collection[int], int], str]
"""Given the players of one person and another player: a sentence that says where the two sat at one table at once, or
nothing. The league knows no seats; whoever does says so here."""
met_at: list[Together] = []


# --- Who is whom -------------------------------------------------------------------------------------------


def mains(club_id: int, at: datetime | None = None) -> dict[int, int]:
    """Player → the player for whom they count, of those who are one person with another; `at` an earlier time.

    One query.
    """
    if at is None:
        merged = Player.objects.filter(club_id=club_id, main__isnull=False)
        return dict(merged.values_list("pk", "main_id"))
    told = PlayerMerge.objects.filter(club_id=club_id, created_at__lte=at).order_by("created_at")
    return main_by(told.values_list("player_id", "main_id", "joined"))


def main_by(told: Iterable[tuple[int, int, bool]]) -> dict[int, int]:
    """Player → main from rows (player, main, joined), oldest first: the newest of a player holds."""
    found: dict[int, int] = {}
    for player, main, joined in told:
        if joined:
            found[player] = main
        else:
            found.pop(player, None)
    return found


def differences() -> Iterable[str]:
    """Players whose `main` is not what the newest row about them says, and persons with more than one account, a
    sentence each."""
    told = PlayerMerge.objects.order_by("created_at").values_list("player_id", "main_id", "joined")
    due = main_by(told)
    stored = dict(Player.objects.filter(main__isnull=False).values_list("pk", "main_id"))
    for player in sorted(due.keys() | stored.keys()):
        if due.get(player) != stored.get(player):
            yield f"player {player}: counts for {stored.get(player)} instead of {due.get(player)}"
    yield from _two_accounts()


def _two_accounts() -> Iterable[str]:
    tied = Player.objects.filter(user__isnull=False).annotate(root=Coalesce("main_id", "pk")).order_by("pk")
    accounts: dict[int, set[int]] = {}
    for root, user in tied.values_list("root", "user_id"):
        accounts.setdefault(root, set()).add(user)
    for root, users in sorted(accounts.items()):
        if len(users) > 1:
            yield f"player {root}: one person with the accounts {', '.join(map(str, sorted(users)))}"


def rebuild(club_id: int) -> None:
    """Set every player's `main` anew from the rows. The caller holds the transaction."""
    told = PlayerMerge.objects.filter(club_id=club_id).order_by("created_at")
    due = main_by(told.values_list("player_id", "main_id", "joined"))
    for player in Player.objects.filter(Q(main__isnull=False) | Q(pk__in=due), club_id=club_id):
        if player.main_id != due.get(player.pk):
            Player.objects.filter(pk=player.pk).update(main=due.get(player.pk))


# --- Joining and parting -----------------------------------------------------------------------------------


@transaction.atomic
def players_merge(*, club: Club, player: Player, main: Player, reason: str, actor: User | None) -> PlayerMerge:
    """From now on what `player` did counts for `main`. The same again gives the same row.

    Raises:
        Refused: 404 for a player who is not of this club; 409 where the two cannot be one person, with why; 422 without
            a reason.
    """
    lock_club(club.pk)
    one, other = _both(club, player, main)
    if one.main_id == other.pk:
        return PlayerMerge.objects.filter(player=one, joined=True).latest("created_at")
    reason = _reason(reason)
    check(one, other)
    merge = PlayerMerge.objects.create(club=club, player=one, main=other, author=actor, reason=reason)
    Player.objects.filter(pk=one.pk).update(main=other)
    _recount(one)
    data: audit.Data = {"main": other.pk}
    audit.write(What.PLAYERS_MERGED, club=club, actor=actor, about=f"player:{one.pk}", data=data)
    return merge


@transaction.atomic
def players_part(*, club: Club, player: Player, reason: str, actor: User | None) -> PlayerMerge:
    """They are two after all: everything counts as before they were taken for one.

    Raises:
        Refused: 404 for a player who is not of this club; 409 for one who counts for nobody else; 422 without a reason.
    """
    lock_club(club.pk)
    one = _of_club(club, player)
    if one.main_id is None:
        said = _("%(player)s counts for nobody else.") % {"player": one.nickname}
        raise Refused(status=409, code="apart", sentence=said)
    reason = _reason(reason)
    main_id = one.main_id
    merge = PlayerMerge.objects.create(
        club=club, player=one, main_id=main_id, joined=False, author=actor, reason=reason
    )
    Player.objects.filter(pk=one.pk).update(main=None)
    _recount(one)
    data: audit.Data = {"main": main_id}
    audit.write(What.PLAYERS_PARTED, club=club, actor=actor, about=f"player:{one.pk}", data=data)
    return merge


def check(player: Player, main: Player) -> None:
    """Whether the two can be one person, by what is stored. Raises Refused (409) with the reason why not."""
    names = {"player": player.nickname, "main": main.nickname}
    problem = ""
    if player.pk == main.pk:
        problem = _("Choose two different players.")
    elif player.main_id is not None:
        problem = _("%(player)s counts for somebody else already. Take those two apart first.") % names
    elif main.main_id is not None:
        problem = _("%(main)s counts for somebody else. Choose that player.") % names
    elif player.others.exists():
        problem = (
            _("Others count for %(player)s. Let %(player)s be the one who stays, or take them apart first.") % names
        )
    elif player.anonymised_at is not None or main.anonymised_at is not None:
        problem = _("One of the two was forgotten; nobody can tell any more who it was.")
    elif player.user_id is not None and _accounts(main) - {player.user_id}:
        problem = _("%(player)s and %(main)s belong to two people with an account each.") % names
    if problem:
        raise Refused(status=409, code="merge", sentence=problem, at="main")
    person = [main.pk, *main.others.values_list("pk", flat=True)]
    for together in met_at:
        sentence = together(person, player.pk)
        if sentence:
            raise Refused(status=409, code="together", sentence=sentence, at="main")


def _accounts(main: Player) -> set[int]:
    """Of the player and all who count for that one."""
    tied = Player.objects.filter(person_of(main), user__isnull=False).order_by()
    return set(tied.values_list("user_id", flat=True))


def _both(club: Club, player: Player, main: Player) -> tuple[Player, Player]:
    return _of_club(club, player), _of_club(club, main)


def _of_club(club: Club, player: Player) -> Player:
    found = Player.objects.filter(club=club, pk=player.pk).first()
    if found is None:
        raise Refused(status=404, code="player", sentence=_("There is no such player in this club."), at="player")
    return found


def _reason(reason: str) -> str:
    reason = reason.strip()[:MAX_REASON]
    if not reason or "\0" in reason:
        sentence = _("Say why: it is kept with what you do here.")
        raise Refused(status=422, code="reason", sentence=sentence, at="reason")
    return reason


def _seasons(player: Player) -> list[int]:
    """Seasons in which the player has a hand or a part of a pot."""
    rows = ResultRow.objects.filter(player=player).order_by().values_list("season_id", flat=True)
    return sorted(set(rows.distinct()))


def _recount(player: Player) -> None:
    for season_id in _seasons(player):
        raise_mark(season_id)


# --- What it would change ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A line of a season's standings; None for one that is not there. In a season of points alone it has no balance."""

    rank: int
    points: int
    balance_minor: int | None
    hands: int


@dataclass(frozen=True)
class Change:
    """Somebody whose line is another one afterwards."""

    player_id: int
    nickname: str
    before: Line | None
    after: Line | None


@dataclass(frozen=True)
class SeasonChange:
    """A season that counts otherwise afterwards; those whose line changes, in the order of the ranking after it."""

    season: Season
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Preview:
    """What taking two for one person changes. Balances in Rappen, over all seasons with amounts: of the one who goes,
    of the one who stays, and of that one afterwards."""

    player: Player
    main: Player
    seasons: tuple[SeasonChange, ...]
    player_minor: int
    main_minor: int

    @property
    def after_minor(self) -> int:
        """What the one who stays has then."""
        return self.player_minor + self.main_minor


def merge_preview(*, club: Club, player: Player, main: Player) -> Preview:
    """What `players_merge` would change. It is counted in a transaction that is taken back, so it is exactly that.

    Raises:
        Refused: as `players_merge` does, but for the reason.
    """
    one, other = _both(club, player, main)
    check(one, other)
    seasons = list(Season.objects.filter(pk__in=_seasons(one)).order_by("-starts_on", "-pk"))
    with transaction.atomic():
        # Counted anew before as well: what waits to be counted is no part of the change.
        before = {season.pk: _counted(season) for season in seasons}
        Player.objects.filter(pk=one.pk).update(main=other)
        after = {season.pk: _counted(season) for season in seasons}
        transaction.set_rollback(True)
    changes = [SeasonChange(season, _changes(before[season.pk], after[season.pk])) for season in seasons]
    return Preview(one, other, tuple(changes), _balance([one.pk]), _balance([other.pk, *_others(other)]))


def _others(main: Player) -> list[int]:
    return list(main.others.values_list("pk", flat=True))


def _balance(players: Sequence[int]) -> int:
    # In points alone nothing is settled, and its amounts are nobody's to see.
    rows = Balance.objects.filter(account__player__in=players, season__points_only=False)
    return int(rows.aggregate(s=Sum("balance_minor"))["s"] or 0)


def _counted(season: Season) -> dict[int, tuple[str, Line]]:
    standings.recount(season)
    rows = Standing.objects.filter(season=season).select_related("player")
    return {row.player_id: (row.player.nickname, _line(row, season)) for row in rows}


def _line(row: Standing, season: Season) -> Line:
    return Line(row.rank, row.points, None if season.points_only else row.balance_minor, row.hands)


def _changes(before: Mapping[int, tuple[str, Line]], after: Mapping[int, tuple[str, Line]]) -> tuple[Change, ...]:
    names = {player: name for lines in (before, after) for player, (name, _line) in lines.items()}
    found = []
    for player, name in names.items():
        was, now = (lines[player][1] if player in lines else None for lines in (before, after))
        if was != now:
            found.append(Change(player, name, was, now))
    return tuple(sorted(found, key=lambda one: (one.after is None, one.after.rank if one.after else 0, one.nickname)))
