"""IBAN and references of a Swiss QR-bill (SIX, Implementation Guidelines QR-bill 2.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import gettext as _

LENGTH = 21
QR_IIDS = range(30_000, 32_000)
"""The numbers of institutions in a QR-IBAN."""
_CARRY = (0, 9, 4, 6, 8, 2, 7, 1, 3, 5)


def normalised(text: str) -> str:
    """Return an IBAN without spaces, in capital letters."""
    return re.sub(r"\s", "", text).upper()


def grouped(iban: str) -> str:
    """Return an IBAN in groups of four."""
    return " ".join(iban[start : start + 4] for start in range(0, len(iban), 4))


def fault_of(text: str) -> str:
    """Return the fault of an IBAN for a QR-bill as a sentence; empty if it is valid."""
    iban = normalised(text)
    if iban[:2] not in ("CH", "LI"):
        return _("A QR-bill needs an account in Switzerland or Liechtenstein: its IBAN begins with CH or LI.")
    if len(iban) != LENGTH:
        values = {"length": LENGTH, "count": len(iban)}
        return _("This IBAN has %(count)d characters; one of Switzerland or Liechtenstein has %(length)d.") % values
    if not re.fullmatch(r"[A-Z]{2}[0-9]{7}[0-9A-Z]{12}", iban):
        return _("An IBAN has only digits and letters: CH, two check digits, then the account.")
    if _remainder(iban[4:] + iban[:4]) != 1:
        return _("The check digits of this IBAN do not match: a character is wrong, or two are swapped.")
    return ""


def is_qr_iban(iban: str) -> bool:
    """Return True if the IBAN is a QR-IBAN, whose bills need a QR reference."""
    return int(iban[4:9]) in QR_IIDS


def reference(iban: str, *, club_id: int, player_id: int, last: date) -> str:
    """Return the reference of a bill: a QR reference (27 digits) for a QR-IBAN, else a creditor reference (ISO 11649).

    The same bill always has the same reference.
    """
    if is_qr_iban(iban):
        digits = f"{club_id % 10**8:08d}{player_id % 10**10:010d}{last:%Y%m%d}"
        return digits + str(_check_digit(digits))
    text = f"{club_id % 10**5:05d}{player_id % 10**8:08d}{last:%Y%m%d}"
    return f"RF{98 - _remainder(text + 'RF00'):02d}{text}"


@dataclass(frozen=True)
class Referred:
    """What the reference of a bill names: club and player, each by the last digits of its id, and the last day."""

    club: int
    player: int
    last: date


def referred(text: str) -> Referred | None:
    """Return what a reference names; None if it is none of a bill of this service, or a digit is wrong."""
    if re.fullmatch(r"[0-9]{27}", text) and _check_digit(text[:-1]) == int(text[-1]):
        parts = text[:8], text[8:18], text[18:26]
    elif re.fullmatch(r"RF[0-9]{23}", text) and _remainder(text[4:] + text[:4]) == 1:
        parts = text[4:9], text[9:17], text[17:]
    else:
        return None
    try:
        return Referred(int(parts[0]), int(parts[1]), datetime.strptime(parts[2], "%Y%m%d").date())  # noqa: DTZ007
    except ValueError:
        return None


def _remainder(text: str) -> int:
    """Return the remainder by 97, with letters as 10 to 35 (ISO 7064)."""
    return int("".join(str(int(letter, 36)) for letter in text)) % 97


def _check_digit(digits: str) -> int:
    """Return the check digit of a QR reference: modulo 10, recursive."""
    carry = 0
    for digit in digits:
        carry = _CARRY[(carry + int(digit)) % 10]
    return (10 - carry) % 10
