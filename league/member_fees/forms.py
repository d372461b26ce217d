"""The forms of the pages of member fees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..errors import form_outdated
from ..models import FeeReminders
from ..money import parse_money
from ..player_messages.fee_rule import EVERY_DAYS, FIRST_DAYS, LEAST_EVERY, MOST, MOST_DAYS, MOST_MOST
from ..treasury.forms import AmountField
from ..web.described_form import DAY, DescribedForm
from .selectors import Candidate
from .services import MAX_NAME, NewFee


class FeeForm(DescribedForm):
    """A new member fee. The ticked people (`player`) and their own amounts (`amount-ID`) are read from the request."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    year = forms.IntegerField(label=gettext_lazy("Year"), min_value=1900, max_value=2200)
    amount_minor = AmountField(label=gettext_lazy("Amount for each"))
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME,
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=gettext_lazy("It is on statements and bills, with the year."),
    )
    day = forms.DateField(
        label=gettext_lazy("Date"),
        widget=DAY,
        initial=timezone.localdate,
        help_text=gettext_lazy("Owed from this day on."),
    )

    def __init__(self, *args: Any, candidates: Sequence[Candidate], **more: Any) -> None:
        super().__init__(*args, **more)
        self.candidates = candidates
        ids = self.data.getlist("player") if self.is_bound else []  # type: ignore[attr-defined]
        self.ticked = {int(text) for text in ids if text.isascii() and text.isdigit() and len(text) < 16}

    @property
    def people(self) -> list[tuple[Candidate, bool, str, str]]:
        """Each candidate, with tick, the text of the own amount, and its error. At first all members are ticked who
        have no fee of the year."""
        errors = getattr(self, "amount_errors", {})
        return [
            (
                candidate,
                candidate.player.pk in self.ticked
                if self.is_bound
                else not (candidate.player.guest or candidate.has_fee),
                self.data.get(f"amount-{candidate.player.pk}", "") if self.is_bound else "",
                errors.get(candidate.player.pk, ""),
            )
            for candidate in self.candidates
        ]

    @property
    def ticked_count(self) -> int:
        """The number of ticked people."""
        return sum(ticked for _one, ticked, _amount, _error in self.people)

    @property
    def people_wrong(self) -> bool:
        """Return True if an own amount cannot be read, so that the list is shown."""
        return bool(getattr(self, "amount_errors", {}))

    def clean(self) -> dict[str, Any]:
        """Read the own amounts of the ticked people."""
        self.amount_errors: dict[int, str] = {}
        self.amounts: dict[int, int] = {}
        for player in self.ticked:
            text = self.data.get(f"amount-{player}", "").strip()[:20]
            amount = parse_money(text) if text else None
            if text and not amount:
                self.amount_errors[player] = _("Write an amount such as 12.50.")
            elif amount:
                self.amounts[player] = amount
        if self.amount_errors:
            self.add_error(None, _("An amount of one person cannot be read."))
        if not self.ticked:
            self.add_error(None, _("Choose at least one person who pays."))
        return self.cleaned_data

    def fee(self) -> NewFee:
        """Return the values of a valid form."""
        sent = self.cleaned_data
        return NewFee(
            year=sent["year"],
            name=sent["name"],
            amount_minor=sent["amount_minor"],
            day=sent["day"],
            players=sorted(self.ticked),
            amounts=self.amounts,
        )


class RemindersForm(DescribedForm):
    """When those who want it are reminded of an unpaid fee."""

    on = forms.BooleanField(label=gettext_lazy("Remind those who want it"), required=False)
    first_days = forms.IntegerField(
        label=gettext_lazy("Days until the first one"), min_value=1, max_value=MOST_DAYS, initial=FIRST_DAYS
    )
    every_days = forms.IntegerField(
        label=gettext_lazy("Days between two"), min_value=LEAST_EVERY, max_value=MOST_DAYS, initial=EVERY_DAYS
    )
    most = forms.IntegerField(label=gettext_lazy("At most"), min_value=1, max_value=MOST_MOST, initial=MOST)

    def clean(self) -> dict[str, Any]:
        """Take whatever numbers there are where the reminders are switched off."""
        if not self.cleaned_data.get("on"):
            self.errors.clear()
        return self.cleaned_data

    def rule(self) -> FeeReminders | None:
        """Return the rule of a valid form; None for none."""
        sent = dict(self.cleaned_data)
        return FeeReminders(**sent) if sent.pop("on") else None


class UndoForm(forms.Form):
    """The key of a request that undoes shares; without `player` the whole fee."""

    key = forms.UUIDField()
    player = forms.IntegerField(required=False, min_value=1, max_value=2**53)

    def players(self) -> list[int] | None:
        """Return the player, None for the whole fee. Raises Refused (422) for a form that is not valid."""
        if not self.is_valid():
            raise form_outdated()
        player = self.cleaned_data["player"]
        return None if player is None else [player]
