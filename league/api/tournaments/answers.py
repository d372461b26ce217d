"""Answers of the API of tournaments. What the reader may see, and under which names, they read from the view."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.models import Draw, Entrant, Player, Round, Sheet, Tournament
from league.tournaments import clock, formats
from league.tournaments.draw_package import drawn_round
from league.tournaments.formats import Format
from league.tournaments.outlook import Outlook
from league.tournaments.rounds import RoundTable, hands_limit

from ..bodies import ClockTime

PROGRESS = ("waiting", "playing", "one_sheet", "disagree", "done")
CELL_KINDS = ("played", "mean", "missed", "none")


class FreeText(serializers.CharField):
    """Free text, for people of the club: visitors get an empty one, or null where it may not be empty."""

    def to_representation(self, value: str) -> Any:
        text = self.context["view"].access.names.free_text(value)
        return text or ("" if self.allow_blank else None)


class PlayerName(serializers.CharField):
    """The name of a player, as the reader may see it."""

    def to_representation(self, value: Player | None) -> str:  # type: ignore[override]
        names = self.context["view"].access.names
        shown: str = names.show(value.pk, value.nickname) if value is not None else ""
        return shown


class PlayerAt(serializers.IntegerField):
    """The id of the player with a start number."""

    def to_representation(self, value: int) -> Any:
        return getattr(self.context["view"].people.at(value), "pk", None)


class NameAt(PlayerName):
    """The name of the player with a start number."""

    def to_representation(self, value: int) -> str:  # type: ignore[override]
        return super().to_representation(self.context["view"].people.at(value))


class FormatAnswer(serializers.Serializer[Any]):
    """The format of a tournament (docs/tournaments.md explains each part)."""

    rounds = serializers.IntegerField()
    hands = serializers.IntegerField(help_text=_("Hands a round and table; 0 without a limit."))
    minutes = serializers.IntegerField(help_text=_("Minutes a round; 0 without a clock."))
    wished = serializers.IntegerField(help_text=_("People at a table."))
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=formats.MODES)
    order = serializers.ChoiceField(
        choices=formats.ORDERS, help_text=_("What a draw judges first: repeats, or sizes of tables by turns.")
    )
    slips = serializers.BooleanField()
    chips = serializers.IntegerField(help_text=_("Chips at the beginning of a round, in antes."))
    result = serializers.ChoiceField(choices=formats.RESULTS)
    pot = serializers.ChoiceField(choices=formats.POT_RESTS)
    drop_worst = serializers.IntegerField()
    missed = serializers.ChoiceField(choices=formats.MISSED)
    tie_breaks = serializers.ListField(child=serializers.ChoiceField(choices=formats.TIE_BREAKS))
    final_places = serializers.IntegerField(help_text=_("Places of the final; 0 without a final."))
    final_hands = serializers.IntegerField()
    final_carries = serializers.BooleanField()
    team_size = serializers.IntegerField(help_text=_("Members of a team; 0 without teams."))
    team_best = serializers.IntegerField(help_text=_("So many members count; 0: all."))
    hide_last = serializers.BooleanField()
    two_sheets = serializers.BooleanField()
    break_minutes = serializers.IntegerField()

    def to_representation(self, format: Any) -> dict[str, Any]:
        return super().to_representation(format if isinstance(format, Format) else Format.read(format))


class TournamentLineAnswer(serializers.Serializer[Any]):
    """A tournament in a list. `runs`: the reader is at its desk."""

    slug = serializers.CharField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    begins_at = ClockTime(allow_null=True, help_text=_("Hours and minutes: `19:30`."))
    game = serializers.CharField()
    state = serializers.ChoiceField(choices=Tournament.State.choices)
    entrants = serializers.IntegerField(source="there", help_text=_("Entrants who are not struck."))
    runs = serializers.BooleanField()


class TournamentAnswer(TournamentLineAnswer):
    """A tournament. `lot_seed` is the published seed of the slips and of ties decided by lot, `closed_tables` are the
    table numbers that draws leave out. `names_shown`: its pages show nicknames to everybody while it is played.
    `award_season` (its short name) gets `award_points` by place."""

    fee = serializers.CharField(allow_blank=True)
    prizes = FreeText(allow_blank=True)
    rules_version = serializers.SerializerMethodField(help_text=_("The version of the house rules."))
    format_version = serializers.IntegerField()
    format = FormatAnswer()
    lot_seed = serializers.IntegerField()
    closed_tables = serializers.ListField(child=serializers.IntegerField())
    names_shown = serializers.SerializerMethodField()
    award_season = serializers.CharField(source="award_season.slug", allow_null=True)
    award_points = serializers.ListField(child=serializers.IntegerField())
    rounds_drawn = serializers.IntegerField(source="rounds.count")
    rounds_finished = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()

    def get_rules_version(self, tournament: Tournament) -> int | None:
        return tournament.house_rules.version if self.context["view"].access.sees_rules() else None

    def get_names_shown(self, tournament: Tournament) -> bool:
        return tournament.names_shown_since is not None

    def get_rounds_finished(self, tournament: Tournament) -> int:
        return tournament.rounds.filter(state=Round.State.FINISHED).count()


class PresetAnswer(serializers.Serializer[Any]):
    """A format to start from."""

    code = serializers.CharField()
    name = serializers.CharField()
    explained = serializers.CharField()
    game = serializers.CharField()
    format = FormatAnswer()


class PresetsAnswer(serializers.Serializer[Any]):
    """The formats to start from."""

    items = PresetAnswer(many=True)


class SizeAnswer(serializers.Serializer[Any]):
    """A number of tables of one size."""

    size = serializers.IntegerField()
    tables = serializers.IntegerField()


class OutlookAnswer(serializers.Serializer[Any]):
    """The consequences of the format for a number of entrants. `refused` is the reason why it cannot be played, as a
    sentence; the rest is empty then."""

    entrants = serializers.IntegerField()
    tables = serializers.SerializerMethodField()
    sit_outs = serializers.IntegerField()
    rounds = serializers.IntegerField()
    minutes = serializers.IntegerField()
    ends_at = ClockTime(allow_null=True)
    days_later = serializers.IntegerField()
    repeats = serializers.IntegerField(help_text=_("The least number of repeated meetings."))
    most = serializers.IntegerField(help_text=_("Some two meet at least so many times."))
    refused = serializers.CharField(allow_blank=True)

    @extend_schema_field(SizeAnswer(many=True))
    def get_tables(self, outlook: Outlook) -> list[dict[str, int]]:
        return [{"size": size, "tables": count} for size, count in outlook.tables.items()]


class DeskMemberAnswer(serializers.Serializer[Any]):
    """A person whom an owner named for the desk."""

    person = serializers.IntegerField(source="user_id")
    name = serializers.CharField(source="user")


class DeskAnswer(serializers.Serializer[Any]):
    """The people at the desk besides the owners of the club."""

    people = DeskMemberAnswer(many=True)


class NumberedAnswer(serializers.Serializer[Any]):
    """A start number with the player who has it, as the reader may see the name. `player` is null for an entry that was
    taken out since."""

    number = serializers.IntegerField()
    player = PlayerAt(source="number", allow_null=True)
    name = NameAt(source="number")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return super().to_representation({"number": instance} if isinstance(instance, int) else instance)


class PlayerNameAnswer(serializers.Serializer[Any]):
    """A player, as the reader may see the name."""

    player = serializers.IntegerField(source="pk")
    name = PlayerName(source="*")


class SubstitutionAnswer(serializers.Serializer[Any]):
    """Another player took over the start number from a round on."""

    from_round = serializers.IntegerField()
    left = PlayerNameAnswer()
    came = PlayerNameAnswer()


class EntrantAnswer(serializers.Serializer[Any]):
    """An entrant. `team` and `labels` are empty for visitors; `paid` and `name_hidden` are null for all but the
    desk."""

    number = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id", allow_null=True)
    name = PlayerName(source="player")
    state = serializers.SerializerMethodField()
    checked_in_at = serializers.DateTimeField(allow_null=True)
    joined_round = serializers.IntegerField(allow_null=True)
    withdrawn_round = serializers.IntegerField(allow_null=True)
    team = FreeText(allow_blank=True)
    labels = serializers.SerializerMethodField()
    fixed_table = serializers.IntegerField(allow_null=True)
    slip = serializers.ListField(child=serializers.IntegerField(), allow_null=True, help_text=_("Table and seat."))
    paid = serializers.SerializerMethodField()
    name_hidden = serializers.SerializerMethodField(help_text=_("Not shown by name in the hall."))
    substitutions = SubstitutionAnswer(many=True)

    @extend_schema_field(serializers.ChoiceField(choices=("entered", "here", "withdrawn", "struck")))
    def get_state(self, entrant: Entrant) -> str:
        if entrant.struck:
            return "struck"
        if entrant.withdrawn_round is not None:
            return "withdrawn"
        return "here" if entrant.checked_in_at is not None else "entered"

    def get_labels(self, entrant: Entrant) -> list[str]:
        return entrant.labels if self.context["view"].access.role is not None else []

    def get_paid(self, entrant: Entrant) -> bool | None:
        return entrant.paid if self.context["view"].found.runs else None

    def get_name_hidden(self, entrant: Entrant) -> bool | None:
        return entrant.name_hidden_since is not None if self.context["view"].found.runs else None


class EntrantsAnswer(serializers.Serializer[Any]):
    """The entrants that were entered, in the order of the request."""

    items = EntrantAnswer(many=True)


class DrawTableAnswer(serializers.Serializer[Any]):
    """A table of a draw, its people in the order of play; the first one deals first."""

    number = serializers.IntegerField()
    seats = NumberedAnswer(many=True)


class DrawReportAnswer(serializers.Serializer[Any]):
    """The quality of the rounds, up to and including this one, in the order in which a draw is judged."""

    seed = serializers.IntegerField()
    order = serializers.ChoiceField(choices=formats.ORDERS)
    outs_again = serializers.IntegerField()
    odd_tables = serializers.IntegerField()
    odd_bound = serializers.IntegerField()
    odd_again = serializers.IntegerField()
    odd_uneven = serializers.IntegerField(help_text=_("Seats at such tables missing to an even share."))
    labels_together = serializers.IntegerField()
    labels_bound = serializers.IntegerField()
    most = serializers.IntegerField(help_text=_("The greatest number of meetings of two people."))
    most_bound = serializers.IntegerField()
    repeats = serializers.IntegerField(help_text=_("The meetings after the first one, over all pairs."))
    bound = serializers.IntegerField(help_text=_("The least value of `repeats` that arithmetic allows."))
    bound_by = serializers.CharField(
        allow_blank=True, help_text=_("The reason of `bound`: `people`, `tables` or `turns`; empty if it is 0.")
    )
    searched = serializers.IntegerField(
        help_text=_("The budget, in milliseconds, of the search that found nothing better.")
    )
    neighbours = serializers.IntegerField()
    deals = serializers.IntegerField()
    seats = serializers.IntegerField()
    moved = serializers.IntegerField()

    def to_representation(self, draw: Draw) -> dict[str, Any]:
        return super().to_representation(drawn_round(draw).report)


class DrawLineAnswer(serializers.Serializer[Any]):
    """A draw in a list. `published`: it is the seating of its round."""

    id = serializers.IntegerField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Draw.Kind.choices)
    mode = serializers.CharField()
    seed = serializers.IntegerField()
    published = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()

    def get_published(self, draw: Draw) -> bool:
        return hasattr(draw, "round_of")


class DrawAnswer(DrawLineAnswer):
    """A draw. `changes` are those against the draw before: people who moved, arrived or withdrew, tables that are new
    or closed, and people exchanged by the desk. `left_out`: start numbers that the desk named to sit out."""

    tables = DrawTableAnswer(many=True, source="plan.tables")
    out = NumberedAnswer(many=True, source="plan.out")
    report = DrawReportAnswer(source="*")
    changes = serializers.ListField(child=serializers.DictField(child=serializers.JSONField(allow_null=True)))
    left_out = serializers.ListField(child=serializers.IntegerField())


class ClockAnswer(serializers.Serializer[Any]):
    """The clock of a round in seconds. `remaining` is below 0 after the end, and null without a limit."""

    running = serializers.BooleanField()
    elapsed = serializers.IntegerField()
    remaining = serializers.IntegerField(allow_null=True)

    def to_representation(self, shown_round: Round) -> dict[str, Any]:
        return super().to_representation(
            clock.clock_of(shown_round, Format.read(self.context["view"].tournament.format))
        )


class RoundAnswer(serializers.Serializer[Any]):
    """A published round. `draw` is the id of its draw, `hands` the number of hands each table plays (0: no limit)."""

    number = serializers.IntegerField()
    final = serializers.BooleanField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    draw = serializers.IntegerField(source="draw_id")
    hands = serializers.SerializerMethodField()
    added_minutes = serializers.SerializerMethodField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    sheets_in = serializers.IntegerField()

    def get_hands(self, shown_round: Round) -> int:
        return hands_limit(shown_round, Format.read(self.context["view"].tournament.format))

    def get_added_minutes(self, shown_round: Round) -> int:
        return shown_round.added_seconds // 60


class RoundClockAnswer(serializers.Serializer[Any]):
    """The clock of a round, and the moment at which it was read."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    clock = ClockAnswer(source="*")


