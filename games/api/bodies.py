"""Request bodies of the games' API. They check the shape only; the services check the rest."""

from __future__ import annotations

import re
import uuid
from typing import Any

from django.core.validators import validate_slug
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.api.bodies import MAX_ID, Body
from league.models import Closing, Club, PaymentDay
from league.roster.services import MAX_NICKNAME

from ..disputes.services import MAX_TEXT
from ..engine_bridge import GAMES, MAX_SEATS
from ..hands.services import MAX_REASON
from ..models import MAX_NUMBER
from ..paper.typing_back import MOST_LINES

UUID_FORM = re.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class Uuid(serializers.UUIDField):
    """A UUID in its usual form; Django REST framework takes others too."""

    def to_internal_value(self, data: Any) -> uuid.UUID:
        if not UUID_FORM.fullmatch(str(data)):
            self.fail("invalid", value=data)
        return uuid.UUID(data)


def player_id(**options: Any) -> serializers.IntegerField:
    """Return a field for the id of a player."""
    return serializers.IntegerField(min_value=1, max_value=MAX_ID, **options)


def seats_of_players(**options: Any) -> serializers.ListField:
    """Return a field for the ids of the players, by seat."""
    options = {"min_length": 1, "max_length": MAX_SEATS} | options
    return serializers.ListField(child=player_id(), **options)


def record_field(**options: Any) -> serializers.DictField:
    """Return a field for a hand record (`docs/rulebook/hand-record.md`)."""
    help_text = _("A hand record: a tally, or every card. Fields of the table may be left out.")
    return serializers.DictField(child=serializers.JSONField(allow_null=True), help_text=help_text, **options)


def settling_field() -> serializers.ChoiceField:
    """Return a field for the way in which an evening settles up."""
    return serializers.ChoiceField(
        choices=Club.Settling.choices,
        required=False,
        help_text=_(
            "`hands`: in coins after each hand; `end`: at the end. Left out: as the club, or the evening, has it."
        ),
    )


def reason_field() -> serializers.CharField:
    """Return a field for the reason of a write: free text."""
    return serializers.CharField(max_length=MAX_REASON, required=False, allow_blank=True, default="")


