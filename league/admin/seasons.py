"""The admin of seasons, evenings, formulas, teams and imports."""

from __future__ import annotations

from django.contrib import admin

from .. import models
from .base import ReadOnlyAdmin


@admin.register(models.Season)
class SeasonAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "starts_on", "ends_on", "ranking", "ledger_mark")
    list_filter = ("ranking",)
    list_select_related = ("club",)
    search_fields = ("name", "slug", "club__name", "club__slug")


@admin.register(models.Evening)
class EveningAdmin(ReadOnlyAdmin):
    list_display = ("number", "season", "club", "held_on", "game", "state")
    list_filter = ("state",)
    list_select_related = ("season", "club")
    search_fields = ("season__name", "club__name", "club__slug")


@admin.register(models.PlannedEvening)
class PlannedEveningAdmin(ReadOnlyAdmin):
    list_display = ("held_on", "begins_at", "season", "club", "cancelled_at")
    list_select_related = ("season", "club")
    search_fields = ("season__name", "club__name", "club__slug")


@admin.register(models.Attendance)
class AttendanceAdmin(ReadOnlyAdmin):
    list_display = ("planned_evening", "player", "answer", "answered_at")
    list_select_related = ("planned_evening", "player")
    search_fields = ("player__nickname", "player__club__slug")


@admin.register(models.Reserve)
class ReserveAdmin(ReadOnlyAdmin):
    list_display = ("player", "place")
    list_select_related = ("player",)
    search_fields = ("player__nickname", "player__club__slug")


@admin.register(models.EveningToTell)
class EveningToTellAdmin(ReadOnlyAdmin):
    list_display = ("evening", "busy_until")
    list_select_related = ("evening__season",)
    search_fields = ("evening__club__slug",)


@admin.register(models.HouseRules)
class HouseRulesAdmin(ReadOnlyAdmin):
    list_display = ("club", "game", "version", "author", "created_at")
    list_select_related = ("club", "author")
    search_fields = ("club__name", "club__slug")


@admin.register(models.SeasonFormula)
class SeasonFormulaAdmin(ReadOnlyAdmin):
    list_display = ("season", "version", "author", "created_at")
    list_select_related = ("season", "author")
    search_fields = ("season__name", "season__club__slug")


@admin.register(models.SeasonAdjustment)
class SeasonAdjustmentAdmin(ReadOnlyAdmin):
    list_display = ("season", "player", "points", "day", "at", "undone_at")
    list_select_related = ("season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.SeasonReopening)
class SeasonReopeningAdmin(ReadOnlyAdmin):
    list_display = ("season", "author", "at")
    list_select_related = ("season", "author")
    search_fields = ("season__name", "season__club__slug")


@admin.register(models.Team)
class TeamAdmin(ReadOnlyAdmin):
    list_display = ("season", "number", "name", "author")
    list_select_related = ("season", "author")
    search_fields = ("name", "season__name", "season__club__slug")


@admin.register(models.TeamStay)
class TeamStayAdmin(ReadOnlyAdmin):
    list_display = ("season", "player", "team", "since")
    list_select_related = ("season", "player", "team")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.SeasonAward)
class SeasonAwardAdmin(ReadOnlyAdmin):
    list_display = ("season", "player", "place", "points")
    list_select_related = ("season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = ("season", "kind", "rows", "author", "created_at", "undone_at")
    list_select_related = ("season", "author")
    search_fields = ("season__name", "season__club__slug")


@admin.register(models.ImportedEvening)
class ImportedEveningAdmin(ReadOnlyAdmin):
    list_display = ("evening", "posting", "paid")
    list_select_related = ("evening__season", "posting", "paid")
    search_fields = ("evening__season__name", "evening__season__club__slug")


@admin.register(models.ImportedTotal)
class ImportedTotalAdmin(ReadOnlyAdmin):
    list_display = ("evening", "player", "hands", "points", "undone")
    list_select_related = ("evening__season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.ImportColumns)
class ImportColumnsAdmin(ReadOnlyAdmin):
    list_display = ("club", "kind", "heading")
    list_select_related = ("club",)
    search_fields = ("club__name", "club__slug")


@admin.register(models.Upload)
class UploadAdmin(ReadOnlyAdmin):
    """Without the rows of the file: these may be of anybody."""

    list_display = ("club", "season", "kind", "author", "created_at")
    list_select_related = ("club", "season", "author")
    search_fields = ("club__name", "club__slug")
    exclude = ("rows", "sheet", "sheets", "names")
