"""The body of a request of the room: one JSON object, read strictly."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import ParseError

from league.api.parsing import StrictJSONParser

from ..errors import Refused
from .writes import check_format, wrong

MOST_WRITES = 50
"""So many writes are in one request at most; a phone sends fewer where they are long (`MAX_BODY_BYTES`)."""


def sent_object(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object of the body.

    Raises:
        Refused: 422 for anything else, such as a field that is named twice, a text with NUL or half a surrogate pair, a
            number over 63 bits, or deep nesting.
    """
    try:
        return StrictJSONParser().parse(BytesIO(request.body))
    except ParseError as fault:
        raise Refused(status=422, code="write", sentence=str(fault.detail)) from fault


def writes_of(sent: dict[str, Any]) -> list[Any] | None:
    """Return the writes of a body that has several; None for a body that is one write.

    Raises:
        Refused: 422 for another format, an unknown field, or none or too many writes.
    """
    if "writes" not in sent:
        return None
    check_format(sent)
    for name in sent:
        if name not in ("format", "writes"):
            wrong(name[:40])
    writes = sent["writes"]
    if not isinstance(writes, list) or not 0 < len(writes) <= MOST_WRITES:
        wrong("writes")
    return writes
