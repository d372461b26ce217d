"""Refuses breached passwords without asking another service: the list is part of the product.

`breached.bin` contains the first bytes of the SHA-256 of each listed password, sorted and without separators;
`scripts/breached.py` builds it and names the sources. A password is looked up as typed and in simpler forms: in lower
case, letters for digits, without a year or some characters at either end, without repetition.
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
MAX_ADDED = 8
"""A listed word with up to this many other characters around it is refused, too."""
DIGITS_TO_LETTERS = str.maketrans("0134578@$!€", "oieastbasie")


def digest(password: str) -> bytes:
    """Return the list's entry for a password in lower case."""
    return hashlib.sha256(password.encode()).digest()[:DIGEST_BYTES]


class Digests(Sequence[bytes]):
    """The list as a sequence, for a binary search in its bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data) // DIGEST_BYTES

    def __getitem__(self, index: Any) -> Any:
        return self.data[index * DIGEST_BYTES : (index + 1) * DIGEST_BYTES]

    def has(self, password: str) -> bool:
        """Return True if a password in lower case is listed."""
        wanted = digest(password)
        index = bisect_left(self, wanted)
        return index < len(self) and self[index] == wanted


@cache
def listed() -> Digests:
    """Return the list, read once per process."""
    return Digests(LIST.read_bytes())


def simpler_forms(password: str) -> Iterator[str]:
    """Yield a password and its simpler forms, in lower case."""
    plain = unicodedata.normalize("NFKC", password).casefold()
    for each in dict.fromkeys((plain, plain.translate(DIGITS_TO_LETTERS))):
        yield each
        once = re.fullmatch(r"(.+?)\1+", each)
        if once:
            yield once[1]
    bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", plain)
    if len(bare) >= 3 and len(plain) - len(bare) <= MAX_ADDED:
        yield bare
        yield bare.translate(DIGITS_TO_LETTERS)


def is_breached(password: str) -> bool:
    """Return True if a password or one of its simpler forms is listed, or if it only repeats one to four characters."""
    repeated = re.fullmatch(r"(.{1,4}?)\1+", password)
    return repeated is not None or any(listed().has(each) for each in simpler_forms(password))


class BreachedPasswordValidator:
    """Refuses breached passwords: an attacker tries these first."""

    def validate(self, password: str, user: Any = None) -> None:
        """Check a new password. Raises ValidationError `password_breached`."""
        if is_breached(password):
            sentence = _("This password, or one very much like it, is in lists of stolen passwords. Choose another.")
            raise ValidationError(sentence, code="password_breached")

    def get_help_text(self) -> str:
        return _("It must not be in lists of stolen passwords.")
