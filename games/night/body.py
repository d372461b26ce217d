"""The body of a request of the room: one JSON object, read strictly."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import ParseError

from league.api.parsing import StrictJSONParser

from ..errors import Refused


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
