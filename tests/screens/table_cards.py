"""Table cards on the screens: a table that waits, one whose sheets differ, and a card between two rounds."""

from __future__ import annotations

from playwright.sync_api import Page

from league.models import Club, Tournament, User
from league.tournaments import draw_services, entries, rounds, services, sheets
from league.tournaments.formats import Format
from league.tournaments.table_cards import cards_of
from tests.screens.screen import Screen
from tests.screens.tournament_files import DAY

NAMES = ("Anna", "Beni", "Maximiliana-Theresia von Arx-Oberdorf", "Doris", "Emil", "Fränzi", "Göpf", "Heidi")


def build(club: Club, owner: User) -> dict[str, str]:
    """Create two tournaments of a club with cards; return their codes."""
    playing, over = (_drawn(club, owner, name) for name in ("Table cards", "Table cards over"))
    for amount in (12, 13):
        _hand_in(playing, owner, 2, amount)
    for table in (1, 2):
        _hand_in(over, owner, table, 5)
    rounds.round_finish(tournament=over, author=owner, number=1)
    cards = cards_of(playing, [1, 2])
    return {
        "card": cards[1].code,
        "card_differs": cards[2].code,
        "card_over": cards_of(over, [1])[1].code,
    }


def _drawn(club: Club, owner: User, name: str) -> Tournament:
    basics = services.Basics(name=name, starts_on=DAY, game="chratze")
    made = services.tournament_create(club=club, author=owner, basics=basics, format=Format())
    services.entries_open(tournament=made, author=owner)
    people = [entries.Newcomer(nickname=nickname, here=True) for nickname in NAMES]
    entries.enter(tournament=made, author=owner, people=people)
    proposed = draw_services.draw_propose(tournament=made, author=owner, seed=1)
    draw_services.draw_publish(tournament=made, author=owner, proposed=proposed)
    rounds.round_start(tournament=made, author=owner, number=1)
    return made


def _hand_in(tournament: Tournament, owner: User, table: int, amount: int) -> None:
    plan = tournament.draws.get().plan["tables"]
    first, second, *others = next(entry["seats"] for entry in plan if entry["number"] == table)
    chips = {first: amount, second: -amount, **dict.fromkeys(others, 0)}
    sheets.hand_in(tournament=tournament, author=owner, number=1, table=table, chips=chips, pot=0)


def typed(page: Page) -> None:
    """Type a sheet that does not add up, and hand it in."""
    for field, amount in zip(page.locator("input[name^=chips-]").all(), ("40", "25", "0", "9"), strict=True):
        field.fill(amount)
    page.locator(".signs label:has([value=minus])").nth(1).tap()


def refused(page: Page) -> None:
    """Hand in a sheet that does not add up."""
    typed(page)
    page.tap(".sheet-form button[type=submit]")
    page.wait_for_selector("main .errors")


TABLE_CARDS = (
    Screen("table-card", "table-card", "/t/{card}/", "visitor"),
    Screen("table-card-typed", "table-card", "/t/{card}/", "visitor", typed),
    Screen("table-card-refused", "table-card", "/t/{card}/", "visitor", refused),
    Screen("table-card-differs", "table-card", "/t/{card_differs}/", "visitor"),
    Screen("table-card-own-account", "table-card", "/t/{card}/"),
    Screen("table-card-over", "table-card", "/t/{card_over}/", "visitor"),
)
