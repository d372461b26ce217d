"""Version numbers of objects: each change of an object's pages replaces its number."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club


class Version(models.Model):
    """The version of an object. Triggers replace the number with each change, by every writer.

    It is random, so that a restored database does not reuse a number of earlier contents.
    """

    number = models.BigIntegerField(_("number"))

    made_by_triggers = True

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.pk}: {self.number}"


class ClubVersion(Version):
    """The version of a club with its seasons, evenings and players, without the hands
    (`league/version_triggers.py`)."""

    club = models.OneToOneField(
        Club, on_delete=models.CASCADE, primary_key=True, related_name="version", db_constraint=False
    )

    class Meta:
        verbose_name = _("version of a club")
        verbose_name_plural = _("versions of clubs")