class SeatAnswer(NumberedAnswer):
    """A seat of a table with its net chips; null where they are not known or hidden."""

    chips = serializers.IntegerField(allow_null=True)


class RoundTableAnswer(serializers.Serializer[Any]):
    """A table of a round. `progress`: `waiting` for its first hand or sheet, `playing`, `one_sheet` (the second one is
    missing), `disagree` (its sheets differ), `done`. `sheet` is the number of the sheet that counts. `table` is the id
    of the table in the API of an evening."""

    number = serializers.IntegerField()
    table = serializers.IntegerField(source="table_id", allow_null=True)
    progress = serializers.ChoiceField(choices=PROGRESS)
    hands = serializers.IntegerField()
    pot = serializers.SerializerMethodField()
    sheets = serializers.SerializerMethodField()
    sheet = serializers.IntegerField(source="sheet.number", allow_null=True)
    recorder = FreeText(allow_null=True)
    seats = serializers.SerializerMethodField()

    def get_pot(self, round_table: RoundTable) -> int | None:
        return None if self.context["view"].hidden else round_table.pot

    def get_sheets(self, round_table: RoundTable) -> int:
        return len(round_table.sheets)

    @extend_schema_field(SeatAnswer(many=True))
    def get_seats(self, round_table: RoundTable) -> Any:
        chips = {} if self.context["view"].hidden else round_table.chips
        seats = [{"number": number, "chips": chips.get(number)} for number in round_table.seats]
        return SeatAnswer(seats, many=True, context=self.context).data


