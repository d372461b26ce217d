"""Passwords that are in breaches, refused without asking anybody: the list is part of the product.

`breached.bin` holds the first bytes of the SHA-256 of each listed password, sorted, one after the other;
`scripts/breached.py` builds it and says from what. A password is looked up as it is and as what people take one for
another: capitals, letters written as figures, a year or a few signs before or after, the same thing twice.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LIST = Path(__file__).with_name("breached.bin")
DIGEST_BYTES = 5
"""With some 20,000 entries one good password in fifty million is refused by chance."""
ADDED_AT_MOST = 8
"""So many signs around a listed word make no new password of it."""
FIGURES = str.maketrans("0134578@$!€", "oieastbasie")


def digest(password: str) -> bytes:
    """What the list holds of a password in small letters."""
    return hashlib.sha256(password.encode()).digest()[:DIGEST_BYTES]


class Digests(Sequence[bytes]):
    """The list, to be searched where it lies."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data) // DIGEST_BYTES

    def __getitem__(self, index: Any) -> Any:
        return self.data[index * DIGEST_BYTES : (index + 1) * DIGEST_BYTES]

    def has(self, password: str) -> bool:
        """Whether a password in small letters is listed."""
        wanted = digest(password)
        place = bisect_left(self, wanted)
        return place < len(self) and self[place] == wanted


@cache
def listed() -> Digests:
    """The list, read once a process."""
    return Digests(LIST.read_bytes())


def forms(password: str) -> Iterator[str]:
    """A password and what it is a dress of, in small letters."""
    plain = unicodedata.normalize("NFKC", password).casefold()
    for each in dict.fromkeys((plain, plain.translate(FIGURES))):
        yield each
        once = re.fullmatch(r"(.+?)\1+", each)
        if once:
            yield once[1]
    bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", plain)
    if len(bare) >= 3 and len(plain) - len(bare) <= ADDED_AT_MOST:
        yield bare
        yield bare.translate(FIGURES)


def is_breached(password: str) -> bool:
    """Whether a password, or what it is a dress of, is in the list, or it is a short thing many times over."""
    again = re.fullmatch(r"(.{1,4}?)\1+", password)
    return again is not None or any(listed().has(each) for each in forms(password))


class BreachedPasswordValidator:
    """Refuses what is in breaches: whoever tries passwords tries these first."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raises ValidationError `password_breached`."""
        if is_breached(password):
            sentence = _("This password, or one very much like it, is in lists of stolen passwords. Take another.")
            raise ValidationError(sentence, code="password_breached")

    def get_help_text(self) -> str:
        return _("It must not be in lists of stolen passwords.")
