"""The demo league: two clubs of Chratze, one of Kratzen and one of Zwicken, five seasons, 80 evenings, 5,300 hands,
tournaments, a cup, a treasurer's kitty and bills, evenings to come. Its texts are German; it depends only on the date.

The engine's simple player plays each hand card by card, and `hand_enter` stores it.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from typing import Any

from league.features.table import ALL
from league.models import Closing, Club, Membership, Player, Role, Season, User
from league.played_games import CHRATZE, KRATZEN, ZWICKEN
from league.standings.seasons import season_close

from ..corrections.edits import TakeOut
from ..corrections.services import correct
from ..engine_bridge import Temper
from ..evening.house_rules import house_rules_set
from ..models import Table
from ..practice import tournament
from ..practice.evenings import PEOPLE, evening_end, evening_play
from . import demo_attendance, demo_cup, demo_treasury
from .demo_treasury import Planned

SEED = 1291
PASSWORD = "chratze-demo"  # noqa: S105  The demo's logins are printed and meant to be known.
HANDS = 5300
EVENINGS = 80
UNPAID_DAYS = 10


@dataclass(frozen=True)
class DemoSeason:
    """A season of the demo: the number of evenings, the days between them, and the days since the last one.
    `to_kitty`: the evening, counted from the last one, whose pot goes into the kitty."""

    slug: str
    name: str
    evenings: int
    days_apart: int
    last_days_ago: int
    fields: dict[str, Any] = field(default_factory=dict)
    to_kitty: int | None = None


@dataclass(frozen=True)
class DemoClub:
    """A club of the demo with its players' tempers, its people's mail addresses by role, its seasons, the use of its
    pots, and the evenings that are planned."""

    slug: str
    name: str
    place: str
    fields: dict[str, Any]
    rules: dict[str, Any]
    players: dict[str, Temper]
    people: dict[str, tuple[str, str]]
    seasons: tuple[DemoSeason, ...]
    planned: Planned
    game: str = CHRATZE.name
    pot: str = Closing.Pot.CARRY
    mistaken: tuple[int, ...] = ()
    """The evenings of each season, from 0, whose last hand was entered twice and is taken out."""


def clubs(today: date) -> tuple[DemoClub, ...]:
    """The demo's clubs; seasons are named after the year in which they begin."""
    year = today.year if today.month >= 8 else today.year - 1
    now, last = f"{year}/{(year + 1) % 100:02d}", f"{year - 1}/{year % 100:02d}"
    return _roessli(now, last), _sternen(now), _adler(now), _loewen(now)


def _roessli(now: str, last: str) -> DemoClub:
    """Chratze by points, in two seasons."""
    return DemoClub(
        slug="roessli",
        name="Chratzclub Rössli",
        place="Trubschachen",
        fields={},
        rules={"pot_limit": 600},
        players={
            **PEOPLE,
            "Gian": Temper(0.45, 0.50),
            "Housi": Temper(0.25, 0.95),
        },
        people={
            Role.OWNER: ("doris@roessli.example", "Doris"),
            Role.TREASURER: ("anna@roessli.example", "Anna"),
            Role.RECORDER: ("beni@roessli.example", "Beni"),
            Role.MEMBER: ("carlo@roessli.example", "Carlo"),
        },
        seasons=(
            DemoSeason(_slug(last), f"Saison {last}", 28, 7, 147, {"best_evenings": 20}, to_kitty=1),
            DemoSeason(_slug(now), f"Saison {now}", 12, 7, 0, {"planned_evenings": 20, "best_evenings": 8}, to_kitty=2),
        ),
        planned=Planned(4, 7, time(20), "Waldhütte"),
    )


