"""A write is done once: who sends the same key and the same request again gets the same answer.

The key is claimed and the answer stored in the write's own transaction; of several at once the unique key lets one
through, the others wait for its end. What is refused stores nothing and leaves the key free. The answer is kept
encrypted under the key itself, of which only a hash is stored: it can hold a person's name or a new key for a program.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from cryptography.fernet import Fernet
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.models import KeptAnswer

from .problems import Problem, wrong_field

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEPT_FOR = timedelta(days=30)
KEPT_HEADERS = ("Location", "ETag")


class _Seen(Exception):
    """The key was used before."""


def key_sent(request: Any) -> uuid.UUID:
    """The key of a write. Raises Problem (400)."""
    text = request.headers.get(HEADER, "")
    if not text:
        raise Problem(
            HTTPStatus.BAD_REQUEST,
            "key_missing",
            _("A write needs the header Idempotency-Key: a UUID of yours, the same when you send it again."),
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


def _derived(key: uuid.UUID, what: str, text: str = "") -> bytes:
    return hmac.new(key.bytes, f"{what}\n{text}".encode(), hashlib.sha256).digest()


def once(request: Request, act: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Carry out a write under its key, or give the answer of the first time.

    Raises:
        Problem: 400 without a key, 422 where it was used for another request.
    """
    key = key_sent(request)
    sent = json.dumps(request.data, sort_keys=True, separators=(",", ":"))
    digest = _derived(key, "digest", str(request.user.pk)).hex()
    fingerprint = _derived(key, "request", f"{request.method} {request._request.get_full_path()}\n{sent}").hex()
    try:
        with transaction.atomic():
            kept = _claim(digest, fingerprint)
            response = act()
            kept.status = response.status_code
            kept.sealed = _seal(key, response)
            kept.save(update_fields=["status", "sealed"])
    except _Seen:
        return _again(KeptAnswer.objects.get(digest=digest), key, fingerprint)
    return response


def _claim(digest: str, fingerprint: str) -> KeptAnswer:
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(digest=digest, fingerprint=fingerprint)
    except IntegrityError:
        raise _Seen from None


def _cipher(key: uuid.UUID) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_derived(key, "seal")))


def _seal(key: uuid.UUID, response: HttpResponseBase) -> bytes:
    data = getattr(response, "data", None)
    told = {
        "body": "" if data is None else JSONRenderer().render(data).decode(),
        "headers": {name: response[name] for name in KEPT_HEADERS if name in response},
    }
    return _cipher(key).encrypt(json.dumps(told).encode())


def _again(kept: KeptAnswer, key: uuid.UUID, fingerprint: str) -> HttpResponseBase:
    if not hmac.compare_digest(kept.fingerprint, fingerprint):
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "key_reused",
            _("This Idempotency-Key was used before for another request."),
        )
    told = json.loads(_cipher(key).decrypt(bytes(kept.sealed)))
    if not told["body"]:
        return Response(status=kept.status, headers={**told["headers"], REPLAYED: "true"})
    answer = HttpResponse(told["body"], status=kept.status, content_type=JSONRenderer.media_type)
    for name, value in {**told["headers"], REPLAYED: "true"}.items():
        answer[name] = value
    return answer


def forget_old() -> int:
    """Drop the answers that nobody asks for any more; how many there were."""
    count, _by_model = KeptAnswer.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return count
