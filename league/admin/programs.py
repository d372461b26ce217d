"""The admin of webhooks, kept answers and large files."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.db.models import URLField

from .. import models
from .base import ReadOnlyAdmin


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
