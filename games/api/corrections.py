"""API views of corrections: preview, correction, the corrections of an evening; and the difference finder."""

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
from league.api.paging import page_of_list
from league.api.parsing import whole_number
from league.api.problems import wrong_field
from league.api.refusals import is_clause
from league.models import Player

from .. import engine_bridge
from ..corrections import replay, selectors, services
from ..corrections.finder.search import Counted, Guess, Search, find
from ..corrections.finder.views import SEARCHED, sentence
from ..corrections.replay import Entry
from ..corrections.selectors import CorrectionView
from ..corrections.services import HandChange, Plan
from ..errors import Refused
from ..models import Correction, Table
from . import answers, bodies, representations
from .base import GamesView, hand_problem
from .body_readers import body_of, correction_of
from .examples import example
from .visibility import Visibility, visibility_at_table

REFUSALS = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
MOST_MINOR = 10**9
AMOUNT = {"type": "integer", "minimum": -MOST_MINOR, "maximum": MOST_MINOR}
COUNTED: dict[str, dict[str, Any]] = {
    "pot_minor": {**AMOUNT, "minimum": 0, "description": gettext_lazy("The counted pot, in Rappen.")},
    "player": {"type": "integer", "minimum": 1, "description": gettext_lazy("The player whose coins were counted.")},
    "balance_minor": {**AMOUNT, "description": gettext_lazy("The counted gain of that player (below 0: a loss).")},
    "antes_in": {"type": "boolean", "description": gettext_lazy("True if the antes of the next hand are in the pot.")},
}


def correction_line(one: CorrectionView, visibility: Visibility) -> dict[str, Any]:
    """Return a correction; sums are None if the reader may not see them."""
    return {
        "id": one.pk,
        "table": one.table.pk,
        "kind": one.kind,
        "number": one.number,
        "sentence": one.sentence,
        "at": one.at,
        "by": visibility.unless_visitor(one.author),
        "reason": visibility.unless_visitor(one.reason),
        "hands": one.hands,
        "players": [
            {
                "player": player,
                "name": visibility.name(player, sums.name),
                "before_minor": visibility.amount(sums.before_minor, player),
                "after_minor": visibility.amount(sums.after_minor, player),
            }
            for player, sums in one.players
        ],
    }


@contextmanager
def naming_seat(at: Table, body: Mapping[str, Any]) -> Iterator[None]:
    """Add the seat to a refusal of the new hand by the rulebook."""
    try:
        yield
    except Refused as refused:
        if not is_clause(refused.code) or "record" not in body or "players" not in body:
            raise
        raise hand_problem(refused, _completed(at, body)) from refused


