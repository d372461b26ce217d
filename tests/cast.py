"""A named cast: the same five people in each of two clubs, a visitor, and whoever runs the server."""

from __future__ import annotations

from dataclasses import dataclass

from league.models import Club, Membership, Role, Season, User

from .factories import ClubFactory, SeasonFactory, UserFactory


@dataclass(frozen=True)
class House:
    """A club with one person per role and one season."""

    club: Club
    season: Season
    owner: User
    treasurer: User
    recorder: User
    member: User

    def person(self, role: str) -> User:
        """The person with this role."""
        person: User = getattr(self, role)
        return person


@dataclass(frozen=True)
class Cast:
    """`home` and `away` are two clubs; `stranger` has an account and no club; `server_admin` runs the server."""

    home: House
    away: House
    stranger: User
    server_admin: User


def house(slug: str) -> House:
    """A club with its people."""
    club = ClubFactory(slug=slug, name=f"Chratzclub {slug.title()}")
    people = {role: UserFactory(email=f"{role}@{slug}.example.org", first_name=role.title()) for role in Role.values}
    for role, person in people.items():
        Membership.objects.create(club=club, user=person, role=role)
    return House(club=club, season=SeasonFactory(club=club, slug="2026"), **people)


def cast() -> Cast:
    """Everybody."""
    return Cast(
        home=house("roessli"),
        away=house("sternen"),
        stranger=UserFactory(email="stranger@example.org"),
        server_admin=UserFactory(email="server@example.org", is_staff=True, is_superuser=True),
    )