def _sternen(now: str) -> DemoClub:
    """Chratze by balance, with amounts for everybody."""
    return DemoClub(
        slug="sternen",
        name="Sternen-Runde",
        place="Feldkirch",
        fields={"publishes_money": True, "faces": Club.Faces.SWISS, "correction_hours": 120},
        rules={"stake": 10, "coin": 5, "pot_limit": 400, "susi": "off", "blind": "blind"},
        players={
            "Ida": Temper(0.90, 0.40),
            "Jakob": Temper(0.70, 0.60),
            "Katharina": Temper(0.65, 0.50),
            "Luzi": Temper(0.40, 0.85),
            "Margrit": Temper(0.75, 0.30),
            "Noldi": Temper(0.30, 0.60),
        },
        people={
            Role.OWNER: ("ida@sternen.example", "Ida"),
            Role.RECORDER: ("jakob@sternen.example", "Jakob"),
        },
        seasons=(DemoSeason(_slug(now), f"Saison {now}", 20, 5, 3, {"ranking": Season.Ranking.BALANCE}),),
        planned=Planned(4, 5, time(19, 30), "Gasthof Löwen"),
        pot=Closing.Pot.SHARE,
    )


def _adler(now: str) -> DemoClub:
    """Kratzen."""
    return DemoClub(
        slug="adler",
        name="Kratzrunde Adler",
        place="Bludenz",
        fields={"faces": Club.Faces.GERMAN},
        rules={"seven_muss": "any", "pot_limit": 600, "split_over": 400},
        players={
            "Agathe": Temper(0.85, 0.50),
            "Bertl": Temper(0.60, 0.70),
            "Christl": Temper(0.90, 0.35),
            "Dietmar": Temper(0.45, 0.85),
            "Elmar": Temper(0.70, 0.45),
            "Gebi": Temper(0.30, 0.60),
        },
        people={
            Role.OWNER: ("agathe@adler.example", "Agathe"),
            Role.RECORDER: ("bertl@adler.example", "Bertl"),
        },
        seasons=(DemoSeason(_slug(now), f"Saison {now}", 12, 7, 0, {"games": KRATZEN.name}),),
        planned=Planned(4, 7, time(19), "Gasthaus Hirschen"),
        game=KRATZEN.name,
        pot=Closing.Pot.KITTY,
    )


def _loewen(now: str) -> DemoClub:
    """Zwicken."""
    return DemoClub(
        slug="loewen",
        name="Zwickrunde Löwen",
        place="Füssen",
        fields={"currency": "EUR", "faces": Club.Faces.GERMAN},
        rules={"pot_limit": 900},
        players={
            "Alois": Temper(0.80, 0.50),
            "Burgl": Temper(0.90, 0.40),
            "Centa": Temper(0.60, 0.70),
            "Dominikus": Temper(0.45, 0.85),
            "Ferdl": Temper(0.70, 0.45),
            "Gustl": Temper(0.30, 0.60),
        },
        people={
            Role.OWNER: ("burgl@loewen.example", "Burgl"),
            Role.RECORDER: ("alois@loewen.example", "Alois"),
        },
        seasons=(DemoSeason(_slug(now), f"Saison {now}", 8, 7, 0, {"games": ZWICKEN.name}),),
        planned=Planned(4, 7, time(19), "Gasthaus Löwen"),
        game=ZWICKEN.name,
        pot=Closing.Pot.CARRY,
        mistaken=(1, 5),
    )


def _slug(name: str) -> str:
    return name.replace("/", "-")


def is_empty() -> bool:
    """Return True if the database has neither clubs nor users."""
    return not (Club.objects.exists() or User.objects.exists())


def logins() -> Iterator[tuple[str, str, str]]:
    """Mail address, role and club of everybody who can sign in to the demo."""
    for demo in clubs(date(2026, 11, 20)):
        for role, (email, _name) in demo.people.items():
            yield email, role, demo.name


