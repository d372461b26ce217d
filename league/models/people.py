"""Clubs, the people who play in them, and who may do what there."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class PersonManager(UserManager["User"]):
    """Accounts are known by their mail address; there is no user name."""

    def _create(self, email: str, password: str | None, **fields: Any) -> User:
        if not email:
            raise ValueError("an account needs a mail address")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:  # type: ignore[override]
        """A person who may sign in; without a password, not until one is set."""
        return self._create(email, password, **fields)

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:  # type: ignore[override]
        """Whoever runs the server: may open the admin, belongs to no club by that."""
        return self._create(email, password, **fields, is_staff=True, is_superuser=True)


class User(AbstractUser):
    """Somebody who may sign in. Players need none."""

    username = None  # type: ignore[assignment]
    email = models.EmailField(_("mail address"), unique=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[PersonManager] = PersonManager()

    def __str__(self) -> str:
        return self.get_full_name() or self.email


class Club(models.Model):
    """One club and what it shows of itself; the tenant that everything else belongs to."""

    class Faces(models.TextChoices):
        FRENCH = "french", _("French faces")
        SWISS = "swiss", _("Swiss-German faces")
        GERMAN = "german", _("German faces")

    slug = models.SlugField(_("short name"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120)
    place = models.CharField(_("where it plays"), max_length=120, blank=True)
    currency = models.CharField(_("currency"), max_length=3, default="CHF")
    listed = models.BooleanField(
        _("public"), default=True, help_text=_("Anybody may read the standings; otherwise members only.")
    )
    publishes_money = models.BooleanField(
        _("publishes amounts"),
        default=False,
        help_text=_("Public pages show money. Without it they show points and counts, never money."),
    )
    faces = models.CharField(_("cards"), max_length=10, choices=Faces.choices, default=Faces.FRENCH)
    correction_hours = models.PositiveSmallIntegerField(
        _("hours for corrections"),
        default=48,
        help_text=_("So long after its end an evening is provisional; then it is final."),
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(faces__in=["french", "swiss", "german"]), name="club_faces_known")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", kwargs={"club": self.slug})


class Role(models.TextChoices):
    """What a member may do in a club; `league.access` says what each role allows."""

    OWNER = "owner", _("owner")
    TREASURER = "treasurer", _("treasurer")
    RECORDER = "recorder", _("recorder")
    MEMBER = "member", _("member")


class Membership(models.Model):
    """One person's role in one club."""

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
    """A name at the table. It may be tied to an account, and need not be."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    nickname = models.CharField(_("nickname"), max_length=40)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="players")
    guest = models.BooleanField(_("guest"), default=False)
    active = models.BooleanField(_("in the roster"), default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering: ClassVar = ["nickname"]
        constraints: ClassVar = [
            models.UniqueConstraint("club", Lower("nickname"), name="player_nickname_once_a_club"),
            models.CheckConstraint(condition=~models.Q(nickname=""), name="player_has_a_nickname"),
        ]

    def __str__(self) -> str:
        return self.nickname

    def get_absolute_url(self) -> str:
        return reverse("player", kwargs={"club": self.club.slug, "player": self.pk})
