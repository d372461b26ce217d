"""Parse the body of a request: unambiguous JSON of limited depth."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MAX_DEPTH = 16
"""A full hand record is five deep."""
MAX_VALUES = 500_000
"""Values and fields of a body, counted before it is read: a body with the rows of a file may have 8 MiB, and eight
million bytes of empty lists take 200 MB."""
MAX_INTEGER = 2**63 - 1
MAX_DIGITS = 19
WHOLE = re.compile(r"-?[0-9]{1,17}(\.0{1,17})?")


def check_depth(text: str) -> None:
    """Refuse deeply nested brackets before a recursive parser reads them.

    Raises:
        ParseError: deeper than `MAX_DEPTH`.
    """
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    inside = escaped = False
    for sign in text:
        if inside:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == '"':
                inside = False
        elif sign == '"':
            inside = True
        elif sign in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ParseError(_("The body is nested too deeply."))
        elif sign in "]}":
            depth -= 1


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ParseError(_("A field is named twice."))
    for name, value in pairs:
        _check(name)
        _check(value)
    return members


def _check(value: Any) -> None:
    """Refuse texts and numbers that the databases cannot store. Raises ParseError."""
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
            raise ParseError(_("A text contains an invalid character."))
    elif isinstance(value, list):
        for item in value:
            _check(item)
    elif isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise ParseError(_("A number is too large."))


def _number(text: str) -> int | float:
    """Return a number with a fraction or an exponent. `154247.0` and `1e3` are integers, as in JSON Schema."""
    value = float(text)
    if not math.isfinite(value):
        raise ParseError(_("A number is too large."))
    try:
        # The float is inexact: 0.99999999999999999999 would become 1.
        exact = Decimal(text)
    except InvalidOperation:
        return value
    # `adjusted` first: the integer of 1e300 would have 300 digits.
    return int(exact) if exact.adjusted() < MAX_DIGITS and exact == int(exact) else value


def whole_number(text: str) -> int | None:
    """Return the whole number of a query parameter, None if it is none. `154247.0` is one, as in a body."""
    # The pattern has ASCII digits only: `str.isdigit` accepts the digits of every script.
    return int(text.partition(".")[0]) if WHOLE.fullmatch(text) else None


def _constant(text: str) -> None:
    raise ParseError(_("The body is not JSON: %(what)s is no number.") % {"what": text})


class StrictJSONParser(JSONParser):
    """Parse a JSON object: no field twice, no NaN, no lone surrogate, not deeper than `MAX_DEPTH`, not more than
    `MAX_VALUES`."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        try:
            text = stream.read().decode("utf-8")
            if text.count(",") + text.count("[") + text.count("{") > MAX_VALUES:
                raise ParseError(_("The body has too many values: at most %(most)d.") % {"most": MAX_VALUES})
            check_depth(text)
            body = json.loads(text, object_pairs_hook=_pairs, parse_float=_number, parse_constant=_constant)
        except (UnicodeDecodeError, ValueError):
            raise ParseError(_("The body is not valid JSON.")) from None
        if not isinstance(body, dict):
            raise ParseError(_("The body is a JSON object."))
        return body
