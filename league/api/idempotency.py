"""Carry out each API write once: the same key with the same request gets the same answer.

The answer is stored in the write's own transaction, under a hash of the key that is unique. Of several at once one
commits; the others are rolled back by that unique hash, or refused because the first has changed the data, and return
its answer. A service that takes the key claims it itself (`league.ledger.idempotency`), and the others wait there; a
hand keeps no answer, because it is made again from the stored revision.
A refused write stores nothing and leaves its key free. The answer is encrypted under the key, of which the row holds
only a hash: an answer can contain a person's name or a new API key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import uuid
from collections.abc import Callable, Collection
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar

from cryptography.fernet import Fernet
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.models import KeptAnswer

from .problems import Problem, wrong_field

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEPT_FOR = timedelta(days=30)
KEPT_HEADERS = ("Location", "ETag")


def key_sent(request: Any) -> uuid.UUID:
    """Return the key of a write. Raises Problem (400) where it is missing or no UUID."""
    text = request.headers.get(HEADER, "")
    if not text:
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            "key_missing",
            _("A write needs the header Idempotency-Key: a UUID that you choose, the same when you send it again."),
        )
    try:
        key = uuid.UUID(text)
    except ValueError:
        key = None
    if key is None or str(key) != text.lower():
        raise wrong_field(
            HEADER,
            "key_invalid",
            _("The Idempotency-Key is a UUID, such as %(uuid)s.") % {"uuid": "0b6f1d1e-7c55-4c1b-9d0a-3f0f6a1f2c11"},
        )
    return key


def _derived(key: uuid.UUID, purpose: str, text: str = "") -> bytes:
    return hmac.new(key.bytes, f"{purpose}\n{text}".encode(), hashlib.sha256).digest()


class IdempotencyMixin(APIView):
    """A view whose writes are carried out once: a handler and its stored answer are one transaction."""

    operation: str
    unkept: ClassVar[Collection[str]] = ()
    """The operations that store nothing: previews, and the like."""
    claimed: ClassVar[Collection[str]] = ()
    """The operations whose service claims the key itself. The answer to a repeated request is made again from what the
    first one stored."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method not in SAFE_METHODS and self.operation not in {*self.unkept, *self.claimed}:
            name = str(request.method).lower()
            # The base calls the handler of this name next.
            setattr(self, name, partial(self._once, getattr(self, name)))

    def _once(self, handler: Callable[..., Response], request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Carry out a write under its key, or return the answer of the first time.

        Raises:
            Problem: 400 without a key, 422 where the key was used for another request.
        """
        key = key_sent(request)
        sent = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
        digest = _derived(key, "digest", str(request.user.pk)).hex()
        fingerprint = _derived(key, "request", f"{request.method} {request._request.get_full_path()}\n{sent}").hex()
        if (first := _stored(digest)) is not None:
            return _repeated(first, key, fingerprint)
        try:
            with transaction.atomic():
                response = self.finalize_response(request, handler(request, *args, **kwargs), *args, **kwargs)
                response.render()
                kept = {"status": response.status_code, "sealed": _seal(key, response)}
                KeptAnswer.objects.create(digest=digest, fingerprint=fingerprint, **kept)
        except Exception:
            # The same request may have been committed since: its answer counts, not the failure of this attempt.
            if (first := _stored(digest)) is None:
                raise
            return _repeated(first, key, fingerprint)
        return response


def _stored(digest: str) -> KeptAnswer | None:
    return KeptAnswer.objects.filter(digest=digest).first()


def _cipher(key: uuid.UUID) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_derived(key, "seal")))


def _seal(key: uuid.UUID, response: Response) -> bytes:
    headers = {name: response[name] for name in KEPT_HEADERS if name in response}
    answer = {"body": response.content.decode(), "headers": headers}
    return _cipher(key).encrypt(json.dumps(answer).encode())


def _repeated(first: KeptAnswer, key: uuid.UUID, fingerprint: str) -> HttpResponseBase:
    """The stored answer. Raises Problem (422) where the key belongs to another request."""
    if not hmac.compare_digest(first.fingerprint, fingerprint):
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "key_reused",
            _("This Idempotency-Key was used before for another request."),
        )
    answer = json.loads(_cipher(key).decrypt(bytes(first.sealed)))
    headers = {**answer["headers"], REPLAYED: "true"}
    if not answer["body"]:
        return Response(status=first.status, headers=headers)
    return HttpResponse(answer["body"], status=first.status, content_type=JSONRenderer.media_type, headers=headers)


def forget_old() -> int:
    """Delete answers older than `KEPT_FOR`; returns their number."""
    count, _by_model = KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return count
