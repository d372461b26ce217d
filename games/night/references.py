"""The players and tables that references of a write name: by ids, or by keys of earlier writes of the same club."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import Club, Player

from ..errors import Refused
from ..models import FirstSeat, Happening, Place, Table
from .writes import Fields, Ref, is_key

CHOICE_LISTS = ("hands", "changes")


@dataclass(frozen=True)
class Named:
    """A player as stored on the server."""

    player_id: int
    nickname: str


def table_named(club: Club, key: str) -> int:
    """The id of the table whose evening a write with this key has begun. One query.

    Raises:
        Refused: 409 `reference` if no write with this key has begun an evening of the club.
    """
    begun = Table.objects.filter(evening__club=club, evening__submission__key=key, evening__submission__club=club)
    table_id = begun.order_by("number").values_list("pk", flat=True).first()
    if table_id is None:
        raise unknown("table")
    return table_id


def unknown(path: str) -> Refused:
    """409: the write that a reference names is not stored."""
    sentence = _("This entry follows another one that is not here yet. That one has to arrive first.")
    return Refused(status=409, code="reference", sentence=sentence, at=path)


def known_players(club: Club, refs: Iterable[Ref]) -> dict[Ref, int]:
    """The players whom these references name, as far as they are known; an id names itself. Two queries, none if all
    are ids."""
    players: dict[Ref, int] = {}
    keys, places = set(), set()
    for ref in refs:
        if isinstance(ref, int):
            players[ref] = ref
        elif ":" in ref:
            places.add(ref)
        else:
            keys.add(ref)
    if keys:
        came = Happening.objects.filter(
            submission__club=club, submission__key__in=keys, kind=Happening.Kind.ARRIVED
        ).values_list("submission__key", "data")
        players |= {str(key): data["player"] for key, data in came}
    if places:
        begun = {ref.partition(":")[0] for ref in places}
        seats = FirstSeat.objects.filter(
            table__evening__submission__club=club, table__evening__submission__key__in=begun
        ).values_list("table__evening__submission__key", "seat", "player_id")
        by_place = {f"{key}:{seat}": player for key, seat, player in seats}
        players |= {ref: by_place[ref] for ref in places if ref in by_place}
    return players


def players_named(club: Club, refs: Mapping[str, Ref]) -> dict[Ref, int]:
    """The players whom the references of a write name; `refs` by their place in the write. Queries as `known_players`.

    Raises:
        Refused: 409 `reference` for a key that is not stored.
    """
    known = known_players(club, refs.values())
    for path, ref in refs.items():
        if ref not in known:
            raise unknown(path)
    return known


def as_seated(table: Table, players: Iterable[int]) -> dict[int, int]:
    """The player who sits at the table for each of `players`: a merged player is replaced by the main player. Players
    who do not sit there stay as they are. One query, three if somebody does not sit there."""
    seated = set(Place.objects.filter(table=table).values_list("player_id", flat=True))
    same = {player: player for player in players}
    absent = same.keys() - seated
    if absent:
        mains = {
            pk: main or pk
            for pk, main in Player.objects.filter(
                Q(pk__in=absent) | Q(pk__in=seated), club_id=table.evening.club_id
            ).values_list("pk", "main_id")
        }
        sits = {mains[pk]: pk for pk in seated}
        same |= {pk: sits.get(mains.get(pk, pk), pk) for pk in absent}
    return same


def names_of(players: Mapping[str, int]) -> dict[str, Named]:
    """The players by reference, with their nicknames. One query, none without players."""
    if not players:
        return {}
    names = dict(Player.objects.filter(pk__in=players.values()).values_list("pk", "nickname"))
    return {ref: Named(pk, names[pk]) for ref, pk in players.items() if pk in names}


def with_known_ids(club: Club, fields: Fields) -> dict[str, Any]:
    """The fields of a choice (`hands`, `changes`) with ids in place of the keys of players, as far as they are known.
    Two queries, none if all are ids."""
    sent = [choice for name in CHOICE_LISTS for choice in _objects(fields.get(name))]
    keys = {ref for choice in sent for ref in (*_listed(choice.get("players")), choice.get("dealer")) if is_key(ref)}
    known = known_players(club, keys)

    def player(ref: Any) -> Any:
        return known.get(ref, ref) if isinstance(ref, str) else ref

    def resolved(choice: Any) -> Any:
        if not isinstance(choice, Mapping):
            return choice
        players = (
            {"players": [player(ref) for ref in _listed(choice["players"])]} if _listed(choice.get("players")) else {}
        )
        return {**choice, **players, **({"dealer": player(choice["dealer"])} if "dealer" in choice else {})}

    lists = {name: [resolved(choice) for choice in fields[name]] for name in CHOICE_LISTS if _listed(fields.get(name))}
    return {**fields, **lists}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _objects(value: Any) -> list[Fields]:
    return [item for item in _listed(value) if isinstance(item, Mapping)]
