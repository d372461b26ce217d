"""The frame of every operation: rights, body and query, answer, idempotency key and ETag.

A view declares all of that in `ops`, one `Op` a method; the schema, the permission test and the frame read the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_filters import CharFilter
from rest_framework import exceptions
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import audit
from league.access import ClubAccess, Right, club_for
from league.accounts.admin_second_factor import second_factor_used
from league.models import ApiToken, User

from . import idempotency, paging
from .authentication import key_of
from .parsing import whole_number
from .problems import Problem, wrong_field
from .throttles import Quota, quota_headers

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise
    from django_filters import FilterSet
    from rest_framework.serializers import BaseSerializer

    from .bodies import Body

PAGING = ("after", "limit")
EXCEL_QUERY = {
    "for": {
        "type": "string",
        "enum": ["excel"],
        "description": gettext_lazy("For Excel: amounts in francs, headings in your language, semicolons."),
    }
}
"""The query of CSV files."""
SUMS_QUERY = {
    "sums": {
        "type": "string",
        "enum": ["true"],
        "description": gettext_lazy("Adds `sums`: of all items that the filters find, not of one page."),
    }
}
"""The query of lists with sums (`Op.sums`)."""


class Audience(StrEnum):
    """The audience of an operation outside any club."""

    ANYONE = "anyone"
    PERSON = "person"
    SERVER = "server"


@dataclass(frozen=True)
class Op:
    """One method of one address.

    `allowed` is the right that it needs in the club, or its audience. With `own`, a person who has the right only for
    their own player may use it where the address names that player. `body` and `answer` are serializers; `paged`
    marks an answer that is a page of them. `filters` are further query parameters, `query` those without a filter
    (name to schema), of which some are `required`. The answer of a write is `kept` under its `Idempotency-Key`,
    unless the write stores nothing; with `claims` the service claims that key itself, and the answer to a repeated
    request is made again from what the first one stored. `match` requires
    `If-Match`; `recent` requires that a browser signed in a short while ago. `refusals` are statuses beyond the usual
    ones. `media` is the type of an answer that is not JSON. `more_bodies` are further examples of a body, by name.
    `sums` is the serializer of the sums of a `paged` list, which a request asks for with `SUMS_QUERY`.
    """

    allowed: Right | Audience
    summary: str | _StrPromise
    answer: type[BaseSerializer[Any]] | None = None
    status: int = HTTPStatus.OK
    body: type[Body] | None = None
    paged: bool = False
    filters: type[FilterSet] | None = None
    query: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    kept: bool = True
    claims: bool = False
    match: bool = False
    own: bool = False
    recent: bool = False
    refusals: tuple[int, ...] = ()
    media: str = ""
    example: Any = None
    body_example: Any = None
    more_bodies: Mapping[str, Any] = field(default_factory=dict)
    sums: type[BaseSerializer[Any]] | None = None
    sums_example: Any = None
    about: str | _StrPromise = ""

    def lacks(self, name: str, value: str) -> bool:
        """Return True if a parameter has no value. A filter would ignore it; only a text to search for may be empty."""
        filters = {} if self.filters is None else self.filters.base_filters
        return not value and not isinstance(filters.get(name, CharFilter()), CharFilter)

    def parameters(self) -> set[str]:
        """Return the names of the parameters that the query may have."""
        names = set(self.query) | (set(PAGING) if self.paged else set())
        return names | (set(self.filters.base_filters) if self.filters else set())


class Gate(BasePermission):
    """Call the view's own gate: only the view can read the names in its address."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(view, ApiView):
            return False
        view.gate(request)
        if view.op.recent and key_of(request) is None:
            _check_recent(request)
        return True


def _check_recent(request: Request) -> None:
    """Require a recent sign-in, as the pages do (`reauthentication_required`). Raises Problem (403)."""
    if is_reauthentication_required(request._request, app=""):
        sentence = _("Your sign-in is too long ago. Confirm it at %(page)s, then send the request again.")
        again = reverse("account_reauthenticate")
        raise Problem(HTTPStatus.FORBIDDEN, "reauthenticate", sentence % {"page": again})


def _form_errors(faults: Mapping[str, Any]) -> Any:
    """Convert the errors of a form to the errors of a body."""
    return {n: [exceptions.ErrorDetail(str(one["message"]), str(one["code"])) for one in v] for n, v in faults.items()}


def is_for_all_clubs(key: ApiToken) -> bool:
    """Return True if the key may be used for objects outside any club."""
    return key.club_id is None and ApiToken.Scope.MANAGE in key.scopes


