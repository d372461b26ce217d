"""The podium on the big screen: the places that the desk has revealed, from the last one to the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..podium import may_be_revealed, revealed_in_order
from .selectors import Room, amount


class _WholeRoom(Room):
    """The tournament with its last round, which the others still hide."""

    @property
    def hides_last(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Winner:
    """An entrant or a team on the podium; `members`: the names of a team."""

    rank: int
    name: str
    total: str
    members: str = ""


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A rank of the podium. It has no winners before it is `shown`; `new`: the one that was revealed last."""

    rank: int
    shown: bool
    new: bool
    winners: Sequence[Winner] = ()


def podium(room: Room) -> list[PodiumPlace]:
    """Return the places of the podium by rank; none while it is not revealed."""
    step = room.tournament.reveal_step
    if step is None or not may_be_revealed(room.tournament, room.current):
        return []
    whole = _WholeRoom(room.tournament, room.access, in_hall=room.names_shown)
    winners = list(_winners(whole))
    places = [
        PodiumPlace(
            rank=rank,
            shown=place < step,
            new=place == step - 1,
            winners=[winner for winner in winners if winner.rank == rank] if place < step else (),
        )
        for place, rank in enumerate(revealed_in_order(winner.rank for winner in winners))
    ]
    return places[::-1]


def _winners(room: Room) -> Iterator[Winner]:
    for team in room.teams:
        yield Winner(team.rank, team.name, team.text, ", ".join(member.name for member in team.members))
    if not room.teams:
        for ranked in room.ranking:
            if not ranked.line.withdrawn:
                yield Winner(ranked.line.rank, ranked.person.name, amount(room.format, ranked.line.total))
