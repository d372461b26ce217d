"""Read-only rows, and the types of admin pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:
    # Only the type checker can use these as generics.
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyAdmin, AnyInline = admin.ModelAdmin, admin.TabularInline


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
