"""Users, clubs, memberships and players."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class PersonManager(UserManager["User"]):
    """Creates users, who are identified by their mail address instead of a user name."""

    def _create(self, email: str, password: str | None, **fields: Any) -> User:
        if not email:
            raise ValueError("an account needs a mail address")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:  # type: ignore[override]
        """Create a user. Without a password the user cannot sign in until one is set."""
        return self._create(email, password, **fields)

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:  # type: ignore[override]
        """Create a user who runs the server: may use the admin, but is not a member of any club."""
        return self._create(email, password, **fields, is_staff=True, is_superuser=True)


class User(AbstractUser):
    """An account that signs in. A player needs none."""

    username = None  # type: ignore[assignment]
    email = models.EmailField(_("email address"), unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[PersonManager] = PersonManager()

    FORGOTTEN_AT: ClassVar[str] = "forgotten.invalid"
    """The domain of the addresses of deleted accounts; no mail reaches it (RFC 2606)."""

    def __str__(self) -> str:
        if self.forgotten:
            return str(_("somebody forgotten"))
        # Authors are shown to people who may not see the whole mail address.
        return self.get_full_name() or self.email.partition("@")[0]

    @property
    def forgotten(self) -> bool:
        """True if the account was deleted. Its row stays, as hands and audit log refer to it."""
        return self.email.endswith(f"@{self.FORGOTTEN_AT}")


class Club(models.Model):
    """A club and its settings: the tenant to which everything else belongs."""

    class Faces(models.TextChoices):
        FRENCH = "french", _("French cards")
        SWISS = "swiss", _("Swiss-German cards")
        GERMAN = "german", _("German cards")

    class Visibility(models.TextChoices):
        LISTED = "listed", _("public: anybody finds and reads it")
        UNLISTED = "unlisted", _("by its address: whoever knows it may read, no list shows it")
        PRIVATE = "private", _("private: members only")

    class PlayersShown(models.TextChoices):
        """What a visitor sees of a player who has chosen nothing."""

        NICKNAME = "nickname", _("the nickname")
        INITIALS = "initials", _("initials")
        NOBODY = "nobody", _("nobody by name")

    class Settling(models.TextChoices):
        """When the coins of an evening change hands."""

        HANDS = "hands", _("in coins after each hand")
        END = "end", _("at the end of the evening")

    slug = models.SlugField(_("short name"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120)
    place = models.CharField(_("where it plays"), max_length=120, blank=True)
    currency = models.CharField(_("currency"), max_length=3, default="CHF")
    visibility = models.CharField(
        _("who may see it"), max_length=10, choices=Visibility.choices, default=Visibility.LISTED
    )
    publishes_money = models.BooleanField(
        _("publishes amounts"),
        default=False,
        help_text=_("Public pages show money. Without it they show points and counts, never money."),
    )
    players_shown = models.CharField(
        _("visitors see of players"), max_length=10, choices=PlayersShown.choices, default=PlayersShown.INITIALS
    )
    faces = models.CharField(_("cards"), max_length=10, choices=Faces.choices, default=Faces.FRENCH)
    correction_hours = models.PositiveSmallIntegerField(
        _("hours for corrections"),
        default=48,
        help_text=_("So long after its end an evening is provisional; then it is final."),
    )
    forget_after_months = models.PositiveSmallIntegerField(
        _("months until players are forgotten"),
        null=True,
        blank=True,
        help_text=_(
            "Whoever has left the roster and has not played for so long loses the name. Empty: never by itself."
        ),
    )
    counts_tricks = models.BooleanField(
        _("counts tricks"),
        default=False,
        help_text=_("A hand of Chratze is entered with everybody's tricks, not only with who made it."),
    )
    settling = models.CharField(_("settles up"), max_length=10, choices=Settling.choices, default=Settling.END)
    publishes_rules = models.BooleanField(
        _("publishes the house rules"),
        default=False,
        help_text=_("Visitors read the house rules, with antes in place of amounts unless amounts are public."),
    )
    # The keys of the features that are on (`league.features`).
    features = models.JSONField(_("features"), default=list, blank=True)
    # Goes up when the secret links of the feeds are renewed. Empty as long as they never were: SQLite would build the
    # table again, without its triggers, for a column that may not be empty.
    feeds_mark = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # The number of the logo in its address, another one for each logo. Empty without a logo.
    logo_mark = models.PositiveIntegerField(null=True, blank=True, editable=False)
    # Goes up when a name or public name of a player changes: a part of the ETags of pages with names.
    names_mark = models.PositiveIntegerField(default=0, editable=False)
    # The day on which a practice club is deleted with all its rows. Set at creation only: triggers keep it.
    practice_until = models.DateField(_("practice club until"), null=True, blank=True, editable=False)
    # Set by the operator of the server (`league.operator`). Nullable, so that SQLite adds the columns in place.
    suspended_at = models.DateTimeField(_("suspended since"), null=True, blank=True, editable=False)
    suspended_because = models.CharField(
        _("reason of the suspension"), max_length=200, null=True, blank=True, editable=False
    )
    hands_a_day = models.PositiveIntegerField(_("most hands a day"), null=True, blank=True, editable=False)
    most_players = models.PositiveIntegerField(_("most players"), null=True, blank=True, editable=False)
    # The megabytes of the large files that a club may have at a time.
    most_file_mb = models.PositiveIntegerField(_("most megabytes of files"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(faces__in=["french", "swiss", "german"]), name="club_faces_known"
            ),
            models.CheckConstraint(
                condition=models.Q(visibility__in=["listed", "unlisted", "private"]), name="club_visibility_known"
            ),
            models.CheckConstraint(condition=models.Q(settling__in=["hands", "end"]), name="club_settling_known"),
            models.CheckConstraint(
                condition=models.Q(players_shown__in=["nickname", "initials", "nobody"]),
                name="club_players_shown_known",
            ),
            models.CheckConstraint(
                condition=models.Q(practice_until=None) | models.Q(visibility="private"), name="club_practice_private"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", kwargs={"club": self.slug})

    @property
    def public(self) -> bool:
        """True if visitors may read the club."""
        return self.visibility != self.Visibility.PRIVATE


class Role(models.TextChoices):
    """The role of a member; `league.access` has the rights of each."""

    OWNER = "owner", _("owner")
    TREASURER = "treasurer", _("treasurer")
    RECORDER = "recorder", _("recorder")
    MEMBER = "member", _("member")


class Membership(models.Model):
    """The role of a user in a club."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.get_role_display()} · {self.club}"