class RoundTablesAnswer(serializers.Serializer[Any]):
    """The tables of a round. `hidden`: the results of this round are not shown before the prize giving."""

    round = serializers.IntegerField()
    hidden = serializers.BooleanField()
    items = RoundTableAnswer(many=True)


class SheetAnswer(serializers.Serializer[Any]):
    """A sheet: the net chips of each person; with the pot they add up to zero. Free text is null for visitors."""

    id = serializers.UUIDField()
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="table_number")
    number = serializers.IntegerField()
    seats = serializers.SerializerMethodField()
    pot = serializers.IntegerField()
    at_table = serializers.BooleanField()
    decides = serializers.BooleanField()
    reason = FreeText(allow_null=True, allow_blank=True)
    created_at = serializers.DateTimeField()

    @extend_schema_field(SeatAnswer(many=True))
    def get_seats(self, sheet: Sheet) -> Any:
        seats = [{"number": int(number), "chips": chips} for number, chips in sheet.chips.items()]
        return SeatAnswer(seats, many=True, context=self.context).data


class CellAnswer(serializers.Serializer[Any]):
    """One round of a line: `played`; `mean` (a sit-out); `missed`; `none` (nothing to count). A `dropped` value is not
    in the total."""

    round = serializers.IntegerField()
    value = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(choices=CELL_KINDS)
    dropped = serializers.BooleanField()


