"""The back room for whoever runs the server: all can be looked up, and only what is set up by hand can be changed.

What is recorded or counted has one way in, the services; here it is strictly to be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from . import models

if TYPE_CHECKING:
    # Generic for the type checker alone.
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
    AccountsAdmin = UserAdmin[models.User]
else:
    AnyAdmin, AnyInline, AccountsAdmin = admin.ModelAdmin, admin.TabularInline, UserAdmin


class ReadOnlyAdmin(AnyAdmin):
    """To be looked up, never added, changed or deleted; there are no actions either."""

    actions = None
    list_per_page = 50
    # Counting a million rows for the heading would be the slowest part of the page.
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyInline(AnyInline):
    """What belongs to such a thing, to be looked up with it."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class KeptAdmin(AnyAdmin):
    """Set up by hand and kept: hands and money hang on it, so nothing is deleted here."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.User)
class PersonAdmin(AccountsAdmin):
    """Accounts, known by their mail address."""

    ordering = ("email",)
    list_display = ("email", "first_name", "last_name", "is_staff", "is_active")
    search_fields = ("email", "first_name", "last_name")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Personal info"), {"fields": ("first_name", "last_name")}),
        (_("Permissions"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),)


class MembershipInline(AnyInline):
    model = models.Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(models.Club)
class ClubAdmin(KeptAdmin):
    list_display = ("name", "slug", "place", "listed", "publishes_money")
    list_filter = ("listed", "publishes_money")
    search_fields = ("name", "slug", "place")
    prepopulated_fields: ClassVar = {"slug": ("name",)}
    inlines = (MembershipInline,)


@admin.register(models.Membership)
class MembershipAdmin(AnyAdmin):
    list_display = ("user", "club", "role")
    list_filter = ("role",)
    list_select_related = ("user", "club")
    search_fields = ("user__email", "club__name", "club__slug")
    autocomplete_fields = ("user", "club")


@admin.register(models.Player)
class PlayerAdmin(KeptAdmin):
    list_display = ("nickname", "club", "user", "guest", "active")
    list_filter = ("guest", "active")
    list_select_related = ("club", "user")
    search_fields = ("nickname", "club__name", "club__slug")
    autocomplete_fields = ("club", "user")

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        # Hands and money stay in the club in which they were played.
        return ("club",) if obj else ()


@admin.register(models.Season)
class SeasonAdmin(KeptAdmin):
    """A season's setup. How it ranks holds for hands already counted too, so that is fixed once it has any."""

    list_display = ("name", "club", "starts_on", "ends_on", "ranking", "ledger_mark")
    list_filter = ("ranking",)
    list_select_related = ("club",)
    search_fields = ("name", "slug", "club__name", "club__slug")
    autocomplete_fields = ("club",)
    fixed = (
        "club",
        "ranking",
        "games",
        "best_evenings",
        "points_declared",
        "points_joined",
        "points_walkover",
        "points_declared_failed",
        "points_joined_failed",
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return self.fixed if isinstance(obj, models.Season) and obj.ledger_mark else ("club",)


@admin.register(models.Evening)
class EveningAdmin(ReadOnlyAdmin):
    list_display = ("number", "season", "club", "held_on", "game", "state")
    list_filter = ("state",)
    list_select_related = ("season", "club")
    search_fields = ("season__name", "club__name", "club__slug")


@admin.register(models.HouseRules)
class HouseRulesAdmin(ReadOnlyAdmin):
    list_display = ("club", "game", "version", "author", "created_at")
    list_select_related = ("club", "author")
    search_fields = ("club__name", "club__slug")


@admin.register(models.Account)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("pk", "kind", "player", "club")
    list_filter = ("kind",)
    list_select_related = ("player", "club")
    search_fields = ("player__nickname", "club__name", "club__slug")


class TransferInline(ReadOnlyInline):
    model = models.Transfer
    fields = readonly_fields = ("kind", "from_account", "to_account", "amount_minor")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("from_account__player", "to_account__player")


@admin.register(models.Posting)
class PostingAdmin(ReadOnlyAdmin):
    list_display = ("pk", "club", "evening", "source", "revision", "reverses_id", "author", "created_at")
    list_select_related = ("club", "evening__season", "author")
    search_fields = ("pk", "source", "club__slug")
    inlines = (TransferInline,)


@admin.register(models.Transfer)
class TransferAdmin(ReadOnlyAdmin):
    list_display = ("pk", "kind", "from_account", "to_account", "amount_minor", "season")
    list_filter = ("kind",)
    list_select_related = ("from_account__player", "to_account__player", "season")
    search_fields = ("posting__source", "from_account__player__nickname", "to_account__player__nickname")


@admin.register(models.ResultRow)
class ResultRowAdmin(ReadOnlyAdmin):
    list_display = ("pk", "player", "evening", "role", "made", "tricks", "change_minor", "revision")
    list_filter = ("role",)
    list_select_related = ("player", "evening__season")
    search_fields = ("source", "player__nickname")


@admin.register(models.Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = ("key", "club", "author", "created_at")
    list_select_related = ("club", "author")
    search_fields = ("key", "club__slug")


class PaymentInline(ReadOnlyInline):
    model = models.Payment
    fields = readonly_fields = ("number", "payer", "payee", "amount_minor")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("payer__player", "payee__player")


@admin.register(models.Closing)
class ClosingAdmin(ReadOnlyAdmin):
    list_display = ("evening", "number", "kind", "pot", "author", "created_at")
    list_filter = ("kind", "pot")
    list_select_related = ("evening__season", "author")
    search_fields = ("pk", "evening__season__name", "evening__club__slug")
    inlines = (PaymentInline,)


@admin.register(models.Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = ("closing", "number", "payer", "payee", "amount_minor")
    list_select_related = ("closing__evening__season", "payer__player", "payee__player")
    search_fields = ("pk", "payer__player__nickname", "payee__player__nickname", "closing__evening__club__slug")


@admin.register(models.Receipt)
class ReceiptAdmin(ReadOnlyAdmin):
    list_display = ("club", "number", "closing", "digest")
    list_select_related = ("club", "closing__evening__season")
    search_fields = ("digest", "club__slug")


@admin.register(models.Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = ("season", "rank", "player", "points", "balance_minor", "evenings", "hands")
    list_select_related = ("season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


@admin.register(models.NightScore)
class NightScoreAdmin(ReadOnlyAdmin):
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


@admin.register(models.Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("name", "at")
    search_fields = ("name",)
