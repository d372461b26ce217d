"""API of the entrants of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Entrant
from league.tournaments import entries, locking
from league.tournaments.entries import Newcomer
from league.tournaments.gate import TournamentAccess

from ..base import Op
from ..bodies import Body
from ..paging import page
from . import answers, bodies, representations
from .base import TournamentView, entrant_of, with_players
from .examples import ENTER, ENTRANT
from .representations import People


def newcomer(sent: Mapping[str, Any]) -> Newcomer:
    """Return the person that a body names."""
    return Newcomer(
        player_id=sent.get("player"),
        nickname=sent.get("guest", ""),
        labels=tuple(sent.get("labels", ())),
        team=sent.get("team", ""),
        paid=sent.get("paid", False),
        here=sent.get("here", False),
    )


class EntrantView(TournamentView):
    """Base of the addresses of one entrant (`<int:number>` is the start number)."""

    def shown(self, found: TournamentAccess, number: int) -> Response:
        """Return the answer for an entrant as it is stored now."""
        return self.answer(self._data(found, entrant_of(found.tournament, number)))

    def _data(self, found: TournamentAccess, entrant: Entrant) -> dict[str, Any]:
        return representations.entrant(entrant, found, People(found))

    def desk_of_entrant(self, number: int) -> TournamentAccess:
        """Return the tournament for somebody at its desk, if it has this start number. Raises as `desk`, Http404."""
        found = self.desk()
        entrant_of(found.tournament, number)
        return found


class TournamentEntrants(TournamentView):
    """The entrants of a tournament."""

    ops = {
        "GET": Op(
            Right.READ,
            _("The entrants of a tournament, by start number"),
            answers.EntrantAnswer,
            paged=True,
            example=ENTRANT,
        ),
        "POST": Op(
            Right.RECORD,
            _("Enter people, all of them or none"),
            answers.EntrantsAnswer,
            status=201,
            body=bodies.EnterBody,
            refusals=(409,),
            example={"items": [ENTRANT]},
            body_example=ENTER,
        ),
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        found = self.tournament()
        items, following = page(request, with_players(found.tournament.entrants.all()), ["number"])
        people = People(found)
        return self.answer_items([representations.entrant(one, found, people) for one in items], following)

    def post(self, request: Request, club: str, tournament: str) -> Response:
        found, sent = self.desk(), self.sent()
        entered = entries.enter(
            tournament=found.tournament,
            author=self.person,
            people=[newcomer(one) for one in sent["people"]],
            key=self.key,
        )
        rows = with_players(Entrant.objects.filter(pk__in=[one.pk for one in entered]).order_by("number"))
        people = People(found)
        return self.answer({"items": [representations.entrant(one, found, people) for one in rows]})


class TournamentEntrant(EntrantView):
    """An entrant."""

    ops = {
        "GET": Op(Right.READ, _("An entrant"), answers.EntrantAnswer, example=ENTRANT),
        "PATCH": Op(
            Right.RECORD,
            _("Change labels, team or fixed table of an entrant"),
            answers.EntrantAnswer,
            body=bodies.EntrantChangeBody,
            match=True,
            refusals=(409,),
            example=ENTRANT,
            body_example={"labels": ["Meier"], "team": "Rössli 1"},
        ),
        "DELETE": Op(
            Right.RECORD,
            _("Take out an entry that was a mistake, before the first draw"),
            status=204,
            refusals=(409,),
        ),
    }

    def get(self, request: Request, club: str, tournament: str, number: int) -> Response:
        return self.shown(self.tournament(), number)

    @transaction.atomic
    def patch(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.desk_of_entrant(number), self.sent()
        locking.locked(found.tournament)
        self.check_match(self._data(found, entrant_of(found.tournament, number)), answers.EntrantAnswer)
        entries.describe(tournament=found.tournament, author=self.person, number=number, **sent)
        return self.shown(found, number)

    def delete(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.desk_of_entrant(number)
        entries.take_out(tournament=found.tournament, author=self.person, number=number)
        return self.no_content()


def _step(summary: Any, body: type[Body] | None = None, example: Any = None) -> Op:
    return Op(
        Right.RECORD,
        summary,
        answers.EntrantAnswer,
        body=body,
        refusals=(409,),
        example=ENTRANT,
        body_example=example,
    )


class EntrantCheckIn(EntrantView):
    """The check-in of an entrant."""

    ops = {"POST": _step(_("Note that an entrant is here, or not after all"), bodies.CheckInBody, {"here": True})}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.desk_of_entrant(number), self.sent()
        entries.check_in(tournament=found.tournament, author=self.person, number=number, here=sent["here"])
        return self.shown(found, number)


class EntrantPaid(EntrantView):
    """The paid tick of an entrant."""

    ops = {"POST": _step(_("Tick that the entry fee was paid, or take that back"), bodies.PaidBody, {"paid": True})}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.desk_of_entrant(number), self.sent()
        entries.mark_paid(tournament=found.tournament, author=self.person, number=number, paid=sent["paid"])
        return self.shown(found, number)


class EntrantWithdraw(EntrantView):
    """The withdrawal of an entrant."""

    ops = {"POST": _step(_("Withdraw an entrant: the rounds played stay"))}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.desk_of_entrant(number)
        entries.withdraw(tournament=found.tournament, author=self.person, number=number)
        return self.shown(found, number)


class EntrantComeBack(EntrantView):
    """The end of a withdrawal."""

    ops = {"POST": _step(_("Take a withdrawal back: the entrant joins with the next draw"))}

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found = self.desk_of_entrant(number)
        entries.come_back(tournament=found.tournament, author=self.person, number=number)
        return self.shown(found, number)


class EntrantSubstitute(EntrantView):
    """A substitute for an entrant."""

    ops = {
        "POST": _step(
            _("Give number, table and results of an entrant to another player"),
            bodies.SubstituteBody,
            {"guest": "Doris"},
        )
    }

    def post(self, request: Request, club: str, tournament: str, number: int) -> Response:
        found, sent = self.desk_of_entrant(number), self.sent()
        entries.substitute(
            tournament=found.tournament,
            author=self.person,
            number=number,
            newcomer=newcomer(sent),
            key=self.key,
        )
        return self.shown(found, number)
