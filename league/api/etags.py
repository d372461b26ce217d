"""ETags of answers: what did not change is answered with 304, and a change can require the state that was read."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from .problems import Problem


def etag_of(data: Any) -> str:
    """Return a strong ETag for the data of an answer."""
    return _etag(JSONRenderer().render(data))


def _etag(content: bytes) -> str:
    return '"' + hashlib.sha256(content).hexdigest()[:32] + '"'


def not_modified(request: HttpRequest, etag: str) -> HttpResponseBase | None:
    """Return 304 if the client has this state, else None. `If-Match` is ignored in a read."""
    response = get_conditional_response(request, etag=etag)
    if response is None or response.status_code != HTTPStatus.NOT_MODIFIED:
        return None
    response["ETag"] = etag
    return response


class EtagMixin(APIView):
    """A view whose answers have an ETag: of their content, unless the handler set one."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        done: Any = super().finalize_response(request, response, *args, **kwargs)
        # A file is no `Response` of the framework.
        if isinstance(done, Response) and done.data is not None and done.status_code < HTTPStatus.BAD_REQUEST:
            done.add_post_render_callback(self._with_etag)
        return done  # type: ignore[no-any-return]

    def _with_etag(self, response: Response) -> HttpResponseBase | None:
        response.headers.setdefault("ETag", _etag(response.content))
        if self.request.method not in ("GET", "HEAD"):
            return None
        unchanged = not_modified(self.request._request, response["ETag"])
        if unchanged is not None:
            for name in {*response.headers} - {"Content-Type", "Content-Length"}:
                unchanged[name] = response[name]
        return unchanged

    def check_match(self, thing: Any, serializer: type[BaseSerializer[Any]]) -> None:
        """Check that `If-Match` names the current state of the (locked) thing, as this serializer shows it.

        Raises:
            Problem: 428 without the header, 412 for another state.
        """
        given = self.request.headers.get("If-Match")
        if given is None:
            raise Problem(
                HTTPStatus.PRECONDITION_REQUIRED,
                "match_missing",
                _("Send If-Match with the ETag of the object that you read, so that no change is lost."),
            )
        etag = etag_of(serializer(thing, context={"view": self}).data)
        if given.strip() != "*" and etag not in [tag.strip().removeprefix("W/") for tag in given.split(",")]:
            raise Problem(
                HTTPStatus.PRECONDITION_FAILED,
                "changed",
                _("Somebody changed this since you read it; read it again."),
                headers={"ETag": etag},
            )
