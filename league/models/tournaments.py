"""Tournaments: entrants, draws, rounds and sheets. A tournament's chips are the coins of its own season.

Each round is an evening of that season, and each of its tables a table of that evening: hands, transfers and result
rows are stored as on every evening. Triggers refuse UPDATE and DELETE of draws, sheets and substitutions, and transfers
between chips and money (`league/triggers.py`).
"""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .money import Submission
from .people import Club, Player
from .season import Evening, HouseRules, Season
from .versions import Version


class Tournament(models.Model):
    """A tournament of a club.

    `format` is the JSON of `league.tournaments.formats.Format`; `format_version` goes up with each change of
    it. Format and house rules no longer change once the first draw was published. `season` holds the chips. `lot_seed`
    is the published seed of the slips and of ties decided by lot. `award_season` gets points by place, if set:
    `award_points` are those of the first place, the second and so on. `award_evening` stands for the tournament among
    the evenings of that season; nobody plays at it. Since `names_shown_since` visitors see nicknames on its pages while
    it runs (`league.tournaments.hall`); empty: public names. `reveal_step`: the number of places of the podium that
    the big screen shows, from the last one; empty: no podium. With `own_entry_places` people enter themselves to so
    many places, with one of `own_entry_labels`.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("in preparation")
        OPEN = "open", _("open for entries")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        ARCHIVED = "archived", _("archived")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    slug = models.SlugField(_("short name"), max_length=40)
    name = models.CharField(_("name"), max_length=80)
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("to"), null=True, blank=True)
    begins_at = models.TimeField(_("begins at"), null=True, blank=True)
    game = models.CharField(_("game"), max_length=20)
    house_rules = models.ForeignKey(HouseRules, on_delete=models.PROTECT, related_name="tournaments")
    season = models.OneToOneField(Season, on_delete=models.PROTECT, related_name="tournament")
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    format = models.JSONField(_("format"), default=dict)
    format_version = models.PositiveIntegerField(_("version of the format"), default=1)
    fee = models.CharField(_("entry fee"), max_length=120, blank=True)
    prizes = models.TextField(_("prizes"), max_length=1000, blank=True)
    lot_seed = models.PositiveBigIntegerField(_("seed of the lots"), default=0)
    closed_tables = models.JSONField(_("table numbers left out"), default=list, blank=True)
    names_shown_since = models.DateTimeField(_("names shown in the hall since"), null=True, blank=True)
    reveal_step = models.PositiveSmallIntegerField(_("places of the podium shown"), null=True, blank=True)
    own_entry_places = models.PositiveSmallIntegerField(_("places for own entries"), null=True, blank=True)
    own_entry_labels = models.JSONField(_("labels of own entries"), null=True, blank=True)
    award_season = models.ForeignKey(
        Season, on_delete=models.PROTECT, null=True, blank=True, related_name="awarding_tournaments"
    )
    award_points = models.JSONField(_("points by place"), default=list, blank=True)
    reopen_reason = models.CharField(_("opened again because"), max_length=200, blank=True)
    award_evening = models.OneToOneField(
        Evening, on_delete=models.PROTECT, null=True, blank=True, related_name="awarding_tournament"
    )
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="tournament"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering: ClassVar = ["-starts_on", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "slug"], name="tournament_slug_once_a_club"),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "open", "running", "finished", "archived"]),
                name="tournament_state_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", kwargs={"club": self.club.slug, "tournament": self.slug})


class SeasonAward(models.Model):
    """Points of a season for a place in a tournament.

    Rows are written when the tournament is finished, or when the season is chosen later, and deleted when it is opened
    again or another season is chosen.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="awards")
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="awards")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="awards")
    place = models.PositiveSmallIntegerField(_("place"))
    points = models.PositiveIntegerField(_("points"))

    class Meta:
        verbose_name = _("points for a season")
        verbose_name_plural = _("points for a season")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evening", "player"], name="award_once_a_player_and_evening")
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.points}"


class TournamentVersion(Version):
    """The version of a tournament with its entrants, draws, rounds and sheets, without the hands
    (`league/version_triggers.py`)."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, primary_key=True, related_name="version", db_constraint=False
    )

    class Meta:
        verbose_name = _("version of a tournament")
        verbose_name_plural = _("versions of tournaments")


class DeskMember(models.Model):
    """A recorder whom an owner named: runs the tournament as an owner does."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="desk")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("person at the desk")
        verbose_name_plural = _("people at the desk")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "user"], name="desk_member_once_a_tournament")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.user}"


