"""The public pages of tournaments on the screens, in a club of their own whose names are long and public."""

from __future__ import annotations

from playwright.sync_api import Page

from league.features.table import ALL
from league.models import Club, Membership, Player, Role, Tournament, User
from league.tournaments import entries, rounds, services
from tests.screens.screen import Screen
from tests.tournaments.played_tournaments import drawn_round, made_tournament, play_round, with_entrants

LONG_NAME = "Maximiliana-Theresia von Arx-Oberdorf"


def build(owner: User) -> None:
    """Create the club with a tournament of each state. No list shows it."""
    club = Club.objects.create(slug="kreuz", name="Kreuz Trub", visibility=Club.Visibility.UNLISTED, features=list(ALL))
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    _named(made_tournament(club, owner, minutes=40, drop_worst=1), "open", 9)
    _named(made_tournament(club, owner, minutes=40), "first", 46)
    drawn_round(Tournament.objects.get(club=club, slug="first"), owner)
    playing = _named(made_tournament(club, owner, minutes=40, rounds=4, drop_worst=1, least=4, most=4), "playing", 22)
    play_round(playing, owner, seed=1)
    entries.substitute(tournament=playing, author=owner, number=4, newcomer=entries.Newcomer(nickname="Zora Kreuz"))
    entries.withdraw(tournament=playing, author=owner, number=6)
    play_round(playing, owner, seed=2)
    drawn_round(playing, owner, seed=3)
    rounds.round_start(tournament=playing, author=owner, number=3)
    over = _named(made_tournament(club, owner, rounds=2, team_size=2), "over", 8)
    for number in (1, 2):
        play_round(over, owner, seed=number)
    services.tournament_finish(tournament=over, author=owner)
    Player.objects.filter(club=club, nickname="G2").update(nickname=LONG_NAME)
    Player.objects.filter(club=club).update(publicity=Player.Publicity.NICKNAME)
    own = Tournament.objects.get(club=club, slug="open").entrants.get(number=3).player_id
    Player.objects.filter(pk=own).update(user=owner)


def _named(made: Tournament, slug: str, count: int) -> Tournament:
    Tournament.objects.filter(pk=made.pk).update(
        slug=slug, name="Grosses Turnier der Talschaft Trub", fee="CHF 15, mit Znacht", prizes="1. Ein Schinken"
    )
    with_entrants(made, None, count)
    for entrant in made.entrants.all() if made.format["team_size"] else ():
        entries.describe(tournament=made, author=None, number=entrant.number, team=f"Paar {(entrant.number + 1) // 2}")
    return Tournament.objects.get(pk=made.pk)


def _asked(page: Page, who: str) -> None:
    page.fill("#who", who)
    page.press("#who", "Enter")


def found(page: Page) -> None:
    """Choose the person with the longest name."""
    _asked(page, "2")


def several(page: Page) -> None:
    """Type a text that matches many people."""
    _asked(page, "G")


def tools(page: Page) -> None:
    """Show the buttons of the screen."""
    page.keyboard.press("Tab")


AT = "/c/kreuz/tournaments/"
TOURNAMENT_ROOM = (
    Screen("tournament-visitor", "tournament", f"{AT}playing/", "visitor"),
    Screen("tournament", "tournament", f"{AT}playing/"),
    Screen("tournament-open", "tournament", f"{AT}open/", "visitor"),
    Screen("tournament-own-name", "tournament", f"{AT}open/"),
    Screen("tournament-first", "tournament", f"{AT}first/", "visitor"),
    Screen("tournament-over", "tournament", f"{AT}over/", "visitor"),
    Screen("tournament-seat", "tournament-seat", f"{AT}playing/seat/", "visitor"),
    Screen("tournament-seat-found", "tournament-seat", f"{AT}playing/seat/", "visitor", found),
    Screen("tournament-seat-record", "tournament-seat", f"{AT}playing/seat/", "owner", found),
    Screen("tournament-seat-several", "tournament-seat", f"{AT}playing/seat/", "visitor", several),
    Screen("tournament-seat-open", "tournament-seat", f"{AT}open/seat/", "visitor", found),
    Screen("tournament-seat-own-name", "tournament-seat", f"{AT}open/seat/"),
    Screen("tournament-screen", "tournament-screen", f"{AT}playing/screen/", "visitor"),
    Screen("tournament-screen-names", "tournament-screen", f"{AT}first/screen/", "visitor"),
    Screen("tournament-screen-open", "tournament-screen", f"{AT}open/screen/", "visitor", tools),
    Screen("tournament-screen-over", "tournament-screen", f"{AT}over/screen/", "visitor"),
)
