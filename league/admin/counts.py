"""The admin of the rows that workers count."""

from __future__ import annotations

from django.contrib import admin

from .. import models
from .base import ReadOnlyAdmin


@admin.register(models.Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = (
        "season",
        "rank",
        "player",
        "points",
        "balance_minor",
        "counted_minor",
        "unranked",
        "evenings",
        "hands",
    )
    list_select_related = ("season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.EveningScore)
class EveningScoreAdmin(ReadOnlyAdmin):
    list_display = ("evening", "player", "hands", "points", "change_minor", "rank_after")
    list_select_related = ("evening__season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.Balance)
class BalanceAdmin(ReadOnlyAdmin):
    list_display = ("season", "account", "balance_minor")
    list_select_related = ("season", "account__player")
    search_fields = ("account__player__nickname", "season__name", "season__club__slug")


@admin.register(models.SeasonCount)
class SeasonCountAdmin(ReadOnlyAdmin):
    list_display = ("season", "counted_mark", "counted_at", "took_ms")
    list_select_related = ("season",)
    search_fields = ("season__name", "season__club__slug")


@admin.register(models.SeasonChances)
class SeasonChancesAdmin(ReadOnlyAdmin):
    list_display = ("season", "counted_mark", "computed_at", "took_ms")
    list_select_related = ("season",)
    search_fields = ("season__name", "season__club__slug")


@admin.register(models.UncountedPosting)
class UncountedPostingAdmin(ReadOnlyAdmin):
    list_display = ("posting", "season")
    list_select_related = ("posting", "season")
    search_fields = ("season__name", "season__club__slug")


# Rows that are counted from hands.
for model, columns, related, search in (
    (models.UncountedEvening, ("season", "evening"), ("season", "evening__season"), "season__club__slug"),
    (models.SeasonFacts, ("season", "version", "method"), ("season",), "season__club__slug"),
    (models.EveningFacts, ("evening", "season"), ("evening__season", "season"), "season__club__slug"),
    (models.DecisionCount, ("season", "player", "situation", "hands"), ("season", "player"), "player__nickname"),
    (models.Feat, ("evening", "player", "kind", "value"), ("evening__season", "player"), "player__nickname"),
    (models.LuckToCount, ("club", "due_at"), ("club",), "club__slug"),
    (models.LuckOfEvening, ("evening", "season", "held_on"), ("evening__season", "season"), "season__club__slug"),
    (models.LuckOfPlayer, ("evening", "player", "hands"), ("evening", "player"), "player__nickname"),
    (models.LuckOfAllClubs, ("month",), (), "month"),
    (models.Rating, ("evening", "player", "mu", "sigma"), ("evening__season", "player"), "player__nickname"),
):
    options = {"list_display": columns, "list_select_related": related, "search_fields": (search,)}
    admin.site.register(model, ReadOnlyAdmin, **options)


@admin.register(models.TeamStanding)
class TeamStandingAdmin(ReadOnlyAdmin):
    list_display = ("season", "rank", "team", "points")
    list_select_related = ("season", "team")
    search_fields = ("team__name", "season__name", "season__club__slug")


@admin.register(models.TeamShare)
class TeamShareAdmin(ReadOnlyAdmin):
    list_display = ("team", "player", "points", "counts")
    list_select_related = ("team", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.CountFailure)
class CountFailureAdmin(ReadOnlyAdmin):
    list_display = ("season", "part", "times", "error", "retry_at")
    list_select_related = ("season__club",)
    search_fields = ("season__name", "season__club__slug")


@admin.register(models.Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("name", "at", "value", "busy_until")
    search_fields = ("name",)
