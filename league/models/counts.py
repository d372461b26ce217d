"""Rows that workers count from result rows and transfers. `rebuild` counts all of it again."""

from __future__ import annotations

from typing import ClassVar, Protocol

from django.db import models
from django.utils.translation import gettext_lazy as _

from .formula import Team
from .money import Account, Posting
from .people import Player
from .season import Evening, Season


class Ranked(Protocol):
    """The data of a shown line of the standings: a stored `Standing`, or the same as a plain tuple."""

    @property
    def rank(self) -> int: ...
    @property
    def rank_before(self) -> int | None: ...
    @property
    def balance_minor(self) -> int: ...
    @property
    def counted_minor(self) -> int | None: ...
    @property
    def unranked(self) -> str: ...


def shown_rank(line: Ranked) -> int | None:
    """Return the rank of a line; None for a player who is not ranked: the stored number only gives the order."""
    return None if line.unranked else line.rank


def shown_rank_before(line: Ranked) -> int | None:
    """Return the rank before the last evening; None for a player who is not ranked."""
    return None if line.unranked else line.rank_before


def amount_that_counts(line: Ranked) -> int:
    """Return the amount by which a line is ranked: that of a formula of amounts, else the balance."""
    return line.balance_minor if line.counted_minor is None else line.counted_minor


class SeasonCount(models.Model):
    """The last count of a season: up to which ledger mark, when, and how long it took."""

    season = models.OneToOneField(Season, on_delete=models.CASCADE, primary_key=True, related_name="count")
    counted_mark = models.PositiveBigIntegerField(default=0)
    counted_at = models.DateTimeField(null=True)
    took_ms = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("count of a season")
        verbose_name_plural = _("counts of seasons")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.counted_mark}"


class SeasonChances(models.Model):
    """The chances of a season's players as last computed (`league.chances`), with the inputs of the computation.

    `counted_mark` is the counted mark that they are valid for; `seed` the one at which they were computed: while
    `inputs`, a digest of all that they depend on, stays the same, they are not computed again. `running` is the evening
    of that time, which they leave out.
    """

    season = models.OneToOneField(Season, on_delete=models.CASCADE, primary_key=True, related_name="chances")
    counted_mark = models.PositiveBigIntegerField()
    seed = models.PositiveBigIntegerField()
    running = models.ForeignKey(Evening, on_delete=models.CASCADE, null=True, related_name="+")
    inputs = models.CharField(max_length=64)
    computed_at = models.DateTimeField()
    took_ms = models.PositiveIntegerField(default=0)
    values = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("chances of a season")
        verbose_name_plural = _("chances of seasons")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.counted_mark}"


class UncountedPosting(models.Model):
    """A posting that waits to be counted, with the ledger mark to which it raised its season. Stored with the posting,
    deleted by the count that includes it."""

    # Without indexes: few rows wait, postings are never deleted, and this row is written with every hand.
    posting = models.ForeignKey(Posting, on_delete=models.CASCADE, related_name="uncounted", db_index=False)
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="uncounted", db_index=False)
    ledger_mark = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = _("uncounted posting")
        verbose_name_plural = _("uncounted postings")

    def __str__(self) -> str:
        return str(self.posting_id)


class Counters(models.Model):
    """Counters of a player's hands, over an evening or a season."""

    hands = models.PositiveIntegerField(_("hands"))
    declared = models.PositiveIntegerField(_("declared"))
    declared_made = models.PositiveIntegerField(_("declared and made"))
    joined = models.PositiveIntegerField(_("joined"))
    joined_made = models.PositiveIntegerField(_("joined and made"))
    out = models.PositiveIntegerField(_("out"))
    blinds = models.PositiveIntegerField(_("blinds"))
    blinds_made = models.PositiveIntegerField(_("blinds made"))
    walkovers = models.PositiveIntegerField(_("walkovers"))
    susi = models.PositiveIntegerField(_("Susi"))
    biggest_pot_minor = models.BigIntegerField(_("biggest pot won"))
    musses = models.PositiveIntegerField(_("Muss hands"), default=0)
    musses_made = models.PositiveIntegerField(_("Muss hands made"), default=0)

    class Meta:
        abstract = True

    @property
    def contested(self) -> int:
        """The declared hands that somebody joined. A walkover is not played, so it is no success."""
        return self.declared - self.walkovers


