"""Merging players into one person, and unmerging them.

Hands and ledger accounts do not change: they keep the player under whose name they were stored. While players are
merged, standings, statistics and balances count the results of a player for `Player.main`. The append-only rows of
`PlayerMerge` are the truth, `Player.main` is derived from them: where Änni was merged into Anna and Anna into Anna
Meier, both count for Anna Meier. Unmerging gives exactly the counts from before: without the second merge Änni counts
for Anna again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from .. import audit
from ..access.persons import main_by_player, merged_into, person_of
from ..attendance.services import answers_move
from ..audit import What
from ..errors import Refused, unknown_player
from ..ledger.season_mark import mark_for_recount
from ..locks import lock_club
from ..models import (
    Balance,
    Club,
    Player,
    PlayerMerge,
    ResultRow,
    Season,
    SeasonAdjustment,
    SeasonAward,
    Standing,
    TeamStay,
    User,
)
from ..player_messages.choices import messages_move
from ..player_messages.push_devices import devices_move
from ..standings import counting
from ..standings.closed_seasons import check_evenings_open
from ..standings.formula.inputs import formula_of
from .cup_lists import listed_move

MAX_REASON = 200

SeatedTogetherCheck = Callable[[Collection[int], int], str]
"""Takes the players of one person and another player. Returns a sentence that names a table at which both sat at the
same time, or a tournament in which both play, else an empty text."""
seated_together_checks: list[SeatedTogetherCheck] = []
"""Filled by tournaments, and by the games, as the league knows no seats."""


# --- Checks -------------------------------------------------------------------------------------------------


def differences() -> Iterable[str]:
    """Yield a sentence for each player whose `main` differs from the newest merge, and for each person with more than
    one account."""
    expected = main_by_player(PlayerMerge.objects.order_by("created_at").values_list("player_id", "main_id", "joined"))
    stored = dict(Player.objects.filter(main__isnull=False).values_list("pk", "main_id"))
    for player in sorted(expected.keys() | stored.keys()):
        if expected.get(player) != stored.get(player):
            yield f"player {player}: counts for {stored.get(player)} instead of {expected.get(player)}"
    yield from _persons_with_two_accounts()


def _persons_with_two_accounts() -> Iterable[str]:
    tied = Player.objects.filter(user__isnull=False).annotate(root=Coalesce("main_id", "pk")).order_by("pk")
    accounts: dict[int, set[int]] = {}
    for root, user in tied.values_list("root", "user_id"):
        accounts.setdefault(root, set()).add(user)
    for root, users in sorted(accounts.items()):
        if len(users) > 1:
            yield f"player {root}: one person with the accounts {', '.join(map(str, sorted(users)))}"


def rebuild(club_id: int) -> None:
    """Set `main` of every player of a club from the merges. The caller holds the transaction."""
    expected = main_by_player(_merges(club_id))
    for player in Player.objects.filter(Q(main__isnull=False) | Q(pk__in=expected), club_id=club_id):
        if player.main_id != expected.get(player.pk):
            Player.objects.filter(pk=player.pk).update(main=expected.get(player.pk))


# --- Merging and unmerging ---------------------------------------------------------------------------------


@transaction.atomic
def players_merge(*, club: Club, player: Player, main: Player, reason: str, actor: User | None) -> PlayerMerge:
    """Count the results of `player`, and of those who count for that player, for `main` from now on. The same merge
    again returns the stored row.

    Raises:
        Refused: 404 for a player who is not in this club; 409 where the two cannot be one person, or for a player with
            a line in a closed season; 422 without a reason.
    """
    lock_club(club.pk)
    duplicate, other = _both(club, player, main)
    if duplicate.main_id == other.pk and (stored := newest_merge(duplicate)):
        return stored
    reason = _reason(reason)
    check(duplicate, other)
    _check_seasons_open(duplicate)
    merge = PlayerMerge.objects.create(club=club, player=duplicate, main=other, author=actor, reason=reason)
    rebuild(club.pk)
    answers_move(player=duplicate, main=other)
    messages_move(player=duplicate, main=other)
    devices_move(player=duplicate, main=other)
    listed_move(player=duplicate, main=other)
    _recount(duplicate)
    # That locked the seasons: nobody has closed one of them meanwhile, and nobody can until the end.
    _check_seasons_open(duplicate)
    data: audit.Data = {"main": other.pk}
    audit.write(What.PLAYERS_MERGED, club=club, actor=actor, about=f"player:{duplicate.pk}", data=data)
    return merge


@transaction.atomic
def players_unmerge(*, club: Club, player: Player, reason: str, actor: User | None) -> PlayerMerge:
    """Count the results of `player` for that player again, as before the merge, and those of the players who came
    along with it.

    Raises:
        Refused: 404 for a player who is not in this club; 409 for a player who is not merged, or with a line in a
            closed season; 422 without a reason.
    """
    lock_club(club.pk)
    duplicate = _of_club(club, player)
    if duplicate.main_id is None:
        sentence = _("%(player)s counts for nobody else.") % {"player": duplicate.nickname}
        raise Refused(status=409, code="apart", sentence=sentence)
    reason = _reason(reason)
    _check_seasons_open(duplicate)
    newest = newest_merge(duplicate)
    main_id = newest.main_id if newest else duplicate.main_id
    merge = PlayerMerge.objects.create(
        club=club, player=duplicate, main_id=main_id, joined=False, author=actor, reason=reason
    )
    rebuild(club.pk)
    _recount(duplicate)
    # That locked the seasons: nobody has closed one of them meanwhile, and nobody can until the end.
    _check_seasons_open(duplicate)
    data: audit.Data = {"main": main_id}
    audit.write(What.PLAYERS_PARTED, club=club, actor=actor, about=f"player:{duplicate.pk}", data=data)
    return merge


def newest_merge(player: Player) -> PlayerMerge | None:
    """The merge of a merged player. Its `main` may have been merged further since."""
    merges = PlayerMerge.objects.filter(player=player, joined=True).select_related("main")
    return merges.order_by("created_at").last()


def those_along(player: Player) -> list[Player]:
    """The players who come along where this one is merged or unmerged, by name: those merged into it, and into them."""
    into = merged_into(_merges(player.club_id))
    keys, size = {player.pk}, 0
    while size < len(keys):
        size = len(keys)
        keys |= {merged for merged, other in into.items() if other in keys}
    return list(Player.objects.filter(pk__in=keys - {player.pk}).order_by("nickname", "pk"))


def _merges(club_id: int) -> Iterable[tuple[int, int, bool]]:
    merges = PlayerMerge.objects.filter(club_id=club_id).order_by("created_at")
    return merges.values_list("player_id", "main_id", "joined")


def check(player: Player, main: Player) -> None:
    """Check that the two can be one person. Raises Refused (409) with the reason as a sentence."""
    names = {"player": player.nickname, "main": main.nickname}
    problem = ""
    if player.pk == main.pk:
        problem = _("Choose two different players.")
    elif player.main_id is not None:
        problem = _("%(player)s already counts for somebody else. Separate those two first.") % names
    elif main.main_id is not None:
        problem = _("%(main)s counts for somebody else. Choose that player.") % names
    elif player.anonymised_at is not None or main.anonymised_at is not None:
        problem = _("One of the two was forgotten; nobody can say any more who it was.")
    elif (accounts := _accounts(player)) and _accounts(main) - accounts:
        problem = _("%(player)s and %(main)s belong to two people with an account each.") % names
    if problem:
        raise Refused(status=409, code="merge", sentence=problem, at="main")
    person = [main.pk, *_others(main)]
    for seated_together in seated_together_checks:
        for player_id in (player.pk, *_others(player)):
            sentence = seated_together(person, player_id)
            if sentence:
                raise Refused(status=409, code="together", sentence=sentence, at="main")


def _accounts(player: Player) -> set[int]:
    """Return the accounts of all players of the same person."""
    tied = Player.objects.filter(person_of(player), user__isnull=False).order_by()
    return set(tied.values_list("user_id", flat=True))


def _both(club: Club, player: Player, main: Player) -> tuple[Player, Player]:
    return _of_club(club, player), _of_club(club, main)


def _of_club(club: Club, player: Player) -> Player:
    fresh = Player.objects.filter(club=club, pk=player.pk).first()
    if fresh is None:
        raise unknown_player(player.pk, "player", status=404)
    return fresh


def _reason(reason: str) -> str:
    reason = reason.strip()[:MAX_REASON]
    if not reason or "\0" in reason:
        sentence = _("Give a reason: it is kept.")
        raise Refused(status=422, code="reason", sentence=sentence, at="reason")
    return reason


def _check_seasons_open(player: Player) -> None:
    """Check that no closed season has the player in its final standings, or one who comes along.

    Raises:
        Refused: 409 with the name of the season.
    """
    closed = list(Season.objects.filter(club=player.club_id, closed_at__isnull=False).order_by("pk"))
    if not closed:
        return
    concerned = set(_seasons(player))
    players = {player.pk, *(merged.pk for merged in those_along(player))}
    for season in closed:
        # A formula may name the player without any row.
        named = players & {player_id for player_id, _points in formula_of(season).handicap}
        if named or season.pk in concerned:
            check_evenings_open(season)


def _seasons(player: Player, *more: QuerySet[Any, int]) -> list[int]:
    """Return the seasons in which the player, or one who comes along, has result rows or points of another kind."""
    players = [player, *those_along(player)]
    models = (ResultRow, SeasonAward, SeasonAdjustment, TeamStay)
    rows, *others = (
        model._default_manager.filter(player__in=players).order_by().values_list("season_id", flat=True)
        for model in models
    )
    return sorted(rows.union(*others, *more))


def _recount(player: Player) -> None:
    # A formula may name the player without any row.
    formulas = Season.objects.filter(club=player.club_id, formula_version__isnull=False).order_by()
    mark_for_recount(*_seasons(player, formulas.values_list("pk", flat=True)))


# --- Preview -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeasonLine:
    """A player's line in the standings of a season, without `rank` for a player who is not ranked. In a season of
    points only it has no balance."""

    rank: int | None
    points: int
    balance_minor: int | None
    hands: int


@dataclass(frozen=True)
class Change:
    """A player whose line changes; `before` or `after` is None if there is no line."""

    player_id: int
    nickname: str
    before: SeasonLine | None
    after: SeasonLine | None


@dataclass(frozen=True)
class SeasonChange:
    """The players of a season whose lines change, in the order of the ranking after the merge."""

    season: Season
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Preview:
    """The changes by a merge. `player_minor` is the balance of the merged player and of those who come along
    (`along`), `main_minor` that of the main player before the merge, both in Rappen over all seasons with amounts."""

    player: Player
    main: Player
    along: tuple[Player, ...]
    seasons: tuple[SeasonChange, ...]
    player_minor: int
    main_minor: int

    @property
    def after_minor(self) -> int:
        """The balance of the main player after the merge."""
        return self.player_minor + self.main_minor


def merge_preview(*, club: Club, player: Player, main: Player) -> Preview:
    """Count the changes by `players_merge`, in a transaction that is rolled back.

    Raises:
        Refused: as `players_merge` does, except for a missing reason.
    """
    duplicate, other = _both(club, player, main)
    check(duplicate, other)
    seasons = list(Season.objects.filter(pk__in=_seasons(duplicate)).order_by("-starts_on", "-pk"))
    with transaction.atomic():
        # Recount before the merge, too: results that wait to be counted are no part of the change.
        before = {season.pk: _counted(season) for season in seasons}
        Player.objects.filter(person_of(duplicate)).update(main=other)
        after = {season.pk: _counted(season) for season in seasons}
        transaction.set_rollback(True)
    changes = [SeasonChange(season, _changes(before[season.pk], after[season.pk])) for season in seasons]
    player_minor, main_minor = (_balance([each.pk, *_others(each)]) for each in (duplicate, other))
    return Preview(duplicate, other, tuple(those_along(duplicate)), tuple(changes), player_minor, main_minor)


def _others(main: Player) -> list[int]:
    return list(main.others.values_list("pk", flat=True))


def _balance(players: Sequence[int]) -> int:
    # In a season of points only nothing is paid, and nobody may see its amounts.
    rows = Balance.objects.filter(account__player__in=players, season__points_only=False)
    return int(rows.aggregate(s=Sum("balance_minor"))["s"] or 0)


def _counted(season: Season) -> dict[int, tuple[str, SeasonLine]]:
    counting.recount(season)
    rows = Standing.objects.filter(season=season).select_related("player")
    return {row.player_id: (row.player.nickname, _line(row, season)) for row in rows}


def _line(row: Standing, season: Season) -> SeasonLine:
    return SeasonLine(row.shown_rank, row.points, None if season.points_only else row.balance_minor, row.hands)


def _changes(
    before: Mapping[int, tuple[str, SeasonLine]], after: Mapping[int, tuple[str, SeasonLine]]
) -> tuple[Change, ...]:
    names = {player: name for lines in (before, after) for player, (name, _line) in lines.items()}
    changes = []
    for player, name in names.items():
        was, now = (lines[player][1] if player in lines else None for lines in (before, after))
        if was != now:
            changes.append(Change(player, name, was, now))
    return tuple(sorted(changes, key=_place))


def _place(change: Change) -> tuple[bool, bool, int, str]:
    """Order by the rank after the merge; players without a rank or a line come last."""
    rank = change.after.rank if change.after else None
    return change.after is None, rank is None, rank or 0, change.nickname
