"""The base of the API views of a tournament: its reader's rights, its desk, and the people under its start numbers."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Entrant, Player, Tournament
from league.tournaments import gate, results
from league.tournaments.formats import Format
from league.tournaments.gate import TournamentAccess

from ..idempotency import key_sent
from ..permissions import HasRight, right_of
from ..views import ClubViewSet

T = TypeVar("T")


class AtDesk(BasePermission):
    """Who writes to the tournament that the address names is at its desk. An owner is at each desk. Raises Http404."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return "tournament" not in view.kwargs or view.found.runs or right_of(view) in (Right.READ, Right.MANAGE)


class People:
    """The players under the start numbers of a tournament: the current ones, or those of a round. Three queries."""

    def __init__(self, tournament: Tournament, round: int | None = None) -> None:
        self.tournament = tournament
        self.round = round

    @cached_property
    def _entrants(self) -> dict[int, Entrant]:
        rows = self.tournament.entrants.select_related("player").prefetch_related("substitutions__left")
        return {entrant.number: entrant for entrant in rows}

    def at(self, number: int) -> Player | None:
        """Return the player with this start number; None for an entry that was taken out since."""
        entrant = self._entrants.get(number)
        if entrant is None:
            return None
        if self.round is None:
            return entrant.player
        wanted = results.player_in(entrant, self.round)
        left = (substitution.left for substitution in entrant.substitutions.all() if substitution.left_id == wanted)
        return entrant.player if entrant.player_id == wanted else next(left)


class OfTournament(ClubViewSet):
    """A viewset of things of a tournament (`<slug:tournament>` in its address)."""

    permission_classes = [HasRight, AtDesk]
    refusals = (409,)

    @cached_property
    def found(self) -> TournamentAccess:
        """The tournament that the address names, with the rights of its reader. Raises Http404."""
        return gate.in_club(self.access, self.request.user, self.kwargs["tournament"])

    @property
    def tournament(self) -> Tournament:
        """The tournament that the address names. Raises Http404."""
        return self.found.tournament

    @cached_property
    def people(self) -> People:
        """The people whom the answer names by their start numbers."""
        return People(self.tournament)

    @property
    def key(self) -> uuid.UUID:
        """The idempotency key of the request. Raises Problem (400) if there is none."""
        return key_sent(self.request)

    def write(self, service: Callable[..., T], **given: Any) -> T:
        """Carry out a service of the tournament for the person who is signed in."""
        return service(tournament=self.tournament, author=self.person, **given)

    def step(self, service: Callable[..., Any], **given: Any) -> Response:
        """Carry out a service for the thing with the number in the address, with what was sent, and show the thing."""
        number = self.get_object().number
        sent = self.sent() if self.operation in self.bodies else {}
        self.write(service, number=number, **sent, **given)
        return self.answer(self.get_object())

    def hides(self, number: int) -> bool:
        """Return True if the results of a round are not shown to this reader before the prize giving."""
        if self.found.runs or self.tournament.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED):
            return False
        format = Format.read(self.tournament.format)
        return format.hide_last and number >= format.all_rounds
