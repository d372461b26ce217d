"""The admin of tournaments."""

from __future__ import annotations

from django.contrib import admin

from .. import models
from .base import ReadOnlyAdmin


@admin.register(models.TournamentVersion)
class TournamentVersionAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "number")
    list_select_related = ("tournament",)
    search_fields = ("tournament__slug", "tournament__club__slug")


@admin.register(models.Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "starts_on", "game", "state")
    list_filter = ("state", "game")
    list_select_related = ("club",)
    search_fields = ("name", "slug", "club__name", "club__slug")


@admin.register(models.DeskMember)
class DeskMemberAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "user")
    list_select_related = ("tournament", "user")
    search_fields = ("tournament__name", "tournament__club__slug", "user__email")


@admin.register(models.Entrant)
class EntrantAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "number", "player", "joined_round", "withdrawn_round", "struck")
    list_select_related = ("tournament", "player")
    search_fields = ("player__nickname", "tournament__name", "tournament__club__slug")


@admin.register(models.OwnEntry)
class OwnEntryAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "name", "label", "confirmed_at", "created_at")
    list_select_related = ("tournament",)
    search_fields = ("tournament__name", "tournament__club__slug")


@admin.register(models.Substitution)
class SubstitutionAdmin(ReadOnlyAdmin):
    list_display = ("entrant", "left", "came", "from_round", "author", "created_at")
    list_select_related = ("entrant__player", "left", "came", "author")
    search_fields = ("left__nickname", "came__nickname", "entrant__tournament__club__slug")


@admin.register(models.Draw)
class DrawAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "round", "number", "kind", "mode", "author", "created_at")
    list_filter = ("kind",)
    list_select_related = ("tournament", "author")
    search_fields = ("tournament__name", "tournament__club__slug")


@admin.register(models.Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "number", "final", "state", "started_at", "finished_at")
    list_filter = ("state",)
    list_select_related = ("tournament",)
    search_fields = ("tournament__name", "tournament__club__slug")


@admin.register(models.Sheet)
class SheetAdmin(ReadOnlyAdmin):
    list_display = ("round", "table_number", "number", "at_table", "decides", "author", "created_at")
    list_select_related = ("round__tournament", "author")
    search_fields = ("pk", "round__tournament__name", "round__tournament__club__slug")


@admin.register(models.TableCard)
class TableCardAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "table_number")
    list_select_related = ("tournament",)
    search_fields = ("tournament__name", "tournament__club__slug")
    # The code lets its holder record at the table.
    exclude = ("code",)