class RankLineAnswer(NumberedAnswer):
    """A line of the ranking. `before` is the total without the final; `tie` the last tie-break that decided; `shared`:
    others have the same rank."""

    rank = serializers.IntegerField()
    total = serializers.IntegerField()
    before = serializers.IntegerField()
    tie = serializers.ChoiceField(choices=formats.TIE_BREAKS, allow_blank=True)
    shared = serializers.BooleanField()
    withdrawn = serializers.BooleanField()
    finalist = serializers.BooleanField()
    cells = CellAnswer(many=True)


class TeamLineAnswer(serializers.Serializer[Any]):
    """A team. `members` are start numbers, the best one first; those in `count` count. `team` is null for visitors."""

    rank = serializers.IntegerField()
    team = FreeText(allow_null=True)
    total = serializers.IntegerField()
    shared = serializers.BooleanField()
    members = serializers.ListField(child=serializers.IntegerField())
    count = serializers.ListField(child=serializers.IntegerField())


class PrizeAnswer(serializers.Serializer[Any]):
    """A prize for the places `first` to `last`, among all or among those with the label, and who gets it."""

    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    first = serializers.IntegerField()
    last = serializers.IntegerField()
    prize = serializers.CharField()
    numbers = serializers.ListField(child=serializers.IntegerField())


class TournamentRankingAnswer(serializers.Serializer[Any]):
    """The ranking by the finished rounds. `hidden`: the last round is left out until the prize giving."""

    rounds = serializers.IntegerField(help_text=_("The number of finished rounds that are counted."))
    hidden = serializers.BooleanField()
    items = RankLineAnswer(many=True)
    teams = TeamLineAnswer(many=True)
    prizes = PrizeAnswer(
        many=True, help_text=_("The prizes by place; `numbers` are empty until the tournament is finished.")
    )
