"""The admin of people, clubs, rights and their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.models import EmailAddress
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.forms import BaseInlineFormSet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from .. import audit, models
from ..access import roles
from ..audit import What
from ..errors import Refused
from ..web.requests import actor_of
from .base import AnyAdmin, AnyInline, ReadOnlyAdmin

if TYPE_CHECKING:
    # Only the type checker can use these as generics.
    AccountsAdmin = UserAdmin[models.User]
    AnyFormSet = BaseInlineFormSet[Any, Any, Any]
else:
    AccountsAdmin, AnyFormSet = UserAdmin, BaseInlineFormSet


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
    list_display = ("name", "slug", "place", "visibility", "publishes_money", "practice_until")
    list_filter = ("visibility", "publishes_money", ("practice_until", admin.EmptyFieldListFilter))
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


@admin.register(models.ClubRequest)
class ClubRequestAdmin(ReadOnlyAdmin):
    """Requests for clubs are decided on a page of their own."""

    list_display = ("name", "user", "state", "created_at", "decided_at")
    list_filter = ("state",)
    list_select_related = ("user", "club")
    search_fields = ("name", "user__email")


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


@admin.register(models.PlayerLook)
class PlayerLookAdmin(ReadOnlyAdmin):
    list_display = ("player", "user", "updated_at")
    list_select_related = ("player__club", "user")
    search_fields = ("player__nickname", "user__email")


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


@admin.register(models.AttendanceLink)
class AttendanceLinkAdmin(ReadOnlyAdmin):
    list_display = ("player", "created_at")
    list_select_related = ("player",)
    search_fields = ("player__nickname", "player__club__slug")
    # Part of a link that is valid.
    exclude = ("number",)


@admin.register(models.MessageChoice)
class MessageChoiceAdmin(ReadOnlyAdmin):
    list_display = ("player", "results_since", "reminders_since", "fees_since", "refused_at")
    list_select_related = ("player",)
    search_fields = ("player__nickname", "player__club__slug")
    # Part of a link that is valid.
    exclude = ("number",)


@admin.register(models.PlayerMessage)
class PlayerMessageAdmin(ReadOnlyAdmin):
    list_display = ("player", "kind", "day", "state", "tries", "next_at", "error")
    list_select_related = ("player",)
    list_filter = ("kind", "state")
    search_fields = ("player__nickname", "player__club__slug")


@admin.register(models.PushDevice)
class PushDeviceAdmin(ReadOnlyAdmin):
    list_display = ("label", "user", "player", "created_at", "ok_at", "failing_since", "failures")
    list_select_related = ("user", "player")
    search_fields = ("player__nickname", "player__club__slug")
    # Who has these can send to the device.
    exclude = ("endpoint", "p256dh", "auth")


@admin.register(models.PushDelivery)
class PushDeliveryAdmin(ReadOnlyAdmin):
    list_display = ("message", "device", "at")
    list_select_related = ("message", "device")
    search_fields = ("message__player__nickname", "message__player__club__slug")


@admin.register(models.PushKey)
class PushKeyAdmin(ReadOnlyAdmin):
    list_display = ("id", "made_at")
    search_fields = ("id",)
    exclude = ("sealed",)


@admin.register(models.PubScreenLink)
class PubScreenLinkAdmin(ReadOnlyAdmin):
    list_display = ("club", "made_at")
    list_select_related = ("club",)
    search_fields = ("club__slug",)
    # Part of a link that is valid.
    exclude = ("number",)
