"""API views of hands: list, enter, preview, undo, history, steps; and the check of a hand record."""

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
from league.api.base import ApiView, Audience, Op
from league.api.paging import page, page_of_list

from .. import engine_bridge
from ..cards import steps
from ..corrections.selectors import Event, history_of
from ..errors import Refused
from ..hands import clause_sentences, selectors, services
from ..hands.coin_lines import CoinLine
from ..hands.selectors import HandView
from . import answers, bodies, representations
from .base import GamesView, hand_problem
from .corrections import correction_line
from .examples import example
from .selectors import newest_hands, preview_view, revision_view, views_of
from .visibility import Visibility

CONFLICTS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)


class Hands(GamesView):
    """The hands of a table."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The hands of a table, newest first, with undone ones"),
            answers.Hand,
            paged=True,
            example=example("hands"),
        ),
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Enter the next hand"),
            answers.HandWithCash,
            status=HTTPStatus.CREATED,
            body=bodies.NewHandBody,
            claims=True,
            refusals=CONFLICTS,
            example=example("hand-with-cash"),
            body_example=example("new-hand-body"),
            more_bodies={"Kratzen": example("new-hand-body-kratzen")},
            about=gettext_lazy(
                "A tally or every card. 409 if the number is taken (`details` has the stored hand) or the seating has"
                " changed; 422 with `clause`, `at` and `seat` if the rulebook refuses the hand."
            ),
        ),
    }

    def get(self, request: Request, club: str, table: int) -> Response:
        at = self.table(table)
        found, following = page(request, newest_hands(at), ["-hand__number"])
        visibility = self.visibility_at(at)
        return self.answer_items([representations.hand(view, visibility) for view in views_of(found)], following)

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        try:
            answer = services.hand_enter(table=at, author=self.author, key=self.key, body=body)
        except Refused as refused:
            record, _differs = engine_bridge.complete(selectors.chain_of(at)[0].start, body["record"])
            raise hand_problem(refused, record) from refused
        view = answer.view or revision_view(at, answer.number, answer.revision, self.author)
        response = self.answer(
            representations.hand_with_cash(_there(view), self.visibility_at(at)),
            Location=f"{request.path}/{answer.number}",
        )
        return self.as_replayed(response) if answer.repeated else response


class HandsPreview(GamesView):
    """Preview of the next hand."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("The result of a hand as the table's next one; nothing is stored"),
            answers.HandWithCash,
            body=bodies.HandRecordBody,
            kept=False,
            refusals=CONFLICTS,
            example=example("hand-with-cash"),
            body_example=example("hand-preview-body"),
            more_bodies={"Kratzen": example("hand-preview-body-kratzen")},
        ),
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, sent = self.table(table), self.sent()["record"]
        chain, names = selectors.chain_of(at)
        record, differs = engine_bridge.complete(chain.start, sent)
        if differs is not None:
            raise differs_from_table(differs)
        result = checked(record)
        return self.answer(
            representations.hand_with_cash(preview_view(chain, names, record, result), self.visibility_at(at))
        )


