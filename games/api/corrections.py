"""Hands put right: what a correction would change, the correction itself, and the difference finder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.request import Request
from rest_framework.response import Response

from league.access import Right
from league.api.base import Op
from league.api.problems import wrong_field
from league.api.refusals import is_clause
from league.models import Player

from .. import recording
from ..errors import Refused
from ..mending import corrections, program, reading
from ..mending.corrections import HandChange, Plan
from ..mending.difference import SEARCHED, words
from ..mending.finder import Counted, Guess, Night, find
from ..mending.program import Entry
from ..mending.reading import CorrectionView
from ..models import Correction, Table
from . import answers, bodies, shapes
from .asked import asked_by, edit_of
from .base import NightView, hand_problem
from .examples import example
from .seeing import Eyes, at_table

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
MOST_MINOR = 10**9
AMOUNT = {"type": "integer", "minimum": -MOST_MINOR, "maximum": MOST_MINOR}
COUNTED: dict[str, dict[str, Any]] = {
    "pot_minor": {**AMOUNT, "minimum": 0, "description": gettext_lazy("What was counted in the pot, in Rappen.")},
    "player": {"type": "integer", "minimum": 1, "description": gettext_lazy("Whose purse was counted.")},
    "purse_minor": {**AMOUNT, "description": gettext_lazy("By how much that purse is up (below 0: down).")},
    "antes_in": {"type": "boolean", "description": gettext_lazy("Whether the antes of the next hand are paid.")},
}


def correction_line(one: CorrectionView, eyes: Eyes) -> dict[str, Any]:
    """A correction in words; sums where they are for the asker."""
    return {
        "id": one.pk,
        "table": one.table.pk,
        "kind": one.kind,
        "number": one.number,
        "told": one.said,
        "at": one.at,
        "by": eyes.told_by(one.author),
        "reason": eyes.told_by(one.reason),
        "hands": one.hands,
        "players": [
            {
                "player": player,
                "name": eyes.name(player, sums.name),
                "before_minor": eyes.amount(sums.before_minor, player),
                "after_minor": eyes.amount(sums.after_minor, player),
            }
            for player, sums in one.players
        ],
    }


@contextmanager
def told_by_seat(at: Table, body: Mapping[str, Any]) -> Iterator[None]:
    """Where the rulebook refuses the new hand, the seat that is meant is told beside the place."""
    try:
        yield
    except Refused as refused:
        if not is_clause(refused.code) or "record" not in body or "players" not in body:
            raise
        raise hand_problem(refused, _whole(at, body)) from refused


def _whole(at: Table, body: Mapping[str, Any]) -> dict[str, Any]:
    """The record with what the table knew before the hand, as far as that can be told."""
    entry = Entry(tuple(body["players"]), {}, body.get("dealer"))
    try:
        start = reading.before_hand(at, program.read(at), entry, body["number"]).start
    except (Refused, ValueError):
        return dict(body["record"])
    return {**body["record"], **start.fields()}


class CorrectionPreview(NightView):
    """What a correction would change."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("What a correction would change, for whom and in which hands; nothing is stored"),
            answers.CorrectionPlan,
            body=bodies.CorrectionAsk,
            kept=False,
            refusals=(HTTPStatus.NOT_FOUND, *REFUSALS),
            example=example("correction-preview"),
            body_example=example("correction-ask"),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        edit = edit_of(body, at.evening.game, self.author.pk if self.author else None)
        with told_by_seat(at, body):
            plan = corrections.plan(table=at, edit=edit)
        return self.told(_planned(plan, self.at(at)))