def _completed(at: Table, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with the fields of the table before the hand, or without them if it is not readable."""
    entry = Entry(tuple(body["players"]), {}, body.get("dealer"))
    try:
        start = selectors.before_hand(at, replay.read(at), entry, body["number"]).start
    except (Refused, ValueError):
        return dict(body["record"])
    return {**body["record"], **start.fields()}


class CorrectionPreview(GamesView):
    """Preview of a correction."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy("Preview of a correction: the changes of players and hands; nothing is stored"),
            answers.CorrectionPreview,
            body=bodies.CorrectionPreviewBody,
            kept=False,
            refusals=(HTTPStatus.NOT_FOUND, *REFUSALS),
            example=example("correction-preview"),
            body_example=example("correction-preview-body"),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        edit = correction_of(body, at.evening.game, self.author.pk if self.author else None)
        with naming_seat(at, body):
            plan = services.plan(table=at, edit=edit)
        return self.answer(_planned(plan, self.visibility_at(at)))


class Corrections(GamesView):
    """Correct the hands of a table."""

    ops = {
        "POST": Op(
            Right.RECORD,
            gettext_lazy(
                "Correct stored hands: change, take out, insert or move one, or change the players in its seats"
            ),
            answers.StoredCorrection,
            status=HTTPStatus.CREATED,
            body=bodies.CorrectionBody,
            refusals=(HTTPStatus.NOT_FOUND, *REFUSALS),
            example=example("correction"),
            body_example=example("correction-body"),
            about=gettext_lazy(
                "Nothing is overwritten: each hand that changes gets a new revision. 409 `later` if a later hand would"
                " become impossible (`details.number`), `final` if the evening is final."
            ),
        )
    }

    def post(self, request: Request, club: str, table: int) -> Response:
        at, body = self.table(table), self.sent()
        edit = correction_of(body, at.evening.game, self.author.pk if self.author else None)
        with naming_seat(at, body):
            done = services.correct(
                table=at,
                edit=edit,
                author=self.author,
                key=self.key,
                reason=" ".join(body["reason"].split()),
                seen=body["fingerprint"],
            )
        return self.answer(_stored(done, self.visibility_at(at)))


class EveningCorrections(GamesView):
    """The corrections of an evening."""

    ops = {
        "GET": Op(
            Right.READ,
            gettext_lazy("The corrections of an evening, newest first"),
            answers.StoredCorrection,
            paged=True,
            example=example("corrections"),
        )
    }

    def get(self, request: Request, club: str, evening: int) -> Response:
        found = self.evening(evening)
        visibility = visibility_at_table(self.access, found)
        made = selectors.corrections_of(found, self.access.names)
        shown, following = page_of_list(request, made, newest_first=True)
        return self.answer_items([correction_line(one, visibility) for one in shown], following)


class DifferenceFinder(GamesView):
    """The difference finder."""

    ops = {
        "GET": Op(
            Right.RECORD,
            gettext_lazy(
                "The counted coins do not agree with the stored hands: which single mistake explains the difference?"
            ),
            answers.DifferenceReport,
            query=COUNTED,
            example=example("difference-finder"),
        )
    }

    def get(self, request: Request, club: str, table: int) -> Response:
        at = self.table(table)
        entries = tuple(replay.read(at))
        played = {player for entry in entries for player in entry.players}
        pot, gains, antes_in = self._counted(played)
        seated = tuple(at.places.order_by("seat").values_list("player_id", flat=True))
        counted = Counted(pot, gains, antes_in and at.evening.state == "open")
        keep = at.evening.game == engine_bridge.KRATZEN
        search = Search(services.before_closing(at), entries[:SEARCHED], seated, counted, keep=keep)
        gap, due = search.gap(), search.due()
        people = dict(Player.objects.filter(pk__in={*played, *seated}).values_list("pk", "nickname"))
        currency = self.visibility_at(at).access.club.currency
        return self.answer(
            {
                "pot": None if pot is None else _counted(pot, due.pot_minor, gap.pot_minor),
                "balance": _counted(next(iter(gains.values())), due.gains[0], gap.gains[0]) if gains else None,
                "agrees": not gap.pot_minor and not any(gap.gains),
                "guesses": [_guess(one, people, currency) for one in find(search)],
            }
        )

    def _counted(self, played: set[int]) -> tuple[int | None, dict[int, int], bool]:
        pot, balance, player = (self._whole_number(name) for name in ("pot_minor", "balance_minor", "player"))
        if pot is not None and pot < 0:
            raise wrong_field("pot_minor", "min_value", _("A pot cannot be below 0."))
        if (balance is None) != (player is None):
            raise wrong_field("player", "balance", _("“player” and “balance_minor” belong together."))
        if pot is None and balance is None:
            raise wrong_field("pot_minor", "required", _("Send a counted amount: the pot, or the gain of a player."))
        if player is not None and player not in played:
            raise wrong_field("player", "player", _("This player has played no hand at this table."))
        antes = self.request.query_params.get("antes_in", "true")
        if antes not in ("true", "false"):
            raise wrong_field("antes_in", "boolean", _("“antes_in” is true or false."))
        gains = {} if player is None or balance is None else {player: balance}
        return pot, gains, antes == "true"

    def _whole_number(self, name: str) -> int | None:
        text = self.request.query_params.get(name)
        if text is None:
            return None
        number = whole_number(text)
        if number is None or abs(number) > MOST_MINOR:
            raise wrong_field(name, "integer", _("“%(name)s” is a whole number.") % {"name": name})
        return number


def _stored(one: Correction, visibility: Visibility) -> dict[str, Any]:
    """Return a correction that was just stored, with the fields of `correction_line`."""
    sums = [(int(p), one.before.get(p, 0), one.after.get(p, 0)) for p in sorted({*one.before, *one.after}, key=int)]
    names = selectors.names_of(player for player, _before, _after in sums)
    return {
        "id": one.pk,
        "table": one.table_id,
        "kind": one.kind,
        "number": one.number,
        "sentence": selectors.sentence_of(one),
        "at": one.created_at,
        "by": visibility.unless_visitor(str(one.author or "")),
        "reason": visibility.unless_visitor(one.reason),
        "hands": one.revisions.values("hand").distinct().count(),
        "players": [
            {"player": player, "name": names.get(player, "?"), "before_minor": before, "after_minor": after}
            for player, before, after in sums
            if before != after
        ],
    }


def _planned(plan: Plan, visibility: Visibility) -> dict[str, Any]:
    names = selectors.names_of({*plan.before, *plan.after, *(plan.seated or ())})
    return {
        "fingerprint": plan.seen,
        "players": [
            {"player": player, "name": names.get(player, "?"), "before_minor": before, "after_minor": after}
            for player, before, after in plan.players
        ],
        "hands": [_change(change, names, visibility) for change in plan.changed],
        "pot_before_minor": plan.pot_before_minor,
        "pot_after_minor": plan.pot_after_minor,
        "seated": None if plan.seated is None else representations.named(plan.seated, names),
    }


def _change(change: HandChange, names: dict[int, str], visibility: Visibility) -> dict[str, Any]:
    before, after = (
        representations.hand(selectors.as_view(one, names), visibility) if one else None
        for one in (change.before, change.after)
    )
    return {"number": change.number, "before": before, "after": after}


def _counted(counted: int, expected: int, gap: int) -> dict[str, int]:
    return {"counted_minor": counted, "expected_minor": expected, "gap_minor": gap}


def _guess(guess: Guess, people: dict[int, str], currency: str, *, others: bool = True) -> dict[str, Any]:
    names = [people.get(player, "?") for player in guess.players]
    shown = {
        "number": guess.number,
        "kind": guess.kind,
        "sentence": sentence(guess, names, currency),
        "players": representations.named(guess.players, people),
        "amount_minor": guess.amount_minor,
        "correction": body_of(guess.edit) if guess.edit else None,
    }
    if others:
        shown["others"] = [_guess(one, people, currency, others=False) for one in guess.others]
    return shown
