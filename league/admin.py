"""The Django admin, for the person who runs the server. Users and clubs can be changed; all other rows are read-only.

Only services store what is recorded or counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.models import EmailAddress
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import ValidationError
from django.db.models import Model, URLField
from django.forms import BaseInlineFormSet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from . import audit, models
from .access import roles
from .audit import What
from .errors import Refused
from .web.requests import actor_of

if TYPE_CHECKING:
    # Only the type checker can use these as generics.
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
    AccountsAdmin = UserAdmin[models.User]
    AnyFormSet = BaseInlineFormSet[Any, Any, Any]
else:
    AnyAdmin, AnyInline, AccountsAdmin, AnyFormSet = admin.ModelAdmin, admin.TabularInline, UserAdmin, BaseInlineFormSet


class ReadOnlyAdmin(AnyAdmin):
    """Rows that can be read, but not added, changed or deleted; without actions."""

    actions = None
    list_per_page = 50
    # Counting a million rows for the heading would be slow.
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ReadOnlyInline(AnyInline):
    """Rows that belong to a read-only row."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.User)
class PersonAdmin(AccountsAdmin):
    """Users, identified by their mail address."""

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

    def save_model(self, request: HttpRequest, obj: models.User, form: Any, change: bool) -> None:
        obj.email = obj.email.lower()
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            # The old address signs in no longer; the new one is verified at the next sign-in.
            EmailAddress.objects.filter(user=obj).delete()


class RolesForms(AnyFormSet):
    """The memberships of a club. They can be added and removed; the user of a membership cannot be changed."""

    def clean(self) -> None:
        super().clean()
        kept = [form for form in self.forms if form.cleaned_data and not form.cleaned_data.get("DELETE")]
        for form in kept:
            if form.instance.pk and "user" in form.changed_data:
                form.add_error("user", _("Remove this person and add the other one."))
        if not any(form.cleaned_data.get("role") == models.Role.OWNER for form in kept):
            raise ValidationError(_("A club needs an owner."))


class MembershipInline(AnyInline):
    model = models.Membership
    formset = RolesForms
    extra = 0
    min_num = 1
    autocomplete_fields = ("user",)


@admin.register(models.Club)
class ClubAdmin(AnyAdmin):
    """Clubs cannot be deleted, as hands and money refer to them. Each change is in the club's audit log."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    list_display = ("name", "slug", "place", "visibility", "publishes_money")
    list_filter = ("visibility", "publishes_money")
    search_fields = ("name", "slug", "place")
    prepopulated_fields: ClassVar = {"slug": ("name",)}
    inlines = (MembershipInline,)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: models.Club, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and form.changed_data:
            about, data = f"club:{obj.pk}", {"fields": sorted(form.changed_data)}
            audit.write(What.CLUB_CHANGED, club=obj, actor=actor_of(request), about=about, data=data)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Store memberships by the services, new owners first, so that one owner can replace another."""
        club, actor = form.instance, actor_of(request)
        new = formset.save(commit=False)
        changed = [(role.user, role.role) for role in sorted(new, key=lambda role: role.role != models.Role.OWNER)]
        try:
            for user, role in changed:
                roles.role_set(club=club, user=user, role=role, actor=actor)
            for gone in formset.deleted_objects:
                roles.role_take(club=club, user=gone.user, actor=actor)
        except Refused as refused:
            # Another owner was removed at the same moment.
            self.message_user(request, refused.sentence, messages.ERROR)


@admin.register(models.Membership)
class MembershipAdmin(ReadOnlyAdmin):
    """Roles are changed on the page of the club."""

    list_display = ("user", "club", "role")
    list_filter = ("role",)
    list_select_related = ("user", "club")
    search_fields = ("user__email", "club__name", "club__slug")