class Corrections(NightView):
    """Corrections of a table's hands."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Put a hand right: changed, taken out, put in, moved, or with other people in its seats"),
            answers.CorrectionDone,
            status=HTTPStatus.CREATED,
            body=bodies.CorrectionSave,
            refusals=(HTTPStatus.NOT_FOUND, *REFUSALS),
            example=example("correction"),
            body_example=example("correction-save"),
            about=gettext_lazy(
                "Nothing is overwritten: each hand that comes out differently gets new states. 409 `later` where a"
                " later hand would become impossible (`details.number`), `final` where the evening is final."
            ),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        edit = edit_of(body, at.evening.game, self.author.pk if self.author else None)
        with told_by_seat(at, body):
            done = corrections.correct(
                table=at,
                edit=edit,
                author=self.author,
                key=self.key,
                reason=" ".join(body["reason"].split()),
                seen=body["seen"],
            )
        return self.told(_stored(done, self.at(at)))


class EveningCorrections(NightView):
    """What was put right in an evening."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("Everything that was put right in an evening, newest first"),
            answers.CorrectionList,
            example=example("corrections"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        found = self.evening(evening)
        eyes = at_table(self.access, found)
        told = [correction_line(one, eyes) for one in reading.corrections_of(found, self.access.names)]
        return self.told({"evening": found.pk, "corrections": told})


class Difference(NightView):
    """The difference finder."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy("Coins were counted and are not what the book says: which single mistake explains it?"),
            answers.Difference,
            query=COUNTED,
            example=example("difference"),
        )
    }

    def get(self, request: Request, club: str, table: int) -> Response:
        at = self.table(table)
        entries = tuple(program.read(at))
        tonight = {player for entry in entries for player in entry.players}
        pot, asked, antes_in = self._counted(tonight)
        seated = tuple(at.places.order_by("seat").values_list("player_id", flat=True))
        counted = Counted(pot, asked, antes_in and at.evening.state == "open")
        keep = at.evening.game == recording.KRATZEN
        night = Night(corrections.opened(at), entries[:SEARCHED], seated, counted, keep=keep)
        gap, due = night.gap(), night.due()
        people = dict(Player.objects.filter(pk__in={*tonight, *seated}).values_list("pk", "nickname"))
        currency = self.at(at).access.club.currency
        return self.told(
            {
                "pot": None if pot is None else _counted(pot, due.pot_minor, gap.pot_minor),
                "purse": _counted(next(iter(asked.values())), due.purses[0], gap.purses[0]) if asked else None,
                "agrees": not gap.pot_minor and not any(gap.purses),
                "guesses": [_guess(one, people, currency) for one in find(night)],
            }
        )

    def _counted(self, tonight: set[int]) -> tuple[int | None, dict[int, int], bool]:
        pot, purse, player = (self._whole(name) for name in ("pot_minor", "purse_minor", "player"))
        if pot is not None and pot < 0:
            raise wrong_field("pot_minor", "min_value", _("There is nothing below 0 in a pot."))
        if (purse is None) != (player is None):
            raise wrong_field("player", "purse", _("“player” and “purse_minor” belong together."))
        if pot is None and purse is None:
            raise wrong_field("pot_minor", "required", _("Say what was counted: the pot, or a purse."))
        if player is not None and player not in tonight:
            raise wrong_field("player", "player", _("This player has played no hand at this table."))
        antes = self.request.query_params.get("antes_in", "true")
        if antes not in ("true", "false"):
            raise wrong_field("antes_in", "boolean", _("“antes_in” is true or false."))
        asked = {} if player is None or purse is None else {player: purse}
        return pot, asked, antes == "true"

    def _whole(self, name: str) -> int | None:
        text = self.request.query_params.get(name)
        if text is None:
            return None
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 17) or abs(int(text)) > MOST_MINOR:
            raise wrong_field(name, "integer", _("“%(name)s” is a whole number.") % {"name": name})
        return int(text)


def _stored(one: Correction, eyes: Eyes) -> dict[str, Any]:
    """A correction that was just stored, as the lists of them tell it."""
    sums = [(int(p), one.before.get(p, 0), one.after.get(p, 0)) for p in sorted({*one.before, *one.after}, key=int)]
    names = reading.names_of(player for player, _before, _after in sums)
    return {
        "id": one.pk,
        "table": one.table_id,
        "kind": one.kind,
        "number": one.number,
        "told": reading.said_of(one),
        "at": one.created_at,
        "by": eyes.told_by(str(one.author or "")),
        "reason": eyes.told_by(one.reason),
        "hands": one.revisions.values("hand").distinct().count(),
        "players": [
            {"player": player, "name": names.get(player, "?"), "before_minor": before, "after_minor": after}
            for player, before, after in sums
            if before != after
        ],
    }


def _planned(plan: Plan, eyes: Eyes) -> dict[str, Any]:
    names = reading.names_of({*plan.before, *plan.after, *(plan.seated or ())})
    return {
        "seen": plan.seen,
        "players": [
            {"player": player, "name": names.get(player, "?"), "before_minor": before, "after_minor": after}
            for player, before, after in plan.players
        ],
        "hands": [_change(change, names, eyes) for change in plan.told],
        "pot_before_minor": plan.pot_before_minor,
        "pot_after_minor": plan.pot_after_minor,
        "seated": None if plan.seated is None else shapes.named(plan.seated, names),
    }


def _change(change: HandChange, names: dict[int, str], eyes: Eyes) -> dict[str, Any]:
    before, after = (
        shapes.hand(reading.as_view(one, names), eyes) if one else None for one in (change.before, change.after)
    )
    return {"number": change.number, "before": before, "after": after}


def _counted(counted: int, due: int, gap: int) -> dict[str, int]:
    return {"counted_minor": counted, "due_minor": due, "gap_minor": gap}


def _guess(guess: Guess, people: dict[int, str], currency: str, *, others: bool = True) -> dict[str, Any]:
    names = [people.get(player, "?") for player in guess.players]
    told = {
        "number": guess.number,
        "kind": guess.kind,
        "told": words(guess, names, currency),
        "players": shapes.named(guess.players, people),
        "amount_minor": guess.amount_minor,
        "correction": asked_by(guess.edit) if guess.edit else None,
    }
    if others:
        told["others"] = [_guess(one, people, currency, others=False) for one in guess.others]
    return told
