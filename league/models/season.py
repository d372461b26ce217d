"""House rules by version, seasons, and their evenings."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .. import played_games
from .people import Club


class HouseRules(models.Model):
    """One version of a club's house rules for one game. Never changed; a change is the next version.

    `values` holds the differences from the game's defaults; `complete` values are read through the game; the league
    does not read them.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="house_rules")
    game = models.CharField(_("game"), max_length=20)
    version = models.PositiveIntegerField(_("version"))
    values = models.JSONField(_("values"), default=dict)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("house rules")
        verbose_name_plural = _("house rules")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "game", "version"], name="house_rules_version_once"),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="house_rules_version_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.game} v{self.version}"


class LeagueSeasons(models.Manager["Season"]):
    """The seasons of the league, without those that hold the chips of a tournament."""

    def get_queryset(self) -> models.QuerySet[Season]:
        return super().get_queryset().filter(in_chips=False)


class Season(models.Model):
    """A run of evenings with one ranking.

    A season `in_chips` holds the rounds of one tournament, each as an evening: its coins are chips, which no sum of
    money includes. `Season.objects` leaves these out, `Season.every` has all.

    Points of a hand: `points_declared` for a declarer who reached the goal, `points_joined` for a joiner who did,
    `points_walkover` for a declarer whom nobody joined, or who joined alone where nobody declares; `points_*_failed`
    for a goal that was not reached. A Muss, which nobody chooses, counts as joined for everybody. The season's points
    are the sum over a player's `best_evenings` best evenings (all, if empty). Only evenings of `games` count (every
    game, if empty). A season with a formula (`formula_version`) ranks by that: the formula sets `ranking`, `games`,
    `best_evenings` and, if it has a number, `planned_evenings`. Formula and points of a closed season (`closed_at`) do
    not change.
    """

    class Ranking(models.TextChoices):
        POINTS = "points", _("by points")
        BALANCE = "balance", _("by balance")

    EVERY_GAME = ""
    GAMES: ClassVar = [
        (EVERY_GAME, _("every game")),
        *((game.name, game.title) for game in played_games.GAMES.values()),
    ]

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    slug = models.SlugField(_("short name"), max_length=40)
    name = models.CharField(_("name"), max_length=80)
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("to"), null=True, blank=True)
    planned_evenings = models.PositiveSmallIntegerField(_("planned evenings"), null=True, blank=True)
    ranking = models.CharField(_("ranking"), max_length=10, choices=Ranking.choices, default=Ranking.POINTS)
    games = models.CharField(_("games that count"), max_length=20, choices=GAMES, blank=True, default=EVERY_GAME)
    best_evenings = models.PositiveSmallIntegerField(_("best evenings that count"), null=True, blank=True)
    points_only = models.BooleanField(
        _("points only"),
        default=False,
        help_text=_("Amounts are shown to nobody and settled with nobody; only points count."),
    )
    points_declared = models.SmallIntegerField(_("points: declared and made"), default=2)
    points_joined = models.SmallIntegerField(_("points: joined and made"), default=1)
    points_walkover = models.SmallIntegerField(_("points: walkover"), default=1)
    points_declared_failed = models.SmallIntegerField(_("points: declared and failed"), default=-2)
    points_joined_failed = models.SmallIntegerField(_("points: joined and failed"), default=-1)
    in_chips = models.BooleanField(_("in chips"), default=False, editable=False)
    # The newest formula (`SeasonFormula`) and its scale; without one the season ranks by the columns above.
    formula_version = models.PositiveIntegerField(_("version of the formula"), null=True, blank=True, editable=False)
    formula_scale = models.PositiveIntegerField(_("stored points for a point"), null=True, blank=True, editable=False)
    # The season's own values of the columns that its formula sets: it gets them back without the formula.
    own_settings = models.JSONField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True, editable=False)
    # The ids of the guests when the season was closed: its final standings do not depend on later guests.
    final_guests = models.JSONField(null=True, blank=True, editable=False)
    # Goes up by one in the transaction of every posting; a worker recounts while it is above the counted mark.
    ledger_mark = models.PositiveBigIntegerField(default=0, editable=False)

    objects: ClassVar[models.Manager[Season]] = LeagueSeasons()
    every: ClassVar[models.Manager[Season]] = models.Manager()

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        base_manager_name = "every"
        ordering: ClassVar = ["-starts_on", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "slug"], name="season_slug_once_a_club"),
            models.CheckConstraint(
                condition=models.Q(best_evenings__isnull=True) | models.Q(best_evenings__gte=1),
                name="season_best_evenings_from_1",
            ),
            models.CheckConstraint(condition=models.Q(ranking__in=["points", "balance"]), name="season_ranking_known"),
            models.CheckConstraint(
                condition=models.Q(points_only=False) | models.Q(ranking="points"),
                name="season_in_points_is_ranked_by_points",
            ),
            models.CheckConstraint(condition=models.Q(games__in=["", *played_games.GAMES]), name="season_games_known"),
            models.CheckConstraint(
                condition=models.Q(in_chips=False) | models.Q(points_only=True), name="season_in_chips_has_no_money"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("season", kwargs={"club": self.club.slug, "season": self.slug})

    @property
    def has_formula(self) -> bool:
        """Return True if the season ranks by a stored formula; else by its own settings."""
        return self.formula_version is not None

    @property
    def points_scale(self) -> int:
        """Return the stored points for one point: with a formula of averages these are thousandths."""
        return self.formula_scale or 1

    @property
    def by_points(self) -> bool:
        """Return True if an evening ranks by points; else by amounts, also if these are chips."""
        return self.ranking == self.Ranking.POINTS and not self.in_chips


class Nights(models.Manager["Evening"]):
    """The evenings of the league, without the rounds of tournaments and without imports that were undone."""

    def get_queryset(self) -> models.QuerySet[Evening]:
        return super().get_queryset().filter(season__in_chips=False, undone_at__isnull=True)


class Evening(models.Model):
    """One game night of a club, in a season. It keeps the house rules with which it began.

    A round of a tournament is an evening of a season in chips. `Evening.nights` leaves these out, `Evening.objects` has
    all. An evening that `is_imported` came from a file; once that import was undone (`undone_at`) it is in no list.

    `settling` is the setting of the club at its beginning, or another one that was chosen for this evening.

    Hands are stored while it is open. A closed evening is provisional until `final_at`: recorders may still correct it.
    Then it is final, and only an owner may reopen it. `state` is stored; `stage()` also considers the time.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    class Stage(models.TextChoices):
        OPEN = "open", _("running")
        PROVISIONAL = "provisional", _("provisional")
        FINAL = "final", _("final")

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="evenings")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="evenings")
    number = models.PositiveIntegerField(_("number"))
    held_on = models.DateField(_("date"))
    game = models.CharField(_("game"), max_length=20)
    house_rules = models.ForeignKey(HouseRules, on_delete=models.PROTECT, related_name="evenings")
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    final_at = models.DateTimeField(_("final from"), null=True, blank=True)
    settling = models.CharField(
        _("settles up"), max_length=10, choices=Club.Settling.choices, default=Club.Settling.END
    )
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    submission = models.OneToOneField(
        "league.Submission", on_delete=models.PROTECT, null=True, blank=True, related_name="evening"
    )
    imported = models.ForeignKey(
        "league.Import", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="evenings"
    )
    undone_at = models.DateTimeField(_("import undone at"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager[Evening]] = models.Manager()
    nights: ClassVar[models.Manager[Evening]] = Nights()

    class Meta:
        verbose_name = _("evening")
        verbose_name_plural = _("evenings")
        ordering: ClassVar = ["-held_on", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "number"], name="evening_number_once_a_season"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="evening_number_from_1"),
            models.CheckConstraint(condition=models.Q(state__in=["open", "closed"]), name="evening_state_known"),
            models.CheckConstraint(condition=models.Q(settling__in=["hands", "end"]), name="evening_settling_known"),
        ]
        # Lists of evenings are by date, the newest first.
        indexes: ClassVar = [
            models.Index(fields=["club", "held_on", "id"], name="evening_club_date"),
            models.Index(fields=["season", "held_on", "number"], name="evening_season_date"),
        ]

    def __str__(self) -> str:
        return f"{self.season} · {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("evening", kwargs={"club": self.club.slug, "evening": self.pk})

    @property
    def title(self) -> str:
        """Return the name of the evening, or of the round, without its season. The season is loaded."""
        title = gettext("Round %(number)s") if self.season.in_chips else gettext("Evening %(number)s")
        return title % {"number": self.number}

    @property
    def is_imported(self) -> bool:
        """Return True if the evening came from a file. Reads no other row."""
        return self.imported_id is not None

    def stage(self, now: datetime | None = None) -> Evening.Stage:
        """Return if the evening is open, provisional or final. A closed one without `final_at` is final."""
        if self.state == self.State.OPEN:
            return self.Stage.OPEN
        if self.final_at is not None and (now or timezone.now()) < self.final_at:
            return self.Stage.PROVISIONAL
        return self.Stage.FINAL


class SeasonReopening(models.Model):
    """A closed season was opened again, for a reason. The entry of the audit log names it."""

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="reopenings")
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("reopening of a season")
        verbose_name_plural = _("reopenings of seasons")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.at:%Y-%m-%d}"