@admin.register(models.Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("nickname", "club", "user", "guest", "active")
    list_filter = ("guest", "active")
    list_select_related = ("club", "user")
    search_fields = ("nickname", "club__name", "club__slug")


@admin.register(models.FormerName)
class FormerNameAdmin(ReadOnlyAdmin):
    list_display = ("name", "player")
    list_select_related = ("player",)
    search_fields = ("name", "player__nickname")


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


@admin.register(models.BillingDetails)
class BillingDetailsAdmin(ReadOnlyAdmin):
    list_display = ("club", "name", "iban")
    list_select_related = ("club",)
    search_fields = ("club__slug", "name")


@admin.register(models.KittyEntry)
class KittyEntryAdmin(ReadOnlyAdmin):
    list_display = ("day", "club", "player", "posting")
    list_select_related = ("club", "player", "posting")
    search_fields = ("pk", "club__slug", "player__nickname")


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


# What is counted from hands.
for model, columns, related, search in (
    (models.UncountedEvening, ("season", "evening"), ("season", "evening__season"), "season__club__slug"),
    (models.SeasonFacts, ("season", "version", "method"), ("season",), "season__club__slug"),
    (models.EveningFacts, ("evening", "season"), ("evening__season", "season"), "season__club__slug"),
    (models.DecisionCount, ("season", "player", "situation", "hands"), ("season", "player"), "player__nickname"),
    (models.Feat, ("evening", "player", "kind", "value"), ("evening__season", "player"), "player__nickname"),
    (models.Rating, ("evening", "player", "mu", "sigma"), ("evening__season", "player"), "player__nickname"),
):
    options = {"list_display": columns, "list_select_related": related, "search_fields": (search,)}
    admin.site.register(model, ReadOnlyAdmin, **options)


@admin.register(models.Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("name", "at")
    search_fields = ("name",)


@admin.register(models.Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    list_display = ("club", "role", "player", "note", "created_at", "expires_at", "used_at", "revoked_at")
    list_filter = ("role",)
    list_select_related = ("club", "player")
    search_fields = ("note", "club__slug", "player__nickname")
    exclude = ("digest",)


@admin.register(models.ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "user", "club", "created", "expiry", "used_at")
    list_select_related = ("user", "club")
    search_fields = ("name", "user__email", "club__slug")
    exclude = ("digest", "token_key")


@admin.register(models.PlayerMerge)
class PlayerMergeAdmin(ReadOnlyAdmin):
    list_display = ("club", "player", "main", "joined", "author", "created_at")
    list_select_related = ("club", "player", "main", "author")
    search_fields = ("player__nickname", "main__nickname", "club__slug")


@admin.register(models.AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "club", "actor", "what", "about")
    list_filter = ("what",)
    list_select_related = ("club", "actor")
    search_fields = ("what", "about", "club__slug")


@admin.register(models.Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    list_display = ("url", "club", "active", "created_at")
    list_select_related = ("club",)
    search_fields = ("url", "club__slug")
    exclude = ("secret", "old_secret")
    formfield_overrides: ClassVar = {URLField: {"assume_scheme": "https"}}


@admin.register(models.Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ("event", "subject", "webhook", "tries", "status", "delivered_at", "next_at")
    list_filter = ("event",)
    list_select_related = ("webhook",)
    search_fields = ("subject", "webhook__url", "webhook__club__slug")


@admin.register(models.KeptAnswer)
class KeptAnswerAdmin(ReadOnlyAdmin):
    list_display = ("digest", "status", "created_at")
    search_fields = ("digest",)
    exclude = ("sealed",)


@admin.register(models.ReceiptOpening)
class ReceiptOpeningAdmin(ReadOnlyAdmin):
    list_display = ("receipt", "player", "count", "first_at", "last_at")
    list_select_related = ("receipt", "player")
    search_fields = ("receipt__digest", "receipt__club__slug", "player__nickname")


@admin.register(models.ReceiptName)
class ReceiptNameAdmin(ReadOnlyAdmin):
    list_display = ("receipt", "player")
    list_select_related = ("receipt", "player")
    search_fields = ("receipt__digest", "receipt__club__slug", "player__nickname")
    exclude = ("salt",)


@admin.register(models.ClubVersion)
class ClubVersionAdmin(ReadOnlyAdmin):
    list_display = ("club", "number")
    list_select_related = ("club",)
    search_fields = ("club__slug",)


@admin.register(models.ClubLogo)
class ClubLogoAdmin(ReadOnlyAdmin):
    list_display = ("club", "width", "height")
    list_select_related = ("club",)
    search_fields = ("club__slug",)
    exclude = ("content",)


@admin.register(models.LargeFile)
class LargeFileAdmin(ReadOnlyAdmin):
    list_display = ("asked_at", "club", "asker", "kind", "form", "state", "rows", "size")
    list_select_related = ("club", "asker")
    search_fields = ("pk", "club__slug")


@admin.register(models.LargeFilePart)
class LargeFilePartAdmin(ReadOnlyAdmin):
    list_display = ("file", "number")
    search_fields = ("file__pk",)
    exclude = ("content",)


@admin.register(models.PubScreenLink)
class PubScreenLinkAdmin(ReadOnlyAdmin):
    list_display = ("club", "made_at")
    list_select_related = ("club",)
    search_fields = ("club__slug",)
    # Part of a link that is valid.
    exclude = ("number",)


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


@admin.register(models.SeasonFormula)
class SeasonFormulaAdmin(ReadOnlyAdmin):
    list_display = ("season", "version", "author", "created_at")
    list_select_related = ("season", "author")
    search_fields = ("season__name", "season__club__slug")


@admin.register(models.SeasonAdjustment)
class SeasonAdjustmentAdmin(ReadOnlyAdmin):
    list_display = ("season", "player", "points", "at", "undone_at")
    list_select_related = ("season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


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
    exclude = ("rows", "names")


@admin.register(models.SeasonAward)
class SeasonAwardAdmin(ReadOnlyAdmin):
    list_display = ("season", "player", "place", "points")
    list_select_related = ("season", "player")
    search_fields = ("player__nickname", "season__name", "season__club__slug")


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
    # Whoever has the code records at the table.
    exclude = ("code",)
