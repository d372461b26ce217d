"""Evenings that came from a file: the upload while it is prepared, its columns as remembered, and the finished
imports."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .money import Posting, Submission
from .people import Club, Player
from .season import Evening, Season


class ImportKind(models.TextChoices):
    """The kind of data in the rows of a file."""

    TOTALS = "totals", _("totals of evenings")
    SHEET = "sheet", _("sheet: a row for each evening")
    TURNED = "turned", _("sheet: a column for each evening")
    HANDS = "hands", _("hands")


class Upload(models.Model):
    """The rows of a file between the upload and the import. Deleted after the import, at the latest after a day.

    `rows` is a list of lists of text, the heading first, which is row `first_row` of the file. `columns` has the place
    of each column by its meaning (the codes of `league.imports.columns`), of a sheet what
    `league.imports.sheets.SheetColumns` has; `names` the player of each name: an id, or None for a new one. Both are
    None until they were chosen. Of a file with several sheets `sheet` is the name of the chosen one, and `sheets` has
    all of them (`league.imports.reading.Table`).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="uploads")
    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="uploads")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="uploads")
    kind = models.CharField(_("kind"), max_length=10, choices=ImportKind.choices)
    game = models.CharField(_("game"), max_length=20)
    rows = models.JSONField(_("rows"))
    first_row = models.PositiveIntegerField(_("row of the heading"), default=1)
    sheet = models.CharField(_("sheet"), max_length=100, blank=True, default="")
    sheets = models.JSONField(_("sheets"), default=list)
    columns = models.JSONField(_("columns"), null=True)
    names = models.JSONField(_("names"), null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")

    def __str__(self) -> str:
        return f"{self.club_id}: {self.kind}"

    @property
    def chosen(self) -> dict[str, int]:
        """The place of each column (from 0) by its meaning; empty before it was chosen."""
        return self.columns or {}

    @property
    def meant(self) -> dict[str, int | None]:
        """The player of each name; empty before it was chosen."""
        return self.names or {}


class ImportColumns(models.Model):
    """The columns that a club chose for files with this heading, so that the next file begins with them.

    `heading` is the SHA-256 of the heading. Headings of a sheet are names, and the next sheet has others: a club has
    one row for a kind of sheet, with the meaning of each title (`league.imports.sheets`). `sheet` is the SHA-256 of the
    name of the sheet, `used_at` the last time.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="import_columns")
    kind = models.CharField(_("kind"), max_length=10, choices=ImportKind.choices)
    heading = models.CharField(_("heading"), max_length=64)
    sheet = models.CharField(_("sheet"), max_length=64, blank=True, default="")
    columns = models.JSONField(_("columns"))
    used_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("columns of an import")
        verbose_name_plural = _("columns of imports")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "kind", "heading"], name="import_columns_once_a_heading")
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.heading[:12]}"


class Import(models.Model):
    """One import of a file. `undone_at`: its postings were reversed, and its evenings count no longer."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="imports")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="imports")
    kind = models.CharField(_("kind"), max_length=10, choices=ImportKind.choices)
    rows = models.PositiveIntegerField(_("rows"))
    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="imported")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.season_id}: {self.kind}, {self.rows}"


class ImportedEvening(models.Model):
    """The postings of an evening of totals: the gains and losses, and their payment. Append-only.

    `paid` is None where nobody won or lost. `people` is the number of its totals.
    """

    evening = models.OneToOneField(Evening, on_delete=models.PROTECT, primary_key=True, related_name="totals_posted")
    posting = models.OneToOneField(Posting, on_delete=models.PROTECT, related_name="imported_evening")
    paid = models.OneToOneField(
        Posting, on_delete=models.PROTECT, null=True, blank=True, related_name="imported_payment"
    )

    people = models.PositiveSmallIntegerField(_("people"))

    class Meta:
        verbose_name = _("imported evening")
        verbose_name_plural = _("imported evenings")

    def __str__(self) -> str:
        return str(self.evening_id)


class ImportedTotal(models.Model):
    """A player's evening from a file. It counts in the season until its import is undone.

    `hands` is at least 1: an evening without hands has no players.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="imported_totals")
    # The unique constraint begins with it.
    evening = models.ForeignKey(Evening, on_delete=models.PROTECT, related_name="imported_totals", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="imported_totals")
    hands = models.PositiveIntegerField(_("hands"))
    points = models.IntegerField(_("points"))
    change_minor = models.BigIntegerField(_("change"))
    undone = models.BooleanField(_("undone"), default=False)

    class Meta:
        verbose_name = _("imported total")
        verbose_name_plural = _("imported totals")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evening", "player"], name="imported_total_once_a_player"),
            models.CheckConstraint(condition=models.Q(hands__gte=1), name="imported_total_hands_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} · {self.evening_id}"