def etag_of(data: Any) -> str:
    """Return a strong ETag for the data of an answer."""
    return _etag(JSONRenderer().render(data))


def _etag(made: bytes) -> str:
    return '"' + hashlib.sha256(made).hexdigest()[:32] + '"'


class Made(Response):
    """An answer whose JSON is made already."""

    def __init__(self, data: Any, made: bytes, **more: Any) -> None:
        super().__init__(data, **more)
        self.made = made


class ApiView(APIView):
    """An address of the API outside any club. Its handlers are named after the HTTP methods."""

    ops: ClassVar[Mapping[str, Op]] = {}
    permission_classes = [Gate]

    @property
    def op(self) -> Op:
        """Return the operation that was requested.

        Raises:
            MethodNotAllowed: the address has no such operation.
        """
        method = "GET" if self.request.method == "HEAD" else str(self.request.method)
        if method not in self.ops:
            raise exceptions.MethodNotAllowed(method)
        return self.ops[method]

    @property
    def allowed_methods(self) -> list[str]:
        return [*self.ops, *(["HEAD"] if "GET" in self.ops else [])]

    def gate(self, request: Request) -> None:
        """Check that the person may use the operation.

        Raises:
            NotAuthenticated, PermissionDenied, Http404.
        """
        allowed = self.op.allowed
        if allowed == Audience.ANYONE:
            return
        if not request.user.is_authenticated:
            raise exceptions.NotAuthenticated
        key = key_of(request)
        if allowed == Audience.SERVER and not (request.user.is_superuser and (key is None or is_for_all_clubs(key))):
            raise exceptions.PermissionDenied
        if allowed == Audience.SERVER and key is None and not second_factor_used(request._request):
            sentence = _("This needs a second factor that you showed in this session.")
            raise Problem(HTTPStatus.FORBIDDEN, "second_factor", sentence)
        if not isinstance(allowed, Audience):
            raise exceptions.PermissionDenied

    def perform_authentication(self, request: Request) -> None:
        """Authenticate and count the request at once: a request that is refused later counts too.

        A request with an unknown key counts for its address. Raises as its base does, and Throttled.
        """
        try:
            super().perform_authentication(request)
        finally:
            # The base checks the throttles only after the gate.
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: the request was counted in `perform_authentication`."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._check_query(request)
        if self.op.body is None and request.method not in ("GET", "HEAD") and request.data:
            raise Problem(HTTPStatus.BAD_REQUEST, "unknown_field", _("This request takes no body."))

    def _check_query(self, request: Request) -> None:
        known = self.op.parameters()
        for name, values in request.query_params.lists():
            sentence = ""
            if name not in known:
                code, sentence = "unknown_parameter", _("There is no parameter “%(name)s” here.") % {"name": name}
            elif len(values) > 1:
                code, sentence = "repeated", _("“%(name)s” is given twice.") % {"name": name}
            elif values[0] not in self.op.query.get(name, {}).get("enum", values) or self.op.lacks(name, values[0]):
                raise wrong_field(name, "choice", _("“%(name)s” has no such value.") % {"name": name})
            if sentence:
                errors = [{"at": name, "code": code, "detail": sentence}]
                raise Problem(HTTPStatus.BAD_REQUEST, code, sentence, errors=errors)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # As the base does it, but the answer of a write is made and stored in one transaction.
        self.args, self.kwargs = args, kwargs
        drf_request = self.initialize_request(request, *args, **kwargs)
        self.request = drf_request
        self.quotas: list[Quota] = []
        self.headers = self.default_response_headers
        response: Any
        token = audit.acting_key.set("")
        try:
            self.initial(drf_request, *args, **kwargs)
            key = key_of(drf_request)
            audit.acting_key.set(key.name if key else "")
            response = self._carried_out(drf_request)
        except Exception as fault:
            response = self.handle_exception(fault)
        finally:
            audit.acting_key.reset(token)
        done: HttpResponseBase = self.finalize_response(drf_request, response, *args, **kwargs)
        for name, value in quota_headers(self.quotas).items():
            done[name] = value
        return done

    def _carried_out(self, request: Request) -> HttpResponseBase:
        name = "get" if request.method == "HEAD" else str(request.method).lower()
        handler: Callable[..., HttpResponseBase] = getattr(self, name)
        if request.method in ("GET", "HEAD"):
            return self._conditional(request, handler(request, **self.kwargs))
        if self.op.claims or not self.op.kept:
            return handler(request, **self.kwargs)
        return idempotency.once(request, lambda: handler(request, **self.kwargs))

    def _conditional(self, request: Request, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, Response):
            return response
        etag = response.headers.get("ETag") or etag_of(response.data)
        return self._not_modified(etag) or self._with_etag(response, etag)

    def _not_modified(self, etag: str) -> HttpResponseBase | None:
        """Return 304 if the client has the current state. `If-Match` is ignored in a read."""
        found = get_conditional_response(self.request._request, etag=etag)
        return self._with_etag(found, etag) if found and found.status_code == HTTPStatus.NOT_MODIFIED else None

    def _with_etag(self, response: HttpResponseBase, etag: str) -> HttpResponseBase:
        response["ETag"] = etag
        return response

    # --- Helpers of the handlers ---------------------------------------------------------------------------

    def sent(self) -> dict[str, Any]:
        """Return the checked body. Raises ValidationError (400) that names every wrong field."""
        wanted = self.op.body
        if wanted is None:
            return {}
        body = wanted(data=self.request.data, partial=self.request.method == "PATCH", context={"view": self})
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def answer(self, thing: Any, **headers: str) -> Response:
        """Return the answer for one thing, with its ETag."""
        answer = self.op.answer
        assert answer is not None
        data = answer(thing, context={"view": self}).data
        made = JSONRenderer().render(data)
        return Made(data, made, status=self.op.status, headers={"ETag": _etag(made), **headers})

    def answer_page(
        self, things: QuerySet[Any, Any], order: Sequence[str], split: paging.Split | None = None
    ) -> Response:
        """Return the page of things that the query requests: `items`, and `next`, the address of the next page. `split`
        is that of `paging.page`."""
        op = self.op
        if op.filters is not None:
            found = op.filters(self._filters_sent(op), queryset=things, request=self.request)
            if not found.form.is_valid():
                raise exceptions.ValidationError(_form_errors(found.form.errors.get_json_data()))
            things = found.qs
        items, after = paging.page(self.request, things, order, split)
        wants_sums = op.sums is not None and "sums" in self.request.query_params
        return self.answer_items(items, after, self.sums_of(things) if wants_sums else None)

    def sums_of(self, things: QuerySet[Any, Any]) -> Any:
        """Return the sums of a list whose operation has `sums`."""
        raise NotImplementedError

    def answer_items(self, items: Iterable[Any], after: str | None = None, sums: Any = None) -> Response:
        """Return a page of things that were read already."""
        answer = self.op.answer
        assert answer is not None
        context = {"view": self}
        page: dict[str, Any] = {"items": [answer(one, context=context).data for one in items], "next": after}
        if sums is not None and self.op.sums is not None:
            page["sums"] = self.op.sums(sums, context=context).data
        return Response(page)

    def _filters_sent(self, op: Op) -> dict[str, str]:
        names = set(op.filters.base_filters) if op.filters else set()
        return {name: str(value) for name, value in self.request.query_params.items() if name in names}

    def answer_unless_known(self, etag: str, make: Callable[[], Any]) -> HttpResponseBase:
        """Return the answer that `make` reads; or 304, without reading, if the client has the state with this ETag."""
        return self._not_modified(etag) or self._with_etag(self.answer(make()), etag)

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

    def no_content(self) -> Response:
        """Return 204."""
        return Response(status=HTTPStatus.NO_CONTENT)

    def check_match(self, thing: Any, answer: type[BaseSerializer[Any]]) -> None:
        """Check that `If-Match` names the current state of the (locked) thing.

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
        etag = etag_of(answer(thing, context={"view": self}).data)
        if given.strip() != "*" and etag not in [one.strip().removeprefix("W/") for one in given.split(",")]:
            raise Problem(
                HTTPStatus.PRECONDITION_FAILED,
                "changed",
                _("Somebody changed this since you read it; read it again."),
                headers={"ETag": etag},
            )


class ClubView(ApiView):
    """An address of a club (`<slug:club>` in its path). `access` is the club with the person's rights."""

    access: ClubAccess

    def gate(self, request: Request) -> None:
        right = self.op.allowed
        if not isinstance(right, Right):
            raise exceptions.PermissionDenied
        own = self.op.own
        try:
            self.access = club_for(request.user, self.kwargs["club"], Right.READ if own else right, key_of(request))
            if own and not self.access.may_own(right, self.kwargs.get("player")):
                raise PermissionDenied
        except PermissionDenied:
            if not request.user.is_authenticated:
                raise exceptions.NotAuthenticated from None
            raise
