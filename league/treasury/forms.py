"""The forms of the treasurer's pages."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..errors import form_outdated
from ..models import Club, Player, Transfer
from ..money import parse_money
from ..web.described_form import DAY, DescribedForm
from .books import BOOKS, KITTY, Filters, person
from .ledger_lines import LedgerFilters
from .services import MAX_REASON, NewEntry


class AmountField(forms.CharField):
    """An amount as people type it; its value is whole Rappen."""

    def __init__(self, **more: Any) -> None:
        widget = forms.TextInput({"inputmode": "decimal", "autocomplete": "off", "placeholder": "0.00"})
        super().__init__(max_length=20, widget=widget, **more)

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        amount_minor = parse_money(text)
        if amount_minor is None:
            raise forms.ValidationError(_("Write an amount such as 12.50."))
        return amount_minor


class EntryForm(DescribedForm):
    """Money that the kitty spent or got."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    kind = forms.ChoiceField(
        label=_("The kitty"),
        choices=[(Transfer.Kind.SPENT.value, _("spent it")), (Transfer.Kind.BROUGHT.value, _("got it"))],
        initial=Transfer.Kind.SPENT.value,
        widget=forms.RadioSelect,
    )
    amount_minor = AmountField(label=_("Amount"))
    reason = forms.CharField(
        label=_("What for"), max_length=MAX_REASON, widget=forms.TextInput({"autocomplete": "off"})
    )
    day = forms.DateField(label=_("Date"), widget=DAY, initial=timezone.localdate)
    player = forms.ModelChoiceField(
        label=_("Who got or gave it"),
        queryset=Player.objects.none(),
        required=False,
        empty_label=_("nobody of the club"),
    )

    def __init__(self, *args: Any, players: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["player"].queryset = players  # type: ignore[attr-defined]

    def entry(self) -> NewEntry:
        """Return the values of a valid form."""
        values = self.cleaned_data
        player = values["player"]
        return NewEntry(
            kind=values["kind"],
            amount_minor=values["amount_minor"],
            reason=values["reason"],
            day=values["day"],
            player_id=player.pk if player else None,
        )


class UndoForm(forms.Form):
    """The entry to undo."""

    key = forms.UUIDField()
    entry = forms.UUIDField()


class FilterForm(forms.Form):
    """The filters of a book, from the address. Other parameters are left out."""

    book = forms.ChoiceField(choices=[(book, book) for book in BOOKS], required=False, initial=KITTY)
    to = forms.DateField(required=False)
    player = forms.IntegerField(required=False, min_value=1, max_value=2**53)
    undone = forms.BooleanField(required=False)
    before = forms.DateField(required=False)
    line = forms.IntegerField(required=False, min_value=1, max_value=2**62)

    def filters(self, club: Club) -> Filters:
        """Return the filters of a form that was validated. One query if it names a player."""
        sent = self.cleaned_data
        players = person(club, sent.get("player"))
        return Filters(
            book=sent.get("book") or KITTY,
            first=sent.get("from"),
            last=sent.get("to"),
            player=sent.get("player") if players else None,
            players=players,
            undone=bool(sent.get("undone")),
        )


# `from` is no name for a class attribute.
FilterForm.base_fields["from"] = forms.DateField(required=False)


class LedgerForm(forms.Form):
    """The filters of the ledger, from the address. Other parameters are left out."""

    to = forms.DateField(required=False)
    player = forms.IntegerField(required=False, min_value=1, max_value=2**53)
    kind_of_entry = forms.ChoiceField(choices=Transfer.Kind.choices, required=False)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**62)

    def filters(self, club: Club, first: date | None = None) -> LedgerFilters:
        """Return the filters of a form that was validated; `first` is the first day of an address without days. One
        query if it names a player."""
        sent = self.cleaned_data
        players = person(club, sent.get("player"))
        dated = any(name in self.data for name in ("from", "to"))
        return LedgerFilters(
            first=sent.get("from") if dated else first,
            last=sent.get("to"),
            player=sent.get("player") if players else None,
            players=players,
            kind=sent.get("kind_of_entry") or "",
        )


LedgerForm.base_fields["from"] = forms.DateField(required=False)


class PeriodForm(forms.Form):
    """The period of statements, from the address."""

    to = forms.DateField(required=False)
    player = forms.IntegerField(required=False, min_value=1, max_value=2**53)


PeriodForm.base_fields["from"] = forms.DateField(required=False)


class SendForm(forms.Form):
    """The key of a request that sends bills; the players are read apart."""

    key = forms.UUIDField()

    def players(self, sent: list[str]) -> set[int]:
        """Return the players that were ticked. Raises Refused (422) for a value that is no number."""
        if not all(value.isascii() and value.isdigit() and len(value) < 16 for value in sent):
            raise form_outdated()
        return {int(value) for value in sent}


class BillingForm(DescribedForm):
    """The account to which the club's bills are paid."""

    name = forms.CharField(label=_("Holder of the account"), max_length=70, help_text=_("The club or a person."))
    street = forms.CharField(label=_("Street"), max_length=70, required=False)
    house_number = forms.CharField(label=_("Number"), max_length=16, required=False)
    postcode = forms.CharField(label=_("Postcode"), max_length=16)
    town = forms.CharField(label=_("Town"), max_length=35)
    country = forms.CharField(label=_("Country"), max_length=2, initial="CH", help_text=_("Two letters: CH."))
    iban = forms.CharField(
        label=_("IBAN or QR-IBAN"),
        max_length=34,
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    least_minor = AmountField(
        label=_("Least amount of a bill"),
        required=False,
        help_text=_("A smaller sum is carried on to the next statement."),
    )

    def values(self) -> dict[str, Any]:
        """Return the values for the service."""
        return self.cleaned_data | {"least_minor": self.cleaned_data["least_minor"] or 0}
