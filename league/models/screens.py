"""Links to screens that are opened without an account."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Club


class PubScreenLink(models.Model):
    """The valid link to a club's pub screen. The link is signed and names `number`: a new number ends it."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, primary_key=True, related_name="pub_screen_link")
    number = models.BigIntegerField(_("number"))
    made_at = models.DateTimeField(_("made"), auto_now=True)

    class Meta:
        verbose_name = _("link to a pub screen")
        verbose_name_plural = _("links to pub screens")

    def __str__(self) -> str:
        return f"{self.club_id}"
