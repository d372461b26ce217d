"""Cups: tournaments and evenings of several clubs that count together.

A cup has no results of its own: they are computed from the final standings of its tournaments, and from the results of
its evenings. Of a club that leaves no row stays but the one that says so.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .people import Club, Player
from .season import Evening
from .tournaments import Tournament


class Cup(models.Model):
    """A cup, run by its `owner`. Its short name is unique on the server, and no other club's address is in it.

    `events`: tournaments count, or evenings, or both. An evening is worth points by place alone: its amounts are money,
    which no cup shows.

    `place_points` are those of the first place, the second and so on, for the kind `places`. With `best_of` so many
    best results of a person count; empty: all. `qualifiers`: so many people play the final; empty: there is none.
    A `public` cup is read by whoever may read the club under whose address it is opened; any other one by the members
    of its clubs. Nothing of a closed cup changes but by its tournaments and evenings.
    """

    class Kind(models.TextChoices):
        PLACES = "places", pgettext_lazy("cup", "points by place")
        CHIPS = "chips", pgettext_lazy("cup", "chips of the tournaments")
        POINTS = "points", pgettext_lazy("cup", "points of the tournaments")

    class Events(models.TextChoices):
        TOURNAMENTS = "tournaments", pgettext_lazy("cup", "tournaments")
        EVENINGS = "evenings", pgettext_lazy("cup", "evenings")
        BOTH = "both", pgettext_lazy("cup", "tournaments and evenings")

    owner = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="own_cups")
    slug = models.SlugField(_("short name"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=80)
    events = models.CharField(
        _("what counts"),
        max_length=12,
        choices=Events.choices,
        default=Events.TOURNAMENTS,
        db_default=Events.TOURNAMENTS,
    )
    kind = models.CharField(_("what a result is worth"), max_length=10, choices=Kind.choices, default=Kind.PLACES)
    place_points = models.JSONField(_("points by place"), default=list, blank=True)
    best_of = models.PositiveSmallIntegerField(_("best results that count"), null=True, blank=True)
    qualifiers = models.PositiveSmallIntegerField(_("places in the final"), null=True, blank=True)
    public = models.BooleanField(_("public"), default=False)
    final = models.OneToOneField(
        Tournament, on_delete=models.SET_NULL, null=True, blank=True, related_name="final_of_cup"
    )
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("cup")
        verbose_name_plural = _("cups")
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(kind__in=["places", "chips", "points"]), name="cup_kind_known"),
            models.CheckConstraint(
                condition=models.Q(events__in=["tournaments", "evenings", "both"]), name="cup_events_known"
            ),
            models.CheckConstraint(
                condition=models.Q(events="tournaments") | models.Q(kind="places"), name="cup_evenings_by_place"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def takes_tournaments(self) -> bool:
        """True if tournaments count."""
        return self.events != self.Events.EVENINGS

    @property
    def takes_evenings(self) -> bool:
        """True if evenings count."""
        return self.events != self.Events.TOURNAMENTS


class CupInvitation(models.Model):
    """An invitation to a cup: to the club with a short name, or to whichever club brings its code.

    It names no row of a club, so that it says nothing of a club that does not exist, or wants to be unknown. A code
    is stored as its digest, and used once: then the invitation has the short name of the club that brought it.
    """

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("invitation", "open")
        ACCEPTED = "accepted", pgettext_lazy("invitation", "accepted")
        DECLINED = "declined", pgettext_lazy("invitation", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("invitation", "withdrawn")

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="invitations")
    number = models.PositiveIntegerField(_("number"))
    short_name = models.CharField(_("short name"), max_length=60, blank=True)
    code_digest = models.CharField(_("digest of the code"), max_length=64, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation to a cup")
        verbose_name_plural = _("invitations to cups")
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [models.Index(fields=["short_name", "state"], name="cup_invitation_of_club")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["cup", "number"], name="cup_invitation_number_once"),
            models.UniqueConstraint(
                fields=["cup", "short_name"],
                condition=models.Q(state="open") & ~models.Q(short_name=""),
                name="cup_invitation_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cup_id} · {self.number}"


class CupClub(models.Model):
    """A club that takes part in a cup; the owner does from its beginning. `left_at`: not any more."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="clubs")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="cups")
    joined_at = models.DateTimeField(_("takes part since"))
    left_at = models.DateTimeField(_("left"), null=True, blank=True)

    class Meta:
        verbose_name = _("club of a cup")
        verbose_name_plural = _("clubs of cups")
        constraints: ClassVar = [models.UniqueConstraint(fields=["cup", "club"], name="cup_club_once")]

    def __str__(self) -> str:
        return f"{self.cup_id} · {self.club_id}"


class CupTournament(models.Model):
    """A tournament that counts in a cup, as its club said. It counts once it is finished."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="tournaments")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="cups")

    class Meta:
        verbose_name = _("tournament of a cup")
        verbose_name_plural = _("tournaments of cups")
        constraints: ClassVar = [models.UniqueConstraint(fields=["cup", "tournament"], name="cup_tournament_once")]

    def __str__(self) -> str:
        return f"{self.cup_id} · {self.tournament_id}"


class CupEvening(models.Model):
    """An evening that counts in a cup, as its club said. It counts while it is final."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="evenings")
    evening = models.ForeignKey(Evening, on_delete=models.CASCADE, related_name="cups")

    class Meta:
        verbose_name = _("evening of a cup")
        verbose_name_plural = _("evenings of cups")
        constraints: ClassVar = [models.UniqueConstraint(fields=["cup", "evening"], name="cup_evening_once")]

    def __str__(self) -> str:
        return f"{self.cup_id} · {self.evening_id}"


class CupPerson(models.Model):
    """A line of a cup's list: one person under a number. The cup name is the public name of a player, read from there:
    so it changes, and goes, with the player."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="people")
    number = models.PositiveIntegerField(_("number"))

    class Meta:
        verbose_name = _("person of a cup")
        verbose_name_plural = _("people of cups")
        constraints: ClassVar = [models.UniqueConstraint(fields=["cup", "number"], name="cup_person_number_once")]

    def __str__(self) -> str:
        return f"{self.cup_id} · {self.number}"


class CupPlayer(models.Model):
    """A player of a club under a person of a cup's list, put there by the player's own club."""

    cup = models.ForeignKey(Cup, on_delete=models.CASCADE, related_name="players")
    person = models.ForeignKey(CupPerson, on_delete=models.CASCADE, related_name="players")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="cups")
    listed_at = models.DateTimeField(_("on the list since"), auto_now_add=True)

    class Meta:
        verbose_name = _("player of a cup")
        verbose_name_plural = _("players of cups")
        constraints: ClassVar = [models.UniqueConstraint(fields=["cup", "player"], name="cup_player_once")]

    def __str__(self) -> str:
        return f"{self.cup_id} · {self.player_id}"


class CupConsent(models.Model):
    """The account agreed that its players in several clubs are one person in cups."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="cup_consent")
    agreed_at = models.DateTimeField(_("agreed"))

    class Meta:
        verbose_name = _("consent to cups")
        verbose_name_plural = _("consents to cups")

    def __str__(self) -> str:
        return f"{self.user_id}"
