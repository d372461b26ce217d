"""Request bodies of the API of tournaments. They check the shape only; the services check the rest."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.roster.services import MAX_NICKNAME
from league.tournaments import entries, formats, rounds, services, sheets
from league.tournaments.differing_sheets import MAX_REASON

from ..bodies import MAX_ID, Body, ClockTime, Patch

MAX_PEOPLE = 500
MAX_NUMBER = 100_000
MAX_TABLE = 999


def number_field(**options: Any) -> serializers.IntegerField:
    """Return a field for a start number."""
    return serializers.IntegerField(min_value=1, max_value=MAX_NUMBER, **options)


def table_field(**options: Any) -> serializers.IntegerField:
    """Return a field for a table number."""
    return serializers.IntegerField(min_value=1, max_value=MAX_TABLE, **options)


def day_field(**options: Any) -> serializers.DateField:
    """Return a field for a day."""
    return serializers.DateField(input_formats=["iso-8601"], **options)


def reason_field() -> serializers.CharField:
    """Return a field for the reason of a write: free text."""
    return serializers.CharField(max_length=MAX_REASON, required=False, allow_blank=True, default="")


class FormatPartsBody(Body):
    """Parts of a format (docs/tournaments.md explains each)."""

    rounds = serializers.IntegerField(min_value=1, max_value=formats.MAX_ROUNDS, required=False)
    hands = serializers.IntegerField(min_value=0, max_value=200, required=False)
    minutes = serializers.IntegerField(min_value=0, max_value=600, required=False)
    wished = serializers.IntegerField(min_value=3, max_value=7, required=False)
    least = serializers.IntegerField(min_value=3, max_value=7, required=False)
    most = serializers.IntegerField(min_value=3, max_value=7, required=False)
    mode = serializers.ChoiceField(choices=formats.MODES, required=False)
    order = serializers.ChoiceField(choices=formats.ORDERS, required=False)
    slips = serializers.BooleanField(required=False)
    chips = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    result = serializers.ChoiceField(choices=formats.RESULTS, required=False)
    pot = serializers.ChoiceField(choices=formats.POT_RESTS, required=False)
    drop_worst = serializers.IntegerField(min_value=0, max_value=formats.MAX_ROUNDS, required=False)
    missed = serializers.ChoiceField(choices=formats.MISSED, required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=formats.TIE_BREAKS),
        required=False,
        max_length=len(formats.TIE_BREAKS),
    )
    final_places = serializers.IntegerField(min_value=0, max_value=7, required=False)
    final_hands = serializers.IntegerField(min_value=1, max_value=200, required=False)
    final_carries = serializers.BooleanField(required=False)
    team_size = serializers.IntegerField(min_value=0, max_value=4, required=False)
    team_best = serializers.IntegerField(min_value=0, max_value=4, required=False)
    hide_last = serializers.BooleanField(required=False)
    two_sheets = serializers.BooleanField(required=False)
    break_minutes = serializers.IntegerField(min_value=0, max_value=240, required=False)


class TournamentFormatBody(FormatPartsBody, Patch):
    """The parts of a format that change."""


class TournamentFieldsBody(Body):
    """The fields of a tournament that a new one and a change have."""

    name = serializers.CharField(max_length=services.TEXTS["name"])
    starts_on = day_field()
    ends_on = day_field(required=False, allow_null=True)
    begins_at = ClockTime(required=False, allow_null=True)
    game = serializers.CharField(max_length=20, required=False)
    fee = serializers.CharField(max_length=services.TEXTS["fee"], required=False, allow_blank=True)
    prizes = serializers.CharField(max_length=services.TEXTS["prizes"], required=False, allow_blank=True)


class NewTournamentBody(TournamentFieldsBody):
    """A new tournament. Its format begins with `preset`, or with the defaults; `format` changes parts of it."""

    preset = serializers.CharField(max_length=20, required=False)
    format = FormatPartsBody(required=False)


class TournamentChangeBody(TournamentFieldsBody, Patch):
    """The fields of a tournament that can be changed. The game only before the first draw."""

    closed_tables = serializers.ListField(
        child=table_field(), max_length=MAX_TABLE, help_text=_("Table numbers that draws leave out.")
    )
    names_shown = serializers.BooleanField(
        help_text=_("While it is played, its pages and its screen show nicknames to everybody.")
    )


STEPS = ("open", "take_back", "finish", "reopen", "archive", "unarchive")


class TournamentStepBody(Body):
    """A step of a tournament's life. `take_back`: back into preparation; `reopen` needs a reason."""

    step = serializers.ChoiceField(choices=STEPS)
    reason = reason_field()


