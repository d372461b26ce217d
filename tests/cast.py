"""A named cast: two clubs with one person per role, a user without a club, and a superuser of the server."""

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
        """Return the person with this role."""
        person: User = getattr(self, role)
        return person


@dataclass(frozen=True)
class Cast:
    """`home` and `away` are two clubs; `stranger` is a user without a club; `server_admin` is a superuser."""

    home: House
    away: House
    stranger: User
    server_admin: User


def house(slug: str) -> House:
    """Create a club with one person per role and a season."""
    club = ClubFactory(slug=slug, name=f"Chratzclub {slug.title()}")
    people = {role: UserFactory(email=f"{role}@{slug}.example.org", first_name=role.title()) for role in Role.values}
    for role, person in people.items():
        Membership.objects.create(club=club, user=person, role=role)
    return House(club=club, season=SeasonFactory(club=club, slug="2026"), **people)


def cast() -> Cast:
    """Create both clubs and everybody else."""
    return Cast(
        home=house("roessli"),
        away=house("sternen"),
        stranger=UserFactory(email="stranger@example.org"),
        server_admin=UserFactory(email="server@example.org", is_staff=True, is_superuser=True),
    )
