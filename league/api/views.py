"""The bases of all views of the API.

A view names for each of its operations the right (`rights`), the body (`bodies`) and the parameters of the query
(`queries`). An operation is an action of a viewset (`list`, `create`, or an extra action), or a method of a plain view
(`get`). A refusal is a `Problem`; writes are repeated safely (`IdempotencyMixin`), answers have an ETag (`EtagMixin`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django_filters import CharFilter
from rest_framework import exceptions
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from league import audit
from league.access import ClubAccess, Right
from league.models import User

from .authentication import key_of
from .bodies import Body
from .etags import EtagMixin
from .filters import Filters
from .idempotency import IdempotencyMixin
from .parsing import whole_number
from .permissions import Audience, HasRight, OfAudience
from .problems import Problem, wrong_field
from .throttles import Quota, quota_headers

Schema = Mapping[str, Any]
SAFE = ("GET", "HEAD")


class ApiView(EtagMixin, IdempotencyMixin, GenericAPIView[Any]):
    """A view outside any club."""

    rights: ClassVar[Mapping[str, Right | Audience]] = {}
    bodies: ClassVar[Mapping[str, type[Body]]] = {}
    queries: ClassVar[Mapping[str, Mapping[str, Schema]]] = {}
    """Parameters of the query by operation: name to JSON schema; `required` in a schema marks one that must be sent."""
    matched: ClassVar[Collection[str]] = ()
    """The operations that need `If-Match`."""
    secret_actions: ClassVar[Collection[str]] = ()
    """The actions at whose addresses answers show a secret (`web.compression`)."""
    refusals: ClassVar[Collection[int] | Mapping[str, Collection[int]]] = ()
    """Statuses of refused writes, beyond the usual ones; or statuses by operation."""
    permission_classes = [OfAudience]
    filter_backends = [Filters]
    pagination_class: Any = None
    lookup_value_converter = "int"

    @property
    def operation(self) -> str:  # type: ignore[override]
        """The action that was requested, of a plain view the method in small letters."""
        method = str(self.request.method).lower()
        return getattr(self, "action", None) or ("get" if method == "head" else method)

    @property
    def is_paged(self) -> bool:
        """True if the operation answers a page of a list."""
        return self.pagination_class is not None and self.operation == "list"

    @property
    def allowed_methods(self) -> list[str]:
        return [method for method in super().allowed_methods if method != "OPTIONS"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.quotas: list[Quota] = []
        token = audit.acting_key.set("")
        try:
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        finally:
            audit.acting_key.reset(token)
        for name, value in quota_headers(self.quotas).items():
            response[name] = value
        return response

    def perform_authentication(self, request: Request) -> None:
        """Authenticate and count the request at once: a request that is refused later counts too.

        A request with an unknown key counts for its address. Raises as its base does, and Throttled.
        """
        try:
            super().perform_authentication(request)
        finally:
            # The base checks the throttles only after the permissions.
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: the request was counted in `perform_authentication`."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        key = key_of(request)
        audit.acting_key.set(key.name if key else "")
        self._check_query(request)
        if self.operation not in self.bodies and request.method not in SAFE and request.data:
            raise Problem(HTTPStatus.BAD_REQUEST, "unknown_field", _("This request takes no body."))

    def _check_query(self, request: Request) -> None:
        own = self.queries.get(self.operation, {})
        filters = self._filters()
        known = {*own, *filters, *(("after", "limit") if self.is_paged else ())}
        for name, values in request.query_params.lists():
            sentence = ""
            if name not in known:
                code, sentence = "unknown_parameter", _("There is no parameter “%(name)s” here.") % {"name": name}
            elif len(values) > 1:
                code, sentence = "repeated", _("“%(name)s” is given twice.") % {"name": name}
            # A filter would ignore a parameter without a value; only a text to search for may be empty.
            elif values[0] not in own.get(name, {}).get("enum", values) or (
                not values[0] and not isinstance(filters.get(name, CharFilter()), CharFilter)
            ):
                raise wrong_field(name, "choice", _("“%(name)s” has no such value.") % {"name": name})
            if sentence:
                errors = [{"at": name, "code": code, "detail": sentence}]
                raise Problem(HTTPStatus.BAD_REQUEST, code, sentence, errors=errors)

    def _filters(self) -> Mapping[str, Any]:
        filterset = getattr(self, "filterset_class", None)
        return filterset.base_filters if self.operation == "list" and filterset is not None else {}

    # --- Helpers of the handlers ---------------------------------------------------------------------------

    def sent(self) -> dict[str, Any]:
        """Return the checked body. Raises ValidationError (400) that names every wrong field."""
        kind = self.bodies[self.operation]
        body = kind(data=self.request.data, partial=self.request.method == "PATCH", context={"view": self})
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def answer(
        self, thing: Any, serializer: type[BaseSerializer[Any]] | None = None, *, status: int = 200, **headers: str
    ) -> Response:
        """Return the answer for one thing, by the view's serializer or another one."""
        kind = serializer or self.get_serializer_class()
        return Response(kind(thing, context=self.get_serializer_context()).data, status=status, headers=headers)

    def created(self, thing: Any, serializer: type[BaseSerializer[Any]] | None = None, **headers: str) -> Response:
        """Return the answer for a thing that was made."""
        return self.answer(thing, serializer, status=HTTPStatus.CREATED, **headers)

    def no_content(self) -> Response:
        """Return 204."""
        return Response(status=HTTPStatus.NO_CONTENT)

    def whole_number(self, name: str, *, most: int) -> int | None:
        """Return a whole number of the query from 1 to `most`, None if it is not given. Raises Problem (400)."""
        text = self.request.query_params.get(name)
        if text is None:
            return None
        number = whole_number(text)
        if number is None or not 1 <= number <= most:
            sentence = _("“%(name)s” is a whole number from 1 to %(most)s.") % {"name": name, "most": most}
            raise wrong_field(name, "number", sentence)
        return number

    @property
    def person(self) -> User:
        """The person who is signed in. Raises NotAuthenticated."""
        if not isinstance(self.request.user, User):
            raise exceptions.NotAuthenticated
        return self.request.user


class ClubView(ApiView):
    """A view of a club (`<slug:club>` in its address). `access` is the club with the person's rights."""

    permission_classes = [HasRight]
    access: ClubAccess


class ApiViewSet(ApiView, GenericViewSet[Any]):
    """A viewset outside any club."""


class ClubViewSet(ClubView, GenericViewSet[Any]):
    """A viewset of things of a club."""