class TournamentAwardBody(Body):
    """Points of a season by place. Without a season no points are given."""

    season = serializers.SlugField(max_length=40, allow_null=True)
    points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=10_000), default=list, max_length=services.MAX_AWARDS
    )


class PersonOfClubBody(Body):
    """A player of the roster, or a guest by nickname."""

    one_of = ("player", "guest")

    player = serializers.IntegerField(source="player_id", min_value=1, max_value=MAX_ID, required=False)
    guest = serializers.CharField(source="nickname", max_length=MAX_NICKNAME, required=False)

    def validate(self, attrs: dict[str, Any]) -> Any:
        """Check that exactly one of the two fields is sent."""
        if ("player_id" in attrs) is ("nickname" in attrs):
            raise serializers.ValidationError(_("Name a player or a guest."), code="one_of")
        return entries.Newcomer(**attrs)


class SubstituteBody(PersonOfClubBody):
    """The player who takes over the start number."""

    def validate(self, attrs: dict[str, Any]) -> Any:
        return {"newcomer": super().validate(attrs)}


def labels_field(**options: Any) -> serializers.ListField:
    """Return a field for labels: people with one label sit at different tables where that is possible."""
    child = serializers.CharField(max_length=entries.MAX_LABEL)
    return serializers.ListField(child=child, max_length=entries.MAX_LABELS, **options)


class NewEntrantBody(PersonOfClubBody):
    """A person to enter. `here`: checked in at once."""

    labels = labels_field(required=False)
    team = serializers.CharField(max_length=entries.MAX_TEAM, required=False, allow_blank=True)
    paid = serializers.BooleanField(required=False)
    here = serializers.BooleanField(required=False)


class EnterBody(Body):
    """The people to enter: all of them or none."""

    people = serializers.ListField(child=NewEntrantBody(), min_length=1, max_length=MAX_PEOPLE)


class EntrantChangeBody(Patch):
    """Fields of an entrant set by the desk. A fixed table is one that nobody else gets; null: none. `name_hidden`: the
    entrant is not shown by name in the hall."""

    labels = labels_field()
    team = serializers.CharField(max_length=entries.MAX_TEAM, allow_blank=True)
    fixed_table = table_field(allow_null=True)
    name_hidden = serializers.BooleanField()


class CheckInBody(Body):
    """Whether the entrant is here."""

    here = serializers.BooleanField(default=True)


class PaidBody(Body):
    """Whether the entry fee was paid."""

    paid = serializers.BooleanField(default=True)


class NewDrawBody(Body):
    """A draw of the next round. Left out: the mode of the format, a new seed."""

    mode = serializers.ChoiceField(choices=formats.MODES, required=False)
    seed = serializers.IntegerField(min_value=0, max_value=services.MAX_SEED, required=False)
    left_out = serializers.ListField(
        child=number_field(), default=list, max_length=formats.MAX_ENTRANTS, help_text=_("Start numbers that sit out.")
    )
    despite_open = serializers.BooleanField(
        default=False, help_text=_("Draw although the round before is still being played.")
    )


class DrawAgainBody(Body):
    """Another seed; left out: that of the draw before."""

    seed = serializers.IntegerField(min_value=0, max_value=services.MAX_SEED, required=False)


class DrawPublishBody(Body):
    """The publication of a draw."""

    despite_open = serializers.BooleanField(
        default=False, help_text=_("Publish although the round before is still being played.")
    )


class DrawSwapBody(Body):
    """The start numbers of the two who exchange their places."""

    a = number_field()
    b = number_field()


class MinutesBody(Body):
    """Minutes to add to the time of the round; below 0 they are taken away."""

    minutes = serializers.IntegerField(min_value=-rounds.MAX_MINUTES, max_value=rounds.MAX_MINUTES)


class RoundFinishBody(Body):
    """`despite_open`: although tables are not done."""

    despite_open = serializers.BooleanField(default=False)


class RoundReopenBody(Body):
    """The reason why a finished round is opened again."""

    reason = serializers.CharField(max_length=MAX_REASON)


class SheetSeatBody(Body):
    """The net chips of one person."""

    number = number_field()
    chips = serializers.IntegerField(min_value=-sheets.MAX_CHIPS, max_value=sheets.MAX_CHIPS)


class NewSheetBody(Body):
    """The result of a table. `decides`: the desk says that this sheet counts."""

    table = table_field()
    seats = serializers.ListField(child=SheetSeatBody(), min_length=2, max_length=7)
    pot = serializers.IntegerField(min_value=0, max_value=sheets.MAX_CHIPS, default=0)
    decides = serializers.BooleanField(default=False)
    reason = reason_field()