def load(*, today: date, hands: int = HANDS, progress: Callable[[int, int], None]) -> int:
    """Fill an empty database. `progress` is called after each evening with the number of stored hands and of all hands.

    The caller holds the transaction.
    """
    rng = random.Random(SEED)  # noqa: S311  Repeatable, not secret.
    plan = [(demo, season, nth) for demo in clubs(today) for season in demo.seasons for nth in range(season.evenings)]
    stored = 0
    houses: dict[str, tuple[Club, User, dict[str, Player]]] = {}
    for done, (demo, season, nth) in enumerate(plan, start=1):
        if demo.slug not in houses:
            houses[demo.slug] = _create_club(demo)
        club, recorder, players = houses[demo.slug]
        held_on = _held_on(today, season, nth)
        due = hands * done // len(plan) - stored
        seated = rng.sample(list(demo.players), k=rng.choice((4, 5, 5, 5, 6)))
        table = evening_play(
            rng,
            season=_season(club, season, held_on),
            people=[(players[name], demo.players[name]) for name in seated],
            recorder=recorder,
            held_on=held_on,
            game=demo.game,
            hands=due,
        )
        if nth in demo.mistaken:
            _take_out_last(rng, table, recorder)
        # The evening of today stays open, so that a visitor of the demo can enter a hand.
        if held_on < today:
            pot = Closing.Pot.KITTY if season.evenings - nth == season.to_kitty else demo.pot
            # They pay at the next evening: after the last one of a season at the first one of the next.
            next_on = _held_on(today, plan[done][1], plan[done][2]) if done < len(plan) else today
            paid = (today - held_on).days > UNPAID_DAYS
            evening_end(rng, pot, table, recorder, paid_on=next_on if paid else None)
        stored += due
        progress(stored, hands)
    for demo in clubs(today):
        club = houses[demo.slug][0]
        demo_treasury.plan(club.seasons.latest("starts_on"), _person(club, Role.OWNER), demo.planned, today=today)
        if Role.TREASURER in demo.people:
            demo_treasury.load(club, _person(club, Role.TREASURER), today=today)
        _close_past_seasons(club)
    first = houses[plan[0][0].slug][0]
    demo_attendance.load(first.seasons.latest("starts_on"), _person(first, Role.OWNER))
    tournament.load(first, _person(first, Role.OWNER), today=today)
    second = Club.objects.get(slug="sternen")
    demo_cup.load((first, _person(first, Role.OWNER)), (second, _person(second, Role.OWNER)), today=today)
    return stored


def _take_out_last(rng: random.Random, table: Table, recorder: User) -> None:
    """Take out the last hand of an evening."""
    table.refresh_from_db(fields=["hands"])
    key = uuid.UUID(int=rng.getrandbits(128), version=4)
    correct(table=table, edit=TakeOut(table.hands), author=recorder, key=key, reason="Zweimal eingetragen")


def _held_on(today: date, season: DemoSeason, nth: int) -> date:
    """Return the day of an evening of the demo."""
    return today - timedelta(days=season.last_days_ago + season.days_apart * (season.evenings - 1 - nth))


def _person(club: Club, role: str) -> User:
    return User.objects.get(memberships__club=club, memberships__role=role)


def _create_club(demo: DemoClub) -> tuple[Club, User, dict[str, Player]]:
    """The club with its people, players and house rules."""
    names = {"slug": demo.slug, "name": demo.name, "place": demo.place}
    club = Club.objects.create(**names, features=list(ALL), **demo.fields)
    people = {}
    for role, (email, name) in demo.people.items():
        people[role] = User.objects.create_user(email, PASSWORD, first_name=name)
        Membership.objects.create(club=club, user=people[role], role=role)
    players = {}
    for name in demo.players:
        user = next((p for p in people.values() if p.first_name == name), None)
        players[name] = Player.objects.create(club=club, nickname=name, user=user, publicity=Player.Publicity.NICKNAME)
    house_rules_set(club=club, game=demo.game, values=demo.rules, author=people[Role.OWNER])
    return club, people[Role.RECORDER], players


def _season(club: Club, season: DemoSeason, held_on: date) -> Season:
    existing = Season.objects.filter(club=club, slug=season.slug).first()
    if existing is not None:
        return existing
    return Season.objects.create(club=club, slug=season.slug, name=season.name, starts_on=held_on, **season.fields)


def _close_past_seasons(club: Club) -> None:
    """Close all seasons but the newest, so that the demo has champions."""
    owner = _person(club, Role.OWNER)
    for season in club.seasons.order_by("-starts_on")[1:]:
        season_close(season=season, actor=owner)
