"""The admin of the ledger, closings, payments and receipts."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from .. import models
from .base import ReadOnlyAdmin, ReadOnlyInline


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


@admin.register(models.BankEntry)
class BankEntryAdmin(ReadOnlyAdmin):
    list_display = ("day", "club", "player", "amount_minor")
    list_select_related = ("club", "player")
    search_fields = ("club__slug", "player__nickname")


@admin.register(models.SentBill)
class SentBillAdmin(ReadOnlyAdmin):
    list_display = ("last", "club", "player", "state", "created_at")
    list_select_related = ("club", "player")
    search_fields = ("pk", "club__slug", "player__nickname")


@admin.register(models.KittyEntry)
class KittyEntryAdmin(ReadOnlyAdmin):
    list_display = ("day", "club", "player", "posting")
    list_select_related = ("club", "player", "posting")
    search_fields = ("pk", "club__slug", "player__nickname")


@admin.register(models.MemberFee)
class MemberFeeAdmin(ReadOnlyAdmin):
    list_display = ("year", "club", "name", "amount_minor", "day", "created_at")
    list_select_related = ("club",)
    search_fields = ("pk", "club__slug", "name")


@admin.register(models.MemberFeeShare)
class MemberFeeShareAdmin(ReadOnlyAdmin):
    list_display = ("year", "player", "amount_minor", "entry", "undone_at")
    list_select_related = ("player", "entry__club")
    search_fields = ("fee__pk", "fee__club__slug", "player__nickname")


@admin.register(models.FeeReminders)
class FeeRemindersAdmin(ReadOnlyAdmin):
    list_display = ("club", "first_days", "every_days", "most")
    list_select_related = ("club",)
    search_fields = ("club__slug",)


@admin.register(models.Closing)
class ClosingAdmin(ReadOnlyAdmin):
    list_display = ("evening", "number", "kind", "pot", "author", "created_at")
    list_filter = ("kind", "pot")
    list_select_related = ("evening__season", "author")
    search_fields = ("pk", "evening__season__name", "evening__club__slug")
    inlines = (PaymentInline,)


@admin.register(models.Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = ("closing", "fee_share", "number", "payer", "payee", "amount_minor")
    list_select_related = ("closing__evening__season", "fee_share", "payer__player", "payee__player")
    search_fields = ("pk", "payer__player__nickname", "payee__player__nickname", "payer__club__slug")


@admin.register(models.PaymentDay)
class PaymentDayAdmin(ReadOnlyAdmin):
    list_display = ("day", "club", "posting")
    list_select_related = ("club", "posting")
    search_fields = ("posting__pk", "posting__source", "club__slug")


@admin.register(models.Receipt)
class ReceiptAdmin(ReadOnlyAdmin):
    list_display = ("club", "number", "closing", "digest")
    list_select_related = ("club", "closing__evening__season")
    search_fields = ("digest", "club__slug")


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
