"""Table cards: a code for each table number of a tournament, and the account under which its holder records."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from allauth.account.adapter import get_adapter
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from ..access import table_cards
from ..accounts import sign_in_limits
from ..models import TableCard, Tournament, User
from .locking import locked

ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
"""No 0 and o, no 1, i and l, no u that looks like v."""
LENGTH = 14
MAIL = "table-{code}@tables.invalid"
"""The address of a card's account; no mail reaches it (RFC 2606)."""
WRONG_CODES = sign_in_limits.Limit(60, 15 * 60)
"""Wrong codes from one network address. A hall with many phones has one address."""


@transaction.atomic
def cards_of(tournament: Tournament, numbers: Sequence[int]) -> dict[int, TableCard]:
    """Return the cards of these table numbers; those that are missing are made. Five queries at most.

    An account of a card has no password that could be typed, is inactive, and has no role in any club.
    """
    known = {table_card.table_number: table_card for table_card in TableCard.objects.filter(tournament=tournament)}
    if all(number in known for number in numbers):
        return {number: known[number] for number in numbers}
    now = locked(tournament)
    known = {table_card.table_number: table_card for table_card in TableCard.objects.filter(tournament=now)}
    missing = [number for number in dict.fromkeys(numbers) if number not in known]
    codes = ["".join(secrets.choice(ALPHABET) for _place in range(LENGTH)) for _number in missing]
    users = User.objects.bulk_create(
        User(
            email=MAIL.format(code=secrets.token_hex(12)),
            first_name=_("Table %(number)d") % {"number": number},
            password=make_password(None),
            is_active=False,
        )
        for number in missing
    )
    made = TableCard.objects.bulk_create(
        TableCard(tournament=now, table_number=number, code=code, user=user)
        for number, code, user in zip(missing, codes, users, strict=True)
    )
    known |= {table_card.table_number: table_card for table_card in made}
    return {number: known[number] for number in numbers}


class TooManyCodes(Exception):
    """Too many wrong codes came from this network address."""


def card_with(request: HttpRequest, code: str) -> TableCard | None:
    """Return the card with this code, and count a wrong one.

    Raises:
        TooManyCodes: too many wrong codes came from this network address. A browser that holds a card may go on.
    """
    counter = f"cards:{sign_in_limits.mark_of_place(get_adapter().get_client_ip(request))}"
    if sign_in_limits.spent(counter, WRONG_CODES) and table_cards.card_of(request) is None:
        raise TooManyCodes
    readable = len(code) <= 32 and code.isascii() and code.isalnum()
    card = table_cards.card_with(code) if readable else None
    if card is None:
        sign_in_limits.count(counter, WRONG_CODES)
    return card