class Entrant(models.Model):
    """A player of a tournament under a start number.

    `player` is the current player; `Substitution` has the earlier ones. `checked_in_at` is set while the person is
    here. `joined_round` is the first round in whose draw the entrant was, sitting out included. An entrant who
    withdraws keeps the rounds played; `withdrawn_round` is the first round without the entrant. A `struck` entrant left
    before the first round.
    `fixed_table` is a table number that nobody else gets. `slip` is the place drawn at check-in: [table, seat, people
    expected]. Since `name_hidden_since` the entrant does not want the nickname shown in the hall.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveIntegerField(_("start number"))
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    labels = models.JSONField(_("labels"), default=list, blank=True)
    team = models.CharField(_("team"), max_length=40, blank=True)
    paid = models.BooleanField(_("paid"), default=False)
    checked_in_at = models.DateTimeField(_("here since"), null=True, blank=True)
    joined_round = models.PositiveSmallIntegerField(_("first round"), null=True, blank=True)
    withdrawn_round = models.PositiveSmallIntegerField(_("withdrawn before round"), null=True, blank=True)
    struck = models.BooleanField(_("struck"), default=False)
    fixed_table = models.PositiveSmallIntegerField(_("fixed table"), null=True, blank=True)
    slip = models.JSONField(_("slip"), null=True, blank=True)
    name_hidden_since = models.DateTimeField(_("name not shown in the hall since"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_number_once_a_tournament"),
            models.UniqueConstraint(fields=["tournament", "player"], name="entrant_player_once_a_tournament"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="entrant_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"


class OwnEntry(models.Model):
    """Somebody who entered on the public page of a tournament, and waits: for the code of the mail, then for the desk.

    The row is deleted once the desk has decided, or the tournament is over. Without a mail there is no code. `tries`
    counts wrong codes. `language` is that of the mails.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="own_entries")
    name = models.CharField(_("name"), max_length=40)
    label = models.CharField(_("label"), max_length=30, blank=True)
    mail = models.EmailField(_("email address"), blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True)
    code = models.CharField(_("digest of the code"), max_length=64, blank=True)
    tries = models.PositiveSmallIntegerField(_("wrong codes"), default=0)
    confirmed_at = models.DateTimeField(_("waits since"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("own entry")
        verbose_name_plural = _("own entries")
        indexes: ClassVar = [models.Index(fields=["tournament", "confirmed_at"], name="own_entry_waiting")]

    def __str__(self) -> str:
        return f"{self.tournament_id} · {self.pk}"


class Substitution(models.Model):
    """Another player took over the number, the table and the results of an entrant, from a round on. Append-only."""

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="substitutions")
    left = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    came = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    from_round = models.PositiveSmallIntegerField(_("from round"))
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("substitution")
        verbose_name_plural = _("substitutions")
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.entrant}: {self.left} → {self.came}"


class Draw(models.Model):
    """The seating of one round, published or not. Append-only: a redraw and a swap are further draws.

    `plan` is {"tables": [{"number": 1, "seats": [start numbers in order, the first deals first]}], "out": [start
    numbers]}, `report` the report of the draw package. `left_out` are start numbers that the desk named to sit out.
    """

    class Kind(models.TextChoices):
        DRAWN = "drawn", _("drawn")
        REDRAWN = "redrawn", _("redrawn")
        SWAPPED = "swapped", _("changed by hand")
        SLIPS = "slips", _("slips drawn at check-in")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="draws")
    round = models.PositiveSmallIntegerField(_("round"))
    number = models.PositiveSmallIntegerField(_("draw"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices, default=Kind.DRAWN)
    mode = models.CharField(_("mode"), max_length=10)
    seed = models.PositiveBigIntegerField(_("seed"))
    plan = models.JSONField(_("seating"))
    report = models.JSONField(_("report"), default=dict)
    changes = models.JSONField(_("changes"), default=list, blank=True)
    left_out = models.JSONField(_("named to sit out"), default=list, blank=True)
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="draw")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        ordering: ClassVar = ["round", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "round", "number"], name="draw_number_once_a_round"),
            models.CheckConstraint(condition=models.Q(round__gte=1, number__gte=1), name="draw_numbers_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.round}.{self.number}"


class Round(models.Model):
    """A published round: its draw, its evening, its clock.

    `elapsed_seconds` is the time that the clock ran before `running_since`; while that is empty the clock is stopped.
    `running_ticks` is the computer's time since its start (`boot`) at that moment: it goes on evenly when somebody sets
    the clock of the computer. `added_seconds` is the time that the desk added to the format's time.
    """

    class State(models.TextChoices):
        DRAWN = "drawn", _("drawn")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"))
    final = models.BooleanField(_("final"), default=False)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAWN)
    draw = models.OneToOneField(Draw, on_delete=models.PROTECT, related_name="round_of")
    evening = models.OneToOneField(Evening, on_delete=models.PROTECT, related_name="round")
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    running_since = models.DateTimeField(_("running since"), null=True, blank=True)
    running_ticks = models.FloatField(_("computer's seconds at that moment"), null=True, blank=True)
    boot = models.CharField(_("start of the computer"), max_length=40, blank=True)
    elapsed_seconds = models.FloatField(_("seconds that ran before"), default=0)
    added_seconds = models.IntegerField(_("seconds added"), default=0)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    sheets_in = models.PositiveIntegerField(_("sheets handed in"), default=0)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once_a_tournament"),
            models.CheckConstraint(
                condition=models.Q(state__in=["drawn", "playing", "finished"]), name="round_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.number}"


class Sheet(models.Model):
    """The result of one table of a round as handed in, without its hands. Append-only.

    `chips` are the net chips by start number as text; with `pot` they add up to zero. A sheet of the desk that
    `decides` counts before all others; else the newest one counts if all that were handed in since the last decision
    agree.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="sheets")
    table_number = models.PositiveSmallIntegerField(_("table"))
    number = models.PositiveSmallIntegerField(_("sheet"))
    chips = models.JSONField(_("net chips"))
    pot = models.BigIntegerField(_("left in the pot"), default=0)
    at_table = models.BooleanField(_("handed in at the table"), default=False)
    decides = models.BooleanField(_("decides"), default=False)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="sheet")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("sheet")
        verbose_name_plural = _("sheets")
        ordering: ClassVar = ["table_number", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "table_number", "number"], name="sheet_number_once_a_table"),
            models.CheckConstraint(condition=models.Q(pot__gte=0), name="sheet_pot_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.round} · {self.table_number}.{self.number}"


class TableCard(models.Model):
    """The card of one table number of a tournament, with a code that opens the table of the round that is played.

    Its holder records without an own account, under `user`: the account of the card, to which nobody signs in.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="cards")
    table_number = models.PositiveSmallIntegerField(_("table"))
    code = models.CharField(_("code"), max_length=32, unique=True)
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="table_card")

    class Meta:
        verbose_name = _("table card")
        verbose_name_plural = _("table cards")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "table_number"], name="table_card_once_a_table")
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.table_number}"