class HandDetail(GamesView):
    """The newest revision of a hand."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("A hand, with the number of its revisions"),
            answers.HandWithRevisions,
            example=example("hand"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        view = _there(selectors.hand_view(at, number))
        hand = representations.hand(view, self.visibility_at(at))
        # Revisions are numbered without a gap: the newest number is their count.
        return self.answer(hand | {"revisions": view.revision})


class HandCash(GamesView):
    """The coin movements after a hand."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("The coin movements after a hand, in order, and the pot after them"),
            answers.HandWithCash,
            example=example("hand-with-cash"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        return self.answer(
            representations.hand_with_cash(_there(selectors.hand_view(at, number)), self.visibility_at(at))
        )


class HandVoid(GamesView):
    """Undo the last hand."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Undo the last hand: its coins go back, its number is free again"),
            answers.VoidedHand,
            status=HTTPStatus.CREATED,
            body=bodies.VoidHandBody,
            refusals=CONFLICTS,
            example=example("voided-hand"),
            body_example=example("void-hand-body"),
        )
    }

    def post(self, request: Request, club: str, table: int, number: int) -> Response:
        at, reason = self.table(table), self.sent()["reason"]
        answer = services.hand_void_last(table=at, author=self.author, key=self.key, number=number, reason=reason)
        view = _there(revision_view(at, answer.number, answer.revision, self.author))
        response = self.answer(
            {
                "number": answer.number,
                "revision": answer.revision,
                "sentence": clause_sentences.summary(answer.result, dict(enumerate(view.names))),
            }
        )
        return self.as_replayed(response) if answer.repeated else response


class HandHistory(GamesView):
    """The history of a hand."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy(
                "The history of a hand: time, before and after; author and reason only for people of the club"
            ),
            answers.HandEvent,
            paged=True,
            example=example("hand-history"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        visibility, events = self.visibility_at(at), history_of(at, number, self.access.names)
        if not events:
            raise Http404("no such hand")
        shown, following = page_of_list(request, events, newest_first=True)
        return self.answer_items([_event(event, visibility) for event in shown], following)


def _event(event: Event, visibility: Visibility) -> dict[str, Any]:
    before, after = (_revision(line, event, visibility) if line else None for line in (event.before, event.after))
    return {
        "kind": event.kind,
        "at": event.at,
        "by": visibility.unless_visitor(event.author),
        "reason": visibility.unless_visitor(event.reason),
        "before": before,
        "after": after,
        "correction": correction_line(event.correction, visibility) if event.correction else None,
    }


def _revision(line: CoinLine, event: Event, visibility: Visibility) -> dict[str, Any]:
    # The author of the event is shown, not the author of the revision.
    return representations.hand(replace(line.view, author=event.author), visibility)


class HandSteps(GamesView):
    """A hand with its cards, step by step."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("A hand with recorded cards, step by step: calls, deal, exchanges, play"),
            answers.HandSteps,
            example=example("hand-steps"),
        )
    }

    def get(self, request: Request, club: str, table: int, number: int) -> Response:
        at = self.table(table)
        view = selectors.as_reader_sees(_there(selectors.hand_view(at, number)), self.access.names)
        if not engine_bridge.has_cards(view.record):
            raise Http404("no cards are recorded")
        course = steps.walk(dict(view.record))
        shown = [
            _step(steps.board(course, place, view.names, self.access.club.faces), place, view)
            for place in range(len(course.scenes) + 1)
        ]
        return self.answer({"table": at.pk, "number": number, "steps": shown})


def _step(board: steps.Board, place: int, view: HandView) -> dict[str, Any]:
    return {
        "number": place,
        "sentence": board.sentence,
        "turned": list(board.turned),
        "stock": board.stock,
        "seats": [
            {
                "seat": one.seat,
                "player": view.player_ids[one.seat],
                "name": one.name,
                "cards": list(one.cards),
                "role": one.role,
                "taken": one.taken,
            }
            for one in board.seats
        ],
        "trick": [{"name": name, "card": card, "takes": takes} for name, card, takes in board.trick],
    }


class HandRecordCheck(ApiView):
    """Check a hand record against the rulebook."""

    ops = {
        "POST": Op(
            Audience.ANYONE,
            gettext_lazy("Check a hand record and settle it; nothing is stored"),
            answers.HandRecordResult,
            body=bodies.HandRecordBody,
            kept=False,
            refusals=(HTTPStatus.UNPROCESSABLE_ENTITY,),
            example=example("hand-record-check"),
            body_example=example("hand-record-check-body"),
            more_bodies={"Kratzen": example("hand-record-check-body-kratzen")},
            about=gettext_lazy("The record must have game, house rules, seats, dealer and pot. It belongs to no club."),
        )
    }

    def post(self, request: Request) -> Response:
        return self.answer(checked(self.sent()["record"]))


def checked(record: dict[str, Any]) -> engine_bridge.Result:
    """Return the engine's result. Raises Problem (422) with clause, place and seat."""
    result = engine_bridge.replay(record)
    if not result["ok"]:
        raise hand_problem(clause_sentences.refusal(result["error"]), record)
    return result


def differs_from_table(name: str) -> Refused:
    """Return the refusal (409) of a record that does not agree with its table."""
    sentence = _("The record says something else than this table about “%(name)s”.") % {"name": name}
    return Refused(status=409, code="chain", sentence=sentence, at=name)


def _there(view: HandView | None) -> HandView:
    if view is None:
        raise Http404("no such hand")
    return view
