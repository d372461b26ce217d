"""The admin of cups."""

from __future__ import annotations

from django.contrib import admin

from .. import models
from .base import ReadOnlyAdmin


@admin.register(models.Cup)
class CupAdmin(ReadOnlyAdmin):
    list_display = ("name", "slug", "owner", "events", "kind", "public", "closed_at")
    list_filter = ("events", "kind", "public")
    list_select_related = ("owner",)
    search_fields = ("name", "slug", "owner__slug")


@admin.register(models.CupInvitation)
class CupInvitationAdmin(ReadOnlyAdmin):
    list_display = ("cup", "number", "short_name", "state", "created_at", "answered_at")
    list_filter = ("state",)
    list_select_related = ("cup",)
    search_fields = ("short_name", "cup__slug")


@admin.register(models.CupClub)
class CupClubAdmin(ReadOnlyAdmin):
    list_display = ("cup", "club", "joined_at", "left_at")
    list_select_related = ("cup", "club")
    search_fields = ("cup__slug", "club__slug")


@admin.register(models.CupTournament)
class CupTournamentAdmin(ReadOnlyAdmin):
    list_display = ("cup", "tournament")
    list_select_related = ("cup", "tournament")
    search_fields = ("cup__slug", "tournament__club__slug")


@admin.register(models.CupEvening)
class CupEveningAdmin(ReadOnlyAdmin):
    list_display = ("cup", "evening")
    list_select_related = ("cup", "evening__season")
    search_fields = ("cup__slug", "evening__club__slug")


@admin.register(models.CupPerson)
class CupPersonAdmin(ReadOnlyAdmin):
    list_display = ("cup", "number")
    list_select_related = ("cup",)
    search_fields = ("cup__slug",)


@admin.register(models.CupPlayer)
class CupPlayerAdmin(ReadOnlyAdmin):
    list_display = ("cup", "person", "player", "listed_at")
    list_select_related = ("cup", "person", "player")
    search_fields = ("cup__slug", "player__nickname", "player__club__slug")


@admin.register(models.CupConsent)
class CupConsentAdmin(ReadOnlyAdmin):
    list_display = ("user", "agreed_at")
    list_select_related = ("user",)
    search_fields = ("user__email",)
