"""The admin pages of tables and hands. They are read-only: only `games.hands.services` stores hands."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from league.admin import ReadOnlyAdmin, ReadOnlyInline

from . import models


@admin.register(models.Table)
class TableAdmin(ReadOnlyAdmin):
    list_display = ("evening", "number", "hands", "pot_minor", "dealer", "deal_number")
    list_select_related = ("evening__season", "dealer")
    search_fields = ("evening__season__name", "evening__club__slug")


@admin.register(models.Place)
class PlaceAdmin(ReadOnlyAdmin):
    list_display = ("table", "seat", "player")
    list_select_related = ("table__evening__season", "player")
    search_fields = ("player__nickname",)


@admin.register(models.FirstSeat)
class FirstSeatAdmin(ReadOnlyAdmin):
    list_display = ("table", "seat", "player")
    list_select_related = ("table__evening__season", "player")
    search_fields = ("player__nickname",)


@admin.register(models.Hand)
class HandAdmin(ReadOnlyAdmin):
    list_display = ("pk", "table", "number")
    list_select_related = ("table__evening__season",)
    search_fields = ("pk", "table__evening__club__slug")


class SeatInline(ReadOnlyInline):
    model = models.Seat
    fields = readonly_fields = ("number", "player")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("player")


@admin.register(models.Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = ("hand", "number", "kind", "author", "created_at")
    list_filter = ("kind",)
    list_select_related = ("hand__table__evening__season", "author")
    search_fields = ("hand__pk", "hand__table__evening__club__slug")
    inlines = (SeatInline,)


@admin.register(models.Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ("revision", "number", "player")
    list_select_related = ("revision__hand__table__evening__season", "player")
    search_fields = ("player__nickname",)


@admin.register(models.Correction)
class CorrectionAdmin(ReadOnlyAdmin):
    list_display = ("table", "number", "kind", "author", "created_at")
    list_filter = ("kind",)
    list_select_related = ("table__evening__season", "author")
    search_fields = ("pk", "table__evening__club__slug")


@admin.register(models.Happening)
class HappeningAdmin(ReadOnlyAdmin):
    list_display = ("table", "after", "kind", "author", "created_at")
    list_filter = ("kind",)
    list_select_related = ("table__evening__season", "author")
    search_fields = ("pk", "table__evening__club__slug")


@admin.register(models.Pencil)
class PencilAdmin(ReadOnlyAdmin):
    list_display = ("table", "holder", "seen_at")
    list_select_related = ("table__evening__season", "holder")
    search_fields = ("holder__email", "table__evening__club__slug")


@admin.register(models.Dispute)
class DisputeAdmin(ReadOnlyAdmin):
    list_display = ("hand", "player", "kind", "text", "created_at")
    list_filter = ("kind",)
    list_select_related = ("hand__table__evening__season", "player")
    search_fields = ("player__nickname", "hand__table__evening__club__slug")


@admin.register(models.Verified)
class VerifiedAdmin(ReadOnlyAdmin):
    list_display = ("subject", "at", "state")
    search_fields = ("subject",)


@admin.register(models.TableVersion)
class TableVersionAdmin(ReadOnlyAdmin):
    list_display = ("table", "number")
    list_select_related = ("table__evening__season",)
    search_fields = ("table__evening__club__slug",)
