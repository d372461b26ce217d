"""Reading plain data of a request: each value by its name, type and limits, or a sentence that names it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime, time
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from ...errors import Refused
from ...roster.services import MAX_NICKNAME
from ..texts import fits

MOST = 2**31 - 1


class Part:
    """An object of the file. Every method raises Refused (422) where the value is missing or invalid."""

    def __init__(self, data: Any, at: str) -> None:
        if not isinstance(data, Mapping):
            raise fault(at)
        self.data, self.at = data, at

    def value(self, name: str) -> Any:
        """Return any value."""
        if name not in self.data:
            raise fault(self._at(name))
        return self.data[name]

    def text(self, name: str, most: int, *, least: int = 0) -> str:
        """Return a text of `least` to `most` characters, as the desk stores it."""
        return checked_text(self.value(name), self._at(name), most, least=least)

    def nickname(self, name: str) -> str:
        """Return a nickname, by the rule of the roster."""
        return checked_nickname(self.value(name), self._at(name))

    def whole(self, name: str, low: int = 0, high: int = MOST) -> int:
        """Return a whole number."""
        return checked_whole(self.value(name), self._at(name), low, high)

    def whole_or_none(self, name: str, low: int = 0, high: int = MOST) -> int | None:
        """Return a whole number, or None."""
        return None if self.value(name) is None else self.whole(name, low, high)

    def flag(self, name: str) -> bool:
        """Return True or False."""
        value = self.value(name)
        if not isinstance(value, bool):
            raise fault(self._at(name))
        return value

    def choice(self, name: str, choices: Collection[str]) -> str:
        """Return one of these texts."""
        value = self.value(name)
        if not isinstance(value, str) or value not in choices:
            raise fault(self._at(name))
        return value

    def day(self, name: str) -> date:
        """Return a day."""
        try:
            return date.fromisoformat(self.text(name, 10))
        except ValueError as broken:
            raise fault(self._at(name)) from broken

    def day_or_none(self, name: str) -> date | None:
        """Return a day, or None."""
        return None if self.value(name) is None else self.day(name)

    def time_or_none(self, name: str) -> time | None:
        """Return a time of day, or None."""
        if self.value(name) is None:
            return None
        try:
            return time.fromisoformat(self.text(name, 8)).replace(tzinfo=None)
        except ValueError as broken:
            raise fault(self._at(name)) from broken

    def moment_or_none(self, name: str) -> datetime | None:
        """Return a moment with its time zone, or None."""
        if self.value(name) is None:
            return None
        try:
            moment = datetime.fromisoformat(self.text(name, 40))
            return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
        except (ValueError, OverflowError) as broken:
            raise fault(self._at(name)) from broken

    def nicknames(self, name: str, count: int) -> list[str]:
        """Return a list of nicknames."""
        return [checked_nickname(value, self._at(name)) for value in self._list(name, count)]

    def texts(self, name: str, count: int, most: int) -> list[str]:
        """Return a list of texts."""
        return [checked_text(value, self._at(name), most, least=1) for value in self._list(name, count)]

    def wholes(self, name: str, count: int, low: int = 0, high: int = MOST) -> list[int]:
        """Return a list of whole numbers."""
        return [checked_whole(value, self._at(name), low, high) for value in self._list(name, count)]

    def parts(self, name: str, count: int) -> list[Part]:
        """Return a list of objects."""
        path = self._at(name)
        return [Part(value, f"{path}[{place}]") for place, value in enumerate(self._list(name, count))]

    def part(self, name: str) -> Part:
        """Return an object."""
        return Part(self.value(name), self._at(name))

    def _list(self, name: str, count: int) -> list[Any]:
        value = self.value(name)
        if not isinstance(value, list) or len(value) > count:
            raise fault(self._at(name))
        return value

    def _at(self, name: str) -> str:
        return f"{self.at}.{name}" if self.at else name


def checked_text(value: Any, path: str, most: int, *, least: int = 0) -> str:
    """Return the value if it is a text of `least` to `most` characters that the desk could have stored."""
    if not isinstance(value, str) or len(value) < least or not fits(value, most):
        raise fault(path)
    return value


def checked_nickname(value: Any, path: str) -> str:
    """Return the value if it is a nickname of the roster."""
    if not checked_text(value, path, MAX_NICKNAME, least=1).isprintable():
        raise fault(path)
    return str(value)


def checked_whole(value: Any, path: str, low: int, high: int) -> int:
    """Return the value if it is a whole number from `low` to `high`."""
    if type(value) is not int or not low <= value <= high:
        raise fault(path)
    return value


def fault(path: str) -> Refused:
    """422: a part of the file that is missing or invalid."""
    sentence = _("This file cannot be read: “%(part)s” is missing, or not what it should be.") % {"part": path}
    return Refused(status=422, code="file", sentence=sentence, at=path)
