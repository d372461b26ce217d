"""The hands of a table: read, entered, taken back; and a hand record checked against the rulebook."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import ApiView, Op, Who
from league.api.paging import page

from .. import messages, recording, selectors, services, steps
from ..errors import Refused
from ..mending.reading import Event, history_of
from ..screens import HandLine
from ..selectors import HandView
from . import answers, bodies, shapes
from .base import NightView, hand_problem
from .corrections import correction_line
from .examples import example
from .reading import revision_view, standing_hands, unstored, views_of
from .seeing import Eyes

CONFLICTS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class Hands(NightView):
    """The hands of a table."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The hands of a table, the newest first; those taken back among them"),
            answers.Hand,
            paged=True,
            example=example("hands"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Enter the next hand"),
            answers.HandStored,
            status=HTTPStatus.CREATED,
            body=bodies.HandEnter,
            refusals=CONFLICTS,
            example=example("hand-stored"),
            body_example=example("hand-enter"),
            about=gettext_lazy(
                "A tally or every card. 409 where the number is taken (`told` and `record` say by what) or the seating"
                " has changed; 422 with `clause`, `at` and `seat` where the rulebook refuses the hand."
            ),
        ),
    }

    def get(self, request: Request, club: str, table: int) -> Response:
        at = self.table(table)
        found, following = page(request, standing_hands(at), ["-hand__number"])
        eyes = self.at(at)
        return self.told_items([shapes.hand(view, eyes) for view in views_of(found)], following)

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        try:
            answer = services.hand_enter(table=at, author=self.author, key=self.key, body=body)
        except Refused as refused:
            whole, _differs = recording.complete(selectors.chain_of(at)[0].start, body["record"])
            raise hand_problem(refused, whole) from refused
        view = revision_view(at, answer.number, answer.revision)
        told = self.told(shapes.stored(_there(view), self.at(at)), Location=f"{request.path}/{answer.number}")
        return self.again(told) if answer.replayed else told


class HandsPreview(NightView):
    """What entering a hand would do."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("What a hand would come to as the table's next one; nothing is stored"),
            answers.HandStored,
            body=bodies.HandRecordOnly,
            kept=False,
            refusals=CONFLICTS,
            example=example("hand-stored"),
            body_example=example("hand-preview"),
        ),
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, sent = self.table(table), self.sent()["record"]
        chain, names = selectors.chain_of(at)
        record, differs = recording.complete(chain.start, sent)
        if differs is not None:
            raise other_than_table(differs)
        result = checked(record)
        return self.told(shapes.stored(unstored(chain, names, record, result), self.at(at)))


class Hand(NightView):
    """One hand of a table as it stands."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("A hand as it stands, with how often it was changed"),
            answers.HandWithRevisions,
            example=example("hand"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        view = _there(selectors.hand_view(at, number))
        told = shapes.hand(view, self.at(at))
        # States are numbered without a gap.
        return self.told(told | {"revisions": view.revision})


class HandCash(NightView):
    """How the coins move after a hand."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("How the coins move after a hand, in order, and what must lie there then"),
            answers.HandStored,
            example=example("hand-stored"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        return self.told(shapes.stored(_there(selectors.hand_view(at, number)), self.at(at)))


class HandVoid(NightView):
    """The last hand, taken back."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Take the last hand back: its coins go back, its number is free again"),
            answers.HandVoided,
            status=HTTPStatus.CREATED,
            body=bodies.HandVoid,
            refusals=CONFLICTS,
            example=example("hand-voided"),
            body_example=example("hand-void"),
        )
    }

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, reason = self.table(table), self.sent()["reason"]
        answer = services.hand_void_last(table=at, author=self.author, key=self.key, number=number, reason=reason)
        view = _there(revision_view(at, answer.number, answer.revision))
        told = self.told(
            {
                "number": answer.number,
                "revision": answer.revision,
                "told": messages.summary(answer.result, dict(enumerate(view.names))),
            }
        )
        return self.again(told) if answer.replayed else told


class HandHistory(NightView):
    """What was done to a hand."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("What was done to a hand: when, before and after; by whom and why for people of the club"),
            answers.HandEvents,
            example=example("hand-history"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        eyes, events = self.at(at), history_of(at, number, self.access.names)
        if not events:
            raise Http404("no such hand")
        told = [_event(event, eyes) for event in events]
        return self.told({"table": at.pk, "number": number, "events": told})


def _event(event: Event, eyes: Eyes) -> dict[str, Any]:
    before, after = (_state(line, event, eyes) if line else None for line in (event.before, event.after))
    return {
        "kind": event.kind,
        "at": event.at,
        "by": eyes.told_by(event.author),
        "reason": eyes.told_by(event.reason),
        "before": before,
        "after": after,
        "correction": correction_line(event.correction, eyes) if event.correction else None,
    }


def _state(line: HandLine, event: Event, eyes: Eyes) -> dict[str, Any]:
    # The story names who did it beside the hand.
    return shapes.hand(replace(line.view, author=event.author), eyes)


class HandSteps(NightView):
    """A hand card by card."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("A hand whose cards were written down, step by step: what was said, dealt, exchanged, played"),
            answers.HandSteps,
            example=example("hand-steps"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        view = selectors.as_read(_there(selectors.hand_view(at, number)), self.access.names)
        if not recording.is_told(view.record):
            raise Http404("its cards were not written down")
        course = steps.walk(dict(view.record))
        told = [
            _step(steps.table(course, place, view.names, self.access.club.faces), place, view)
            for place in range(len(course.scenes) + 1)
        ]
        return self.told({"table": at.pk, "number": number, "steps": told})


def _step(lies: steps.Table, place: int, view: HandView) -> dict[str, Any]:
    return {
        "number": place,
        "told": lies.said,
        "turned": list(lies.turned),
        "stock": lies.stock,
        "seats": [
            {
                "seat": one.seat,
                "player": view.player_ids[one.seat],
                "name": one.name,
                "cards": list(one.cards),
                "role": one.role,
                "taken": one.taken,
            }
            for one in lies.seats
        ],
        "trick": [{"name": name, "card": card, "takes": takes} for name, card, takes in lies.trick],
    }


class Replay(ApiView):
    """A hand record and what the rulebook makes of it."""

    ops = {
        "POST": Op(
            Who.ANYONE,
            gettext_lazy("Check a hand record and settle it; nothing is stored"),
            answers.ReplayResult,
            body=bodies.HandRecordOnly,
            kept=False,
            refusals=(HTTPStatus.UNPROCESSABLE_ENTITY,),
            example=example("replay"),
            body_example=example("replay-body"),
            about=gettext_lazy("The record says game, house rules, seats, dealer and pot itself. Belongs to no club."),
        )
    }

    def post(self, request: Request) -> Response:
        return self.told(checked(self.sent()["record"]))


def checked(record: dict[str, Any]) -> recording.Result:
    """The engine's result. Raises `Refused` (422) with clause, place and seat."""
    result = recording.replay(record)
    if not result["ok"]:
        raise hand_problem(messages.refusal(result["error"]), record)
    return result


def other_than_table(name: str) -> Refused:
    """409: a record says something else than its table."""
    sentence = _("The record says something else than this table about “%(name)s”.") % {"name": name}
    return Refused(status=409, code="chain", sentence=sentence, at=name)


def _there(view: HandView | None) -> HandView:
    if view is None:
        raise Http404("no such hand")
    return view