class Standing(Counters):
    """A player's line in a season's ranking, with the statistics of the season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="standings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="standings")
    rank = models.PositiveIntegerField(_("rank"))
    rank_before = models.PositiveIntegerField(_("rank before the last evening"), null=True)
    points = models.BigIntegerField(_("points"))
    balance_minor = models.BigIntegerField(_("balance"))
    evenings = models.PositiveIntegerField(_("evenings"))
    best_night_minor = models.BigIntegerField(_("best night"))
    worst_night_minor = models.BigIntegerField(_("worst night"))
    best_night_points = models.BigIntegerField(_("best night in points"))
    worst_night_points = models.BigIntegerField(_("worst night in points"))
    # Only a formula writes these: the amount that it counts, and the reason why the player is not ranked (evenings,
    # hands, guest).
    counted_minor = models.BigIntegerField(_("counted amount"), null=True)
    unranked = models.CharField(_("not ranked because"), max_length=10, blank=True, default="", db_default="")

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering: ClassVar = ["rank", "player__nickname"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "player"], name="standing_once_a_player")]

    def __str__(self) -> str:
        return f"{self.rank}. {self.player_id}"

    @property
    def shown_rank(self) -> int | None:
        """The rank as everybody reads it; None for a player who is not ranked."""
        return shown_rank(self)

    @property
    def shown_rank_before(self) -> int | None:
        """The rank before the last evening, as everybody reads it."""
        return shown_rank_before(self)

    @property
    def amount_minor(self) -> int:
        """The amount that counts."""
        return amount_that_counts(self)


class EveningScore(Counters):
    """A player's evening, with the player's points, balance and rank of the season after it.

    Every player of the season has a row for every evening with hands from the player's first one on. `hands` is 0 if
    the player was absent.
    """

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="evening_scores")
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="scores")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="evening_scores")
    points = models.BigIntegerField(_("points"))
    change_minor = models.BigIntegerField(_("change"))
    points_after = models.BigIntegerField(_("points after the evening"))
    balance_after_minor = models.BigIntegerField(_("balance after the evening"))
    rank_after = models.PositiveIntegerField(_("rank after the evening"))

    class Meta:
        verbose_name = _("evening of a player")
        verbose_name_plural = _("evenings of players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "evening", "player"], name="evening_score_once_a_player")
        ]
        # A player's best and worst evening, also after one of them was voided.
        indexes: ClassVar = [
            models.Index(fields=["season", "player", column], condition=models.Q(hands__gt=0), name=f"score_{name}")
            for column, name in (("points", "points"), ("change_minor", "change"), ("biggest_pot_minor", "pot"))
        ]

    def __str__(self) -> str:
        return f"{self.player_id} · {self.evening_id}"


class TeamStanding(models.Model):
    """A team's line in the ranking of the teams of a season. `points` in the scale of the season's formula;
    `counted_minor` by a formula of amounts."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="team_standings")
    team = models.OneToOneField(Team, on_delete=models.CASCADE, related_name="standing")
    rank = models.PositiveIntegerField(_("rank"))
    points = models.BigIntegerField(_("points"))
    counted_minor = models.BigIntegerField(_("counted amount"), null=True)

    class Meta:
        verbose_name = _("standing of a team")
        verbose_name_plural = _("standings of teams")

    def __str__(self) -> str:
        return f"{self.rank}. team {self.team_id}"


class TeamShare(models.Model):
    """A player's contribution to a team. Only the shares that count (`counts`) are in the sum of the team."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="team_shares")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="shares")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="team_shares")
    points = models.BigIntegerField(_("points"))
    counted_minor = models.BigIntegerField(_("counted amount"), null=True)
    counts = models.BooleanField(_("counts"))

    class Meta:
        verbose_name = _("share of a member")
        verbose_name_plural = _("shares of members")
        constraints: ClassVar = [models.UniqueConstraint(fields=["team", "player"], name="team_share_once_a_player")]

    def __str__(self) -> str:
        return f"{self.player_id} in team {self.team_id}"


class Balance(models.Model):
    """The sum of one season's transfers into (above 0) or out of a ledger account."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="balances")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="balances")
    balance_minor = models.BigIntegerField(_("balance"))

    class Meta:
        verbose_name = _("balance")
        verbose_name_plural = _("balances")
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "account"], name="balance_once_an_account")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.balance_minor}"


class CountFailure(models.Model):
    """A season whose count failed, until a count succeeds: how often, with what, and when the sweep tries again."""

    class Part(models.TextChoices):
        """What is counted."""

        STANDINGS = "standings", _("standings")
        FACTS = "facts", _("facts of the hands")

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="count_failures")
    part = models.CharField(_("part"), max_length=9, choices=Part.choices)
    times = models.PositiveIntegerField(_("times"), default=0)
    # The class of the exception: its text may hold names.
    error = models.CharField(_("error"), max_length=80)
    retry_at = models.DateTimeField(_("next try"))

    class Meta:
        verbose_name = _("failed count")
        verbose_name_plural = _("failed counts")
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "part"], name="count_failure_once_a_part")]

    def __str__(self) -> str:
        return f"{self.season_id} {self.part}: {self.error}"


class Heartbeat(models.Model):
    """The end of the sweep's last run (`at`): if it is long ago, no worker is alive. While one runs, no other begins
    before `busy_until`. Clock, backup and `verify` have a row each, too; `value` is the size of the backup in bytes, or
    the number of differences, `holder` the clock that has the turn until `busy_until`."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField(null=True)
    busy_until = models.DateTimeField(null=True)
    value = models.BigIntegerField(null=True)
    holder = models.UUIDField(null=True)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return f"{self.name}: {self.at:%F %T}" if self.at else self.name
