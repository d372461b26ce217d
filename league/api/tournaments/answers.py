"""Answers of the API of tournaments. They take the plain data of `representations`."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from league.models import Draw, Round, Tournament
from league.tournaments import formats

from ..shared_fields import SharedFields

PROGRESS = ("waiting", "playing", "one_sheet", "disagree", "done")
CELL_KINDS = ("played", "mean", "missed", "none")


def _of(values: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(value, value) for value in values]


class FormatAnswer(SharedFields):
    """The format of a tournament (docs/tournaments.md explains each part)."""

    rounds = serializers.IntegerField()
    hands = serializers.IntegerField(help_text=_("Hands a round and table; 0 without a limit."))
    minutes = serializers.IntegerField(help_text=_("Minutes a round; 0 without a clock."))
    wished = serializers.IntegerField(help_text=_("People at a table."))
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=_of(formats.MODES))
    slips = serializers.BooleanField()
    chips = serializers.IntegerField(help_text=_("Chips at the beginning of a round, in antes."))
    result = serializers.ChoiceField(choices=_of(formats.RESULTS))
    pot = serializers.ChoiceField(choices=_of(formats.POT_RESTS))
    drop_worst = serializers.IntegerField()
    missed = serializers.ChoiceField(choices=_of(formats.MISSED))
    tie_breaks = serializers.ListField(child=serializers.ChoiceField(choices=_of(formats.TIE_BREAKS)))
    final_places = serializers.IntegerField(help_text=_("Places of the final; 0 without a final."))
    final_hands = serializers.IntegerField()
    final_carries = serializers.BooleanField()
    team_size = serializers.IntegerField(help_text=_("Members of a team; 0 without teams."))
    team_best = serializers.IntegerField(help_text=_("So many members count; 0: all."))
    hide_last = serializers.BooleanField()
    two_sheets = serializers.BooleanField()
    break_minutes = serializers.IntegerField()


class TournamentLineAnswer(SharedFields):
    """A tournament in a list. `runs`: the reader is at its desk."""

    slug = serializers.CharField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    begins_at = serializers.CharField(allow_null=True, help_text=_("Hours and minutes: `19:30`."))
    game = serializers.CharField()
    state = serializers.ChoiceField(choices=Tournament.State.choices)
    entrants = serializers.IntegerField(help_text=_("Entrants who are not struck."))
    runs = serializers.BooleanField()


class TournamentAnswer(TournamentLineAnswer):
    """A tournament. `lot_seed` is the published seed of the slips and of ties decided by lot, `closed_tables` are the
    table numbers that draws leave out. `award_season` (its short name) gets `award_points` by place."""

    fee = serializers.CharField(allow_blank=True)
    prizes = serializers.CharField(allow_blank=True)
    rules_version = serializers.IntegerField(allow_null=True, help_text=_("The version of the house rules."))
    format_version = serializers.IntegerField()
    format = FormatAnswer()
    lot_seed = serializers.IntegerField()
    closed_tables = serializers.ListField(child=serializers.IntegerField())
    award_season = serializers.CharField(allow_null=True)
    award_points = serializers.ListField(child=serializers.IntegerField())
    rounds_drawn = serializers.IntegerField()
    rounds_finished = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class PresetAnswer(SharedFields):
    """A format to start from."""

    code = serializers.CharField()
    name = serializers.CharField()
    explained = serializers.CharField()
    game = serializers.CharField()
    format = FormatAnswer()


class PresetsAnswer(SharedFields):
    """The formats to start from."""

    items = PresetAnswer(many=True)


class SizeAnswer(SharedFields):
    """A number of tables of one size."""

    size = serializers.IntegerField()
    tables = serializers.IntegerField()


class OutlookAnswer(SharedFields):
    """The consequences of the format for a number of entrants. `refused` is the reason why it cannot be played, as a
    sentence; the
    rest is empty then."""

    entrants = serializers.IntegerField()
    tables = SizeAnswer(many=True)
    sit_outs = serializers.IntegerField()
    rounds = serializers.IntegerField()
    minutes = serializers.IntegerField()
    ends_at = serializers.CharField(allow_null=True)
    days_later = serializers.IntegerField()
    repeats = serializers.IntegerField(help_text=_("The least number of repeated meetings."))
    most = serializers.IntegerField(help_text=_("Some two meet at least so many times."))
    refused = serializers.CharField(allow_blank=True)


class DeskMemberAnswer(SharedFields):
    """A person whom an owner named for the desk."""

    person = serializers.IntegerField()
    name = serializers.CharField()


class DeskAnswer(SharedFields):
    """The people at the desk besides the owners of the club."""

    people = DeskMemberAnswer(many=True)


class NumberedAnswer(SharedFields):
    """A start number with the player who has it, as the reader may see the name. `player` is null for an entry that was
    taken out since."""

    number = serializers.IntegerField()
    player = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class PlayerNameAnswer(SharedFields):
    """A player, as the reader may see the name."""

    player = serializers.IntegerField()
    name = serializers.CharField()


class SubstitutionAnswer(SharedFields):
    """Another player took over the start number from a round on."""

    from_round = serializers.IntegerField()
    left = PlayerNameAnswer()
    came = PlayerNameAnswer()


class EntrantAnswer(NumberedAnswer):
    """An entrant. `team` and `labels` are empty for visitors; `paid` is null for all but the desk."""

    state = serializers.ChoiceField(choices=_of(("entered", "here", "withdrawn", "struck")))
    checked_in_at = serializers.DateTimeField(allow_null=True)
    joined_round = serializers.IntegerField(allow_null=True)
    withdrawn_round = serializers.IntegerField(allow_null=True)
    team = serializers.CharField(allow_blank=True)
    labels = serializers.ListField(child=serializers.CharField())
    fixed_table = serializers.IntegerField(allow_null=True)
    slip = serializers.ListField(child=serializers.IntegerField(), allow_null=True, help_text=_("Table and seat."))
    paid = serializers.BooleanField(allow_null=True)
    substitutions = SubstitutionAnswer(many=True)


class EntrantsAnswer(SharedFields):
    """The entrants that were entered, in the order of the request."""

    items = EntrantAnswer(many=True)


class DrawTableAnswer(SharedFields):
    """A table of a draw, its people in the order of play; the first one deals first."""

    number = serializers.IntegerField()
    seats = NumberedAnswer(many=True)


class DrawReportAnswer(SharedFields):
    """The quality of the rounds, up to and including this one, in the order in which a draw is judged."""

    seed = serializers.IntegerField()
    outs_again = serializers.IntegerField()
    odd_tables = serializers.IntegerField()
    odd_again = serializers.IntegerField()
    labels_together = serializers.IntegerField()
    labels_bound = serializers.IntegerField()
    most = serializers.IntegerField(help_text=_("The greatest number of meetings of two people."))
    repeats = serializers.IntegerField(help_text=_("The meetings after the first one, over all pairs."))
    bound = serializers.IntegerField(help_text=_("The least value of `repeats` that arithmetic allows."))
    neighbours = serializers.IntegerField()
    deals = serializers.IntegerField()
    seats = serializers.IntegerField()
    moved = serializers.IntegerField()


class DrawLineAnswer(SharedFields):
    """A draw in a list. `published`: it is the seating of its round."""

    id = serializers.IntegerField()
    round = serializers.IntegerField()
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Draw.Kind.choices)
    mode = serializers.CharField()
    seed = serializers.IntegerField()
    published = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class DrawAnswer(DrawLineAnswer):
    """A draw. `changes` are those against the draw before: people who moved, arrived or withdrew, tables that are new
    or closed, and people exchanged by the desk. `left_out`: start numbers that the desk named to sit out."""

    tables = DrawTableAnswer(many=True)
    out = NumberedAnswer(many=True)
    report = DrawReportAnswer()
    changes = serializers.ListField(child=serializers.DictField(child=serializers.JSONField(allow_null=True)))
    left_out = serializers.ListField(child=serializers.IntegerField())


class ClockAnswer(SharedFields):
    """The clock of a round in seconds. `remaining` is below 0 after the end, and null without a limit."""

    running = serializers.BooleanField()
    elapsed = serializers.IntegerField()
    remaining = serializers.IntegerField(allow_null=True)


class RoundAnswer(SharedFields):
    """A published round. `draw` is the id of its draw, `hands` the number of hands each table plays (0: no limit)."""

    number = serializers.IntegerField()
    final = serializers.BooleanField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    draw = serializers.IntegerField()
    hands = serializers.IntegerField()
    added_minutes = serializers.IntegerField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    sheets_in = serializers.IntegerField()


class RoundClockAnswer(SharedFields):
    """The clock of a round, and the moment at which it was read."""

    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    clock = ClockAnswer()


class SeatAnswer(NumberedAnswer):
    """A seat of a table with its net chips; null where they are not known or hidden."""

    chips = serializers.IntegerField(allow_null=True)


class RoundTableAnswer(SharedFields):
    """A table of a round. `progress`: `waiting` for its first hand or sheet, `playing`, `one_sheet` (the second one is
    missing), `disagree` (its sheets differ), `done`. `sheet` is the number of the sheet that counts. `table` is the id
    of the table in the API of an evening."""

    number = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    progress = serializers.ChoiceField(choices=_of(PROGRESS))
    hands = serializers.IntegerField()
    pot = serializers.IntegerField(allow_null=True)
    sheets = serializers.IntegerField()
    sheet = serializers.IntegerField(allow_null=True)
    recorder = serializers.CharField(allow_null=True)
    seats = SeatAnswer(many=True)


class RoundTablesAnswer(SharedFields):
    """The tables of a round. `hidden`: the results of this round are not shown before the prize giving."""

    round = serializers.IntegerField()
    hidden = serializers.BooleanField()
    items = RoundTableAnswer(many=True)


class SheetAnswer(SharedFields):
    """A sheet: the net chips of each person; with the pot they add up to zero. Free text is null for visitors."""

    id = serializers.UUIDField()
    round = serializers.IntegerField()
    table = serializers.IntegerField()
    number = serializers.IntegerField()
    seats = SeatAnswer(many=True)
    pot = serializers.IntegerField()
    at_table = serializers.BooleanField()
    decides = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True, allow_blank=True)
    created_at = serializers.DateTimeField()


class CellAnswer(SharedFields):
    """One round of a line: `played`; `mean` (a sit-out); `missed`; `none` (nothing to count). A `dropped` value is not
    in the total."""

    round = serializers.IntegerField()
    value = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(choices=_of(CELL_KINDS))
    dropped = serializers.BooleanField()


class RankLineAnswer(NumberedAnswer):
    """A line of the ranking. `before` is the total without the final; `tie` the last tie-break that decided; `shared`:
    others have the same rank."""

    rank = serializers.IntegerField()
    total = serializers.IntegerField()
    before = serializers.IntegerField()
    tie = serializers.ChoiceField(choices=_of(formats.TIE_BREAKS), allow_blank=True)
    shared = serializers.BooleanField()
    withdrawn = serializers.BooleanField()
    finalist = serializers.BooleanField()
    cells = CellAnswer(many=True)


class TeamLineAnswer(SharedFields):
    """A team. `members` are start numbers, the best one first; those in `count` count. `team` is null for visitors."""

    rank = serializers.IntegerField()
    team = serializers.CharField(allow_null=True)
    total = serializers.IntegerField()
    shared = serializers.BooleanField()
    members = serializers.ListField(child=serializers.IntegerField())
    count = serializers.ListField(child=serializers.IntegerField())


class TournamentRankingAnswer(SharedFields):
    """The ranking by the finished rounds. `hidden`: the last round is left out until the prize giving."""

    rounds = serializers.IntegerField(help_text=_("The number of finished rounds that are counted."))
    hidden = serializers.BooleanField()
    items = RankLineAnswer(many=True)
    teams = TeamLineAnswer(many=True)
