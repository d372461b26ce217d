"""A hand as it was sent, completed from its table and replayed by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from .. import engine_bridge
from ..engine_bridge import Record, Result
from ..errors import Refused
from . import clause_sentences
from .chain import Chain


def replayed(chain: Chain, sent: Mapping[str, Any]) -> tuple[Record, Result]:
    """The complete record and the engine's result. Raises Refused (422 with the broken clause, or 409)."""
    record, differs = engine_bridge.complete(chain.start, sent)
    if differs is not None:
        raise Refused(
            status=409,
            code="chain",
            sentence=_("The record says something else than this table about “%(name)s”.") % {"name": differs},
            at=differs,
            details={"expected": chain.start.fields()[differs]},
        )
    result = engine_bridge.replay(record)
    if not result["ok"]:
        raise clause_sentences.refusal(result["error"])
    return record, result
