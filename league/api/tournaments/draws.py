"""API of the draws of a tournament. Only the desk sees a draw before it is published."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.models import Draw
from league.tournaments import draw_services
from league.tournaments.formats import Format
from league.tournaments.gate import TournamentAccess

from ..base import Op
from ..paging import page
from . import answers, bodies, representations
from .base import TournamentView, draw_of, round_of
from .examples import DRAW, DRAW_LINE, ROUND


class DrawView(TournamentView):
    """Base of the addresses of draws."""

    def shown(self, found: TournamentAccess, drawn: Draw) -> Response:
        """Return the answer for a draw as it is stored now."""
        return self.answer(representations.draw_detail(draw_of(found, drawn.pk), self.people(found)))


class TournamentDraws(DrawView):
    """The draws of a tournament."""

    ops = {
        "GET": Op(
            Right.READ,
            _("The draws of a tournament; for all but the desk those that seat a round"),
            answers.DrawLineAnswer,
            paged=True,
            query={
                "round": {"type": "integer", "minimum": 1, "maximum": bodies.MAX_TABLE, "description": _("The round.")}
            },
            example=DRAW_LINE,
        ),
        "POST": Op(
            Right.RECORD,
            _("Draw the next round, or draw it once more before it is published"),
            answers.DrawAnswer,
            status=201,
            body=bodies.NewDrawBody,
            refusals=(409,),
            example=DRAW,
            body_example={"mode": "balanced", "seed": 7, "left_out": [3]},
        ),
    }

    def get(self, request: Request, club: str, tournament: str) -> Response:
        found = self.tournament()
        rows = found.tournament.draws.select_related("round_of")
        if not found.runs:
            rows = rows.filter(round_of__isnull=False)
        number = self.whole_number("round", most=bodies.MAX_TABLE)
        if number is not None:
            rows = rows.filter(round=number)
        items, following = page(request, rows, ["round", "number"])
        return self.answer_items([representations.draw_line(one) for one in items], following)

    def post(self, request: Request, club: str, tournament: str) -> Response:
        found, sent = self.desk(), self.sent()
        drawn = draw_services.draw_propose(
            tournament=found.tournament,
            author=self.person,
            mode=sent.get("mode"),
            seed=sent.get("seed"),
            left_out=sent["left_out"],
            despite_open=sent["despite_open"],
            key=self.key,
        )
        response = self.shown(found, drawn)
        response["Location"] = f"{request.path}/{drawn.pk}"
        return response


class TournamentDraw(DrawView):
    """A draw."""

    ops = {"GET": Op(Right.READ, _("A draw with its tables and its report"), answers.DrawAnswer, example=DRAW)}

    def get(self, request: Request, club: str, tournament: str, draw: int) -> Response:
        found = self.tournament()
        return self.shown(found, draw_of(found, draw))


class DrawAgain(DrawView):
    """A redraw of the published round."""

    ops = {
        "POST": Op(
            Right.RECORD,
            _("Draw the published round again: only the necessary changes for those who came or left"),
            answers.DrawAnswer,
            status=201,
            body=bodies.DrawAgainBody,
            refusals=(409,),
            example=DRAW,
            body_example={},
            about=_("The new draw seats the round when it is published."),
        )
    }

    def post(self, request: Request, club: str, tournament: str) -> Response:
        found, sent = self.desk(), self.sent()
        drawn = draw_services.draw_again(
            tournament=found.tournament, author=self.person, seed=sent.get("seed"), key=self.key
        )
        return self.shown(found, drawn)


class DrawTakeBack(DrawView):
    """Taking the published draw back."""

    ops = {
        "POST": Op(
            Right.RECORD,
            _("Take the published draw of a round back, before anything of it was played"),
            status=204,
            refusals=(409,),
        )
    }

    def post(self, request: Request, club: str, tournament: str) -> Response:
        draw_services.draw_take_back(tournament=self.desk().tournament, author=self.person, key=self.key)
        return self.no_content()


class DrawSwap(DrawView):
    """A change of a draw by hand."""

    ops = {
        "POST": Op(
            Right.RECORD,
            _("Exchange the places of two people: a further draw, whose report has the cost"),
            answers.DrawAnswer,
            status=201,
            body=bodies.DrawSwapBody,
            refusals=(409,),
            example=DRAW,
            body_example={"a": 2, "b": 5},
        )
    }

    def post(self, request: Request, club: str, tournament: str, draw: int) -> Response:
        found, sent = self.desk(), self.sent()
        drawn = draw_services.draw_swap(
            tournament=found.tournament, author=self.person, proposed=draw_of(found, draw), key=self.key, **sent
        )
        return self.shown(found, drawn)


class DrawPublish(DrawView):
    """The publication of a draw."""

    ops = {
        "POST": Op(
            Right.RECORD,
            _("Publish a draw: its tables are open, and everybody sees where they sit"),
            answers.RoundAnswer,
            body=bodies.DrawPublishBody,
            refusals=(409,),
            example=ROUND,
            body_example={},
        )
    }

    def post(self, request: Request, club: str, tournament: str, draw: int) -> Response:
        found, sent = self.desk(), self.sent()
        drawn = draw_of(found, draw)
        published = draw_services.draw_publish(
            tournament=found.tournament,
            author=self.person,
            proposed=drawn,
            despite_open=sent["despite_open"],
            key=self.key,
        )
        current = round_of(found.tournament, published.number)
        return self.answer(representations.round_line(current, Format.read(found.tournament.format)))
