"""What the API takes about the nights. Only the shape is looked at here; the services decide what can be."""

from __future__ import annotations

import re
import uuid
from typing import Any

from django.core.validators import validate_slug
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.api.bodies import Body
from league.models import Closing

from ..disputes import MAX_TEXT
from ..evenings import MAX_NICKNAME
from ..paper.entry import MOST_LINES
from ..recording import GAMES, MAX_SEATS
from ..services import MAX_REASON

UUID_FORM = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
KEYS = 2**53 - 1
"""Ids go through programs that know no larger whole number."""
MAX_HAND = 1_000_000


class Uuid(serializers.UUIDField):
    """A UUID in its usual form."""

    def to_internal_value(self, data: Any) -> uuid.UUID:
        if not UUID_FORM.fullmatch(str(data)):
            self.fail("invalid", value=data)
        return uuid.UUID(data)


def player_id(**options: Any) -> serializers.IntegerField:
    """A player's id."""
    return serializers.IntegerField(min_value=1, max_value=KEYS, **options)


def seats_of_players(**options: Any) -> serializers.ListField:
    """Players by seat."""
    options = {"min_length": 1, "max_length": MAX_SEATS} | options
    return serializers.ListField(child=player_id(), **options)


def record_field(**options: Any) -> serializers.DictField:
    """A hand record, as `docs/rulebook/hand-record.md` has it."""
    said = _("A hand record: a tally, or every card. What the table knows by itself may be left out.")
    return serializers.DictField(child=serializers.JSONField(allow_null=True), help_text=said, **options)


def reason_field() -> serializers.CharField:
    """Why, in a few words."""
    return serializers.CharField(max_length=MAX_REASON, required=False, allow_blank=True, default="")


class SitsDown(Body):
    """Somebody in the order of play: a player of the roster, or a guest by nickname."""

    player = player_id(required=False)
    guest = serializers.CharField(max_length=MAX_NICKNAME, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two."""
        if len(attrs) != 1:
            raise serializers.ValidationError(_("Name a player or a guest."), code="one_of")
        return attrs


class EveningBegin(Body):
    season = serializers.CharField(max_length=40, validators=[validate_slug])
    held_on = serializers.DateField()
    game = serializers.ChoiceField(choices=[(game, game.title()) for game in GAMES])
    seating = serializers.ListField(
        child=SitsDown(), min_length=2, max_length=MAX_SEATS, help_text=_("The order of play.")
    )
    first_dealer = serializers.IntegerField(
        min_value=0, max_value=MAX_SEATS - 1, help_text=_("The seat that deals first.")
    )
    carry = serializers.BooleanField(
        default=False, help_text=_("Begin with what lies in the box from the last evening.")
    )


class EveningClose(Body):
    pot = serializers.ChoiceField(choices=Closing.Pot.choices)
    present = serializers.ListField(
        child=player_id(), default=list, max_length=200, help_text=_("Among whom the pot is shared, for `share`.")
    )


class EveningReopen(Body):
    reason = reason_field()


class LastHand(Body):
    on = serializers.BooleanField()


class PaymentsMark(Body):
    paid = serializers.BooleanField()
    payments = serializers.ListField(
        child=Uuid(),
        required=False,
        allow_null=True,
        default=None,
        max_length=1000,
        help_text=_("Null: all that stand."),
    )


class DebtsMark(Body):
    payments = serializers.ListField(child=Uuid(), min_length=1, max_length=1000)


class HandRecordOnly(Body):
    record = record_field()


class HandEnter(Body):
    number = serializers.IntegerField(min_value=1, max_value=MAX_HAND, help_text=_("Which hand of the table it is."))
    players = seats_of_players(help_text=_("Who sits there, by seat: what the table told before the hand."))
    record = record_field()


class HandVoid(Body):
    reason = reason_field()


ACTS = ("arrive", "leave", "order", "dealer", "pause", "resume", "split", "merge")


class NightAct(Body):
    """Something that happens between two hands. `act` says which, the other fields what it needs."""

    act = serializers.ChoiceField(choices=[(act, act) for act in ACTS])
    player = player_id(required=False, help_text=_("arrive, leave, dealer: who."))
    guest = serializers.CharField(max_length=MAX_NICKNAME, required=False, help_text=_("arrive: a nickname instead."))
    after = player_id(required=False, help_text=_("arrive, merge: behind whom; the last seat where it is not said."))
    players = seats_of_players(required=False, help_text=_("order: all, anew; split: those who go."))
    dealer = player_id(required=False, help_text=_("split: who deals first there."))
    pot = serializers.ChoiceField(
        choices=[("stays", "stays"), ("heads", "heads")], required=False, help_text=_("split: by heads, or it stays.")
    )
    into = player_id(required=False, help_text=_("merge: the table that all go to."))


CORRECTIONS = ("changed", "voided", "inserted", "moved", "seats")


class CorrectionAsk(Body):
    """A hand put right. `kind` says how, the other fields what it needs.

    `record` is read without what the table knows by itself (pot, dealer, house rules). `keep`: the later hands were
    dealt by whom they were written down with; else the deal moves along.
    """

    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in CORRECTIONS])
    number = serializers.IntegerField(min_value=1, max_value=MAX_HAND)
    players = seats_of_players(required=False, help_text=_("changed, inserted: who sat there, by seat."))
    record = record_field(required=False)
    dealer = player_id(
        required=False, allow_null=True, help_text=_("changed, inserted: who dealt, where that was said.")
    )
    keep = serializers.BooleanField(required=False)
    to = serializers.IntegerField(
        min_value=1, max_value=MAX_HAND, required=False, help_text=_("moved: to which number.")
    )
    last = serializers.IntegerField(
        min_value=1, max_value=MAX_HAND, required=False, help_text=_("seats: up to which hand.")
    )
    who = serializers.ListField(
        child=serializers.ListField(child=player_id(), min_length=2, max_length=2),
        required=False,
        min_length=1,
        max_length=2 * MAX_SEATS,
        help_text=_("seats: pairs of who was written down and who sat there."),
    )


class CorrectionSave(CorrectionAsk):
    reason = reason_field()
    seen = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")


class RulesAsk(Body):
    game = serializers.ChoiceField(choices=[(game, game.title()) for game in GAMES])
    values = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        help_text=_("House rules that differ from the game's defaults; amounts in whole Rappen."),
    )


class RulesSave(RulesAsk):
    follows = serializers.IntegerField(
        min_value=1, max_value=MAX_HAND, help_text=_("The newest version as you know it.")
    )


class DisputeEnd(Body):
    player = player_id()


class DisputeSay(DisputeEnd):
    text = serializers.CharField(max_length=MAX_TEXT, help_text=_("What it was like."))


class DisputeSettled(DisputeEnd):
    text = serializers.CharField(max_length=MAX_TEXT, required=False, allow_blank=True, default="")


class LinesLook(Body):
    number = serializers.IntegerField(min_value=1, max_value=MAX_HAND, help_text=_("The first line is this hand."))
    lines = serializers.ListField(
        child=serializers.CharField(max_length=200), min_length=1, max_length=MOST_LINES, help_text=_("One a hand.")
    )


class LinesSave(LinesLook):
    players = seats_of_players(help_text=_("Who sits there, by seat: what the table told before the hand."))


PENCIL_ACTS = ("take", "over", "ask", "decline", "give", "down")


class PencilAct(Body):
    act = serializers.ChoiceField(choices=[(act, act) for act in PENCIL_ACTS])
    to = player_id(required=False, help_text=_("give: to whom, one of the recorders."))