class Player(models.Model):
    """A name in a club's roster. It may belong to a user.

    `publicity` is the choice of the name for visitors, a new player's that of the club (`players_shown`). `main` is set
    while the player is merged: the hands count for that player. Once `anonymised_at` is set, the nickname is a number
    and the person cannot be identified.
    """

    class Publicity(models.TextChoices):
        INITIALS = "initials", _("initials")
        NICKNAME = "nickname", _("nickname")
        PSEUDONYM = "pseudonym", _("another name")
        NOBODY = "nobody", _("nobody: a number in place of the name")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    nickname = models.CharField(_("nickname"), max_length=40)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="players")
    guest = models.BooleanField(_("guest"), default=False)
    active = models.BooleanField(_("in the roster"), default=True)
    publicity = models.CharField(
        _("shown in public as"), max_length=10, choices=Publicity.choices, default=Publicity.INITIALS
    )
    pseudonym = models.CharField(_("other name"), max_length=40, blank=True)
    main = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="others")
    anonymised_at = models.DateTimeField(_("forgotten"), null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering: ClassVar = ["nickname"]
        constraints: ClassVar = [
            models.UniqueConstraint("club", Lower("nickname"), name="player_nickname_once_a_club"),
            models.UniqueConstraint(
                "club", Lower("pseudonym"), condition=~models.Q(pseudonym=""), name="player_pseudonym_once_a_club"
            ),
            models.CheckConstraint(condition=~models.Q(nickname=""), name="player_has_a_nickname"),
            models.CheckConstraint(
                condition=models.Q(publicity__in=["initials", "nickname", "nobody"])
                | models.Q(publicity="pseudonym") & ~models.Q(pseudonym=""),
                name="player_publicity_known",
            ),
            models.CheckConstraint(
                condition=models.Q(main__isnull=True) | ~models.Q(main=models.F("id")), name="player_not_its_own_main"
            ),
        ]

    def __str__(self) -> str:
        return self.nickname

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the player and its former names, and raise `names_mark`, so that cached pages are outdated."""
        new = self._state.adding
        if not new and self.anonymised_at is None:
            self._keep_former_names()
        super().save(*args, **kwargs)
        if not new:
            Club.objects.filter(pk=self.club_id).update(names_mark=models.F("names_mark") + 1)

    def get_absolute_url(self) -> str:
        return reverse("player", kwargs={"club": self.club.slug, "player": self.pk})

    def called_guest(self, evenings: int) -> bool:
        """Return True if pages call the player a guest, after so many evenings: whoever comes again, or has an
        account, is one of the club. The formula of a season reads `guest` alone."""
        return self.guest and self.user_id is None and evenings <= 1

    def _keep_former_names(self) -> None:
        before = Player.objects.filter(pk=self.pk).values_list("nickname", "pseudonym")
        now = {self.nickname, self.pseudonym, ""}
        gone = [name for names in before for name in names if name not in now]
        FormerName.objects.bulk_create((FormerName(player=self, name=name) for name in gone), ignore_conflicts=True)


class FormerName(models.Model):
    """A nickname or pseudonym that a player had before. Free text may still have it: forgetting a player searches for
    it too. No page of a club shows it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(_("name"), max_length=40)

    class Meta:
        verbose_name = _("former name")
        verbose_name_plural = _("former names")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "name"], name="former_name_once_a_player"),
        ]

    def __str__(self) -> str:
        return self.name
