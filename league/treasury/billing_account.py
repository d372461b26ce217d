"""The account to which a club's bills are paid: checked, and stored in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from .. import audit
from ..audit import What
from ..errors import Refused
from ..locks import lock_club
from ..models import BillingDetails, Club, User
from . import iban
from .services import MAX_ENTRY_MINOR

FIELDS = ("name", "street", "house_number", "postcode", "town", "country", "iban", "least_minor")
MOST = {field.name: field.max_length or 0 for field in BillingDetails._meta.fields}
"""The most characters of each field."""
NEEDED = ("name", "postcode", "town", "country")


@transaction.atomic
def billing_set(*, club: Club, actor: User | None, values: Mapping[str, Any]) -> BillingDetails:
    """Store the account and the address of a club's bills; `values` has all of `FIELDS`.

    Raises:
        Refused: 422 for a missing or too long part of the address, a character that a QR-bill does not take, a country
            that is no two letters, an IBAN that is wrong, or an amount out of range.
    """
    lock_club(club.pk)
    cleaned = {name: value.strip() if isinstance(value, str) else value for name, value in values.items()}
    cleaned |= {"iban": iban.normalised(values["iban"]), "country": cleaned["country"].upper()}
    _check(cleaned)
    details, _created = BillingDetails.objects.update_or_create(club=club, defaults=cleaned)
    audit.write(What.CLUB_CHANGED, club=club, actor=actor, about=f"club:{club.pk}", data={"fields": ["billing"]})
    return details


def _check(values: Mapping[str, Any]) -> None:
    for name in FIELDS[:-1]:
        text = values[name]
        most = MOST[name]
        if name in NEEDED and not text:
            raise _wrong(name, _("A QR-bill needs this part of the address."))
        if name != "iban" and len(text) > most:
            raise _wrong(name, _("This text is too long: at most %(most)d characters.") % {"most": most})
        if unprintable(text):
            raise _wrong(name, _("A QR-bill does not take the character “%(one)s”.") % {"one": unprintable(text)})
    if len(values["country"]) != 2 or not values["country"].isalpha():
        raise _wrong("country", _("Write the country as two letters: CH, LI, DE, …"))
    if fault := iban.fault_of(values["iban"]):
        raise _wrong("iban", fault)
    if not 0 <= values["least_minor"] <= MAX_ENTRY_MINOR:
        raise _wrong("least_minor", _("An amount is at most a million francs."))


def unprintable(text: str) -> str:
    """Return the first character that is not in the character set of a QR-bill; empty if there is none."""
    return next((character for character in text if not (" " <= character <= "~" or "\xa0" < character <= "\xff")), "")


def _wrong(field: str, sentence: str) -> Refused:
    return Refused(status=422, code="billing", sentence=sentence, at=field)