class SeatedPersonBody(Body):
    """A person in the order of play: a player of the roster, or a guest by nickname."""

    one_of = ("player", "guest")

    player = player_id(required=False)
    guest = serializers.CharField(max_length=MAX_NICKNAME, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that exactly one of the two fields is sent."""
        if len(attrs) != 1:
            raise serializers.ValidationError(_("Name a player or a guest."), code="one_of")
        return attrs


class NewEveningBody(Body):
    season = serializers.CharField(max_length=40, validators=[validate_slug])
    held_on = serializers.DateField()
    game = serializers.ChoiceField(choices=[(game, game.title()) for game in GAMES])
    seating = serializers.ListField(
        child=SeatedPersonBody(), min_length=2, max_length=MAX_SEATS, help_text=_("The order of play.")
    )
    first_dealer = serializers.IntegerField(
        min_value=0, max_value=MAX_SEATS - 1, help_text=_("The seat of the first dealer.")
    )
    carry = serializers.BooleanField(
        default=False, help_text=_("Start with the pot that the last evening left in the box.")
    )
    settling = settling_field()


class ClosingBody(Body):
    pot = serializers.ChoiceField(choices=Closing.Pot.choices)
    present = serializers.ListField(
        child=player_id(), default=list, max_length=200, help_text=_("For `share`: the players who share the pot.")
    )
    settling = settling_field()


class CashOutBody(Body):
    player = player_id(source="player_id")
    other = player_id(source="other_id", help_text=_("The player who gives or takes the coins."))
    outstanding_minor = serializers.IntegerField(
        source="open_minor",
        min_value=-MAX_ID,
        max_value=MAX_ID,
        help_text=_("The player's outstanding sum as you read it; below 0: to pay."),
    )


class ReopeningBody(Body):
    reason = reason_field()


class LastHandBody(Body):
    on = serializers.BooleanField()


def paid_day_field() -> serializers.DateField:
    """Return the field with the day of payments."""
    return serializers.DateField(
        input_formats=["iso-8601"],
        required=False,
        allow_null=True,
        default=None,
        help_text=_("The day on which they were paid; null: today. A mark that is taken back keeps its day."),
    )


def way_field() -> serializers.ChoiceField:
    """Return the field with the way of payments."""
    return serializers.ChoiceField(
        choices=PaymentDay.Way.choices, default=PaymentDay.Way.CASH, help_text=_("How they were paid.")
    )


class PaymentMarksBody(Body):
    paid = serializers.BooleanField()
    payments = serializers.ListField(
        source="numbers",
        child=Uuid(),
        required=False,
        allow_null=True,
        default=None,
        max_length=1000,
        help_text=_("Null: all payments of the valid closing."),
    )
    day = paid_day_field()
    way = way_field()


class DebtMarksBody(Body):
    paid = serializers.BooleanField(default=True, help_text=_("False takes the marks back."))
    payments = serializers.ListField(source="numbers", child=Uuid(), min_length=1, max_length=1000)
    day = paid_day_field()
    way = way_field()


class HandRecordBody(Body):
    record = record_field()


class NewHandBody(Body):
    number = serializers.IntegerField(
        min_value=1, max_value=MAX_NUMBER, help_text=_("The number of the hand at its table.")
    )
    players = seats_of_players(help_text=_("The players by seat, as the table had them before the hand."))
    record = record_field()


class VoidHandBody(Body):
    reason = reason_field()


SEATING_CHANGES = ("arrive", "leave", "order", "dealer", "pause", "resume", "split", "merge")


class SeatingChangeBody(Body):
    """A seating change between two hands. `kind` decides which of the other fields are needed."""

    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in SEATING_CHANGES])
    player = player_id(required=False, help_text=_("arrive, leave, dealer: the player."))
    guest = serializers.CharField(
        max_length=MAX_NICKNAME, required=False, help_text=_("arrive: the nickname of a guest, in place of a player.")
    )
    after = player_id(
        required=False, help_text=_("arrive, merge: the player in the seat before; the last seat if it is not sent.")
    )
    players = seats_of_players(
        required=False, help_text=_("order: all players in their new order; split: the players who move.")
    )
    dealer = player_id(required=False, help_text=_("split: the first dealer of the new table."))
    pot = serializers.ChoiceField(
        choices=[("stays", "stays"), ("heads", "heads")],
        required=False,
        help_text=_("split: share the pot by heads, or leave it at this table."),
    )
    into = player_id(required=False, help_text=_("merge: the table to which all players move."))


CORRECTIONS = ("changed", "voided", "inserted", "moved", "seats")


class CorrectionPreviewBody(Body):
    """A correction of stored hands. `kind` decides which of the other fields are needed.

    The fields of `record` that the table knows (pot, dealer, house rules) are ignored. `keep`: the later hands keep
    their dealers, else the deal moves along.
    """

    kind = serializers.ChoiceField(choices=[(kind, kind) for kind in CORRECTIONS])
    number = serializers.IntegerField(min_value=1, max_value=MAX_NUMBER)
    players = seats_of_players(required=False, help_text=_("changed, inserted: the players by seat."))
    record = record_field(required=False)
    dealer = player_id(
        required=False, allow_null=True, help_text=_("changed, inserted: the dealer, if the table named one.")
    )
    keep = serializers.BooleanField(required=False)
    to = serializers.IntegerField(
        min_value=1, max_value=MAX_NUMBER, required=False, help_text=_("moved: the new number of the hand.")
    )
    last = serializers.IntegerField(
        min_value=1, max_value=MAX_NUMBER, required=False, help_text=_("seats: the last hand that is corrected.")
    )
    who = serializers.ListField(
        child=serializers.ListField(child=player_id(), min_length=2, max_length=2),
        required=False,
        min_length=1,
        max_length=2 * MAX_SEATS,
        help_text=_("seats: pairs of the recorded player and the player who sat there."),
    )


class CorrectionBody(CorrectionPreviewBody):
    reason = reason_field()
    fingerprint = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")


class HouseRulesBody(Body):
    game = serializers.ChoiceField(choices=[(game, game.title()) for game in GAMES])
    values = serializers.DictField(
        child=serializers.JSONField(allow_null=True),
        help_text=_("House rules that differ from the game's defaults; amounts in whole Rappen."),
    )


class NewHouseRulesBody(HouseRulesBody):
    follows = serializers.IntegerField(
        min_value=1, max_value=MAX_NUMBER, help_text=_("The newest version that you have read.")
    )


class DisputeWithdrawalBody(Body):
    player = player_id(source="player_id")


class NewDisputeBody(DisputeWithdrawalBody):
    text = serializers.CharField(max_length=MAX_TEXT, help_text=_("The kind of the hand."))


class DisputeSettlementBody(DisputeWithdrawalBody):
    text = serializers.CharField(max_length=MAX_TEXT, required=False, allow_blank=True, default="")


class TypedLinesPreviewBody(Body):
    number = serializers.IntegerField(
        min_value=1, max_value=MAX_NUMBER, help_text=_("The number of the hand in the first line.")
    )
    lines = serializers.ListField(
        child=serializers.CharField(max_length=200),
        min_length=1,
        max_length=MOST_LINES,
        help_text=_("One line for each hand."),
    )


class TypedLinesBody(TypedLinesPreviewBody):
    players = seats_of_players(help_text=_("The players by seat, as the table had them before the hand."))


PENCIL_ACTIONS = ("take", "take_over", "ask", "decline", "hand_over", "put_down")


class PencilBody(Body):
    action = serializers.ChoiceField(choices=[(action, action) for action in PENCIL_ACTIONS])
    to = player_id(required=False, help_text=_("hand_over: the user who gets it, one of the recorders."))
