"""Players side by side: their runs of evenings, and their shares of declaring, joining and staying out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..access import ClubAccess
from ..intervals import Share
from ..standings.nights import Night, by_player, current_run, evenings_won, longest_run
from ..standings.standing_lines import StandingLine
from ..web.game_terms import Terms
from .bands import WIDTH, Band, band, few_hands


@dataclass(frozen=True)
class Streaks:
    """A player's runs of evenings. `present` is the longest run of evenings with this player, `running` the one that
    still goes on."""

    player_id: int
    name: str
    mine: bool
    evenings: int
    won: int
    won_in_a_row: int
    present: int
    running: int


def streaks(access: ClubAccess, nights: Sequence[Night]) -> list[Streaks]:
    """Return the runs of all players, the players with the most won evenings first."""
    won = evenings_won(nights)
    rows = []
    for player, own in by_player(nights).items():
        is_won = [(night.evening_id, player) in won for night in own]
        rows.append(
            Streaks(
                player_id=player,
                name=access.names.show(player, own[0].nickname),
                mine=player in access.player_ids,
                evenings=sum(night.present for night in own),
                won=sum(is_won),
                won_in_a_row=longest_run(own, lambda night: (night.evening_id, night.player_id) in won).length,
                present=longest_run(own, lambda night: night.present).length,
                running=current_run(own, lambda night: night.present),
            )
        )
    return sorted(rows, key=lambda row: (-row.won, -row.evenings, row.name.casefold()))


@dataclass(frozen=True)
class Profile:
    """A player's decisions: the shares of declaring, joining and staying out, each with its interval and together as
    one bar, and the share of declared hands that were made: of joined ones where nobody declares (`declares` is None).
    `decided` is the number of hands in which the player decided; with too few there is no bar (`known`), and each share
    has its counts alone."""

    player_id: int
    name: str
    mine: bool
    decided: int
    known: bool
    declares: Band | None
    joins: Band
    out: Band
    made: Band
    join_x: float
    out_x: float

    @property
    def shares(self) -> tuple[Band, ...]:
        """The shares in the order of the columns."""
        bands = (self.declares, self.joins, self.out, self.made)
        return tuple(band for band in bands if band is not None)

    @property
    def join_width(self) -> float:
        """The width of the part for joining."""
        return round(self.out_x - self.join_x, 1)

    @property
    def out_width(self) -> float:
        """The width of the part for staying out."""
        return round(WIDTH - self.out_x, 1)


def profiles(access: ClubAccess, lines: Sequence[StandingLine], terms: Terms) -> list[Profile]:
    """Return the profile of each player with a decided hand, in the order of the standings."""
    return [_profile(access, line, terms) for line in lines if line.declared + line.joined + line.out]


def few_decided(profiles: Sequence[Profile]) -> str:
    """Return a sentence with the players who decided in too few hands."""
    return few_hands((profile.name, profile.shares[0]) for profile in profiles)


def _profile(access: ClubAccess, line: StandingLine, terms: Terms) -> Profile:
    decided = line.declared + line.joined + line.out
    declares, plays = Share(line.declared, decided), Share(line.declared + line.joined, decided)
    return Profile(
        player_id=line.player_id,
        name=access.names.show(line.player_id, line.nickname),
        mine=line.player_id in access.player_ids,
        decided=decided,
        known=declares.known,
        declares=band(declares) if terms.has_declarer else None,
        joins=band(Share(line.joined, decided)),
        out=band(Share(line.out, decided)),
        made=band(
            Share(line.declared_made, line.contested) if terms.has_declarer else Share(line.joined_made, line.joined)
        ),
        join_x=round(declares.permille * WIDTH / 1000, 1),
        out_x=round(plays.permille * WIDTH / 1000, 1),
    )
