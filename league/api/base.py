"""The frame of every operation: who may, which body and query, the answer, and its key and state.

A view says all of that in `ops`, one `Op` a method; the schema, the permission test and the frame read the same.
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
from django_filters import CharFilter
from rest_framework import exceptions
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import audit
from league.access import ClubAccess, Right, club_for
from league.accounts.back_room import second_factor_used
from league.models import ApiToken, User

from . import keeping, paging
from .authentication import key_of
from .problems import Problem, wrong_field

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise
    from django_filters import FilterSet
    from rest_framework.serializers import BaseSerializer

    from .bodies import Body

PAGING = ("after", "limit")


class Who(StrEnum):
    """Whom an operation outside any club is for."""

    ANYONE = "anyone"
    PERSON = "person"
    SERVER = "server"


@dataclass(frozen=True)
class Op:
    """One method of one address.

    `who`: the right that it asks for in the club, or whom it is for; with `own`, who has the right for their own player
    alone may where the address names that one. `body` and `answer` are serializers, `paged` says that the answer is a
    page of them. `filters` are further query parameters, `query` those without a filter (name to schema). A write is
    `kept` under its `Idempotency-Key` unless it stores nothing; `match` asks for `If-Match`; `recent` asks a browser
    whose sign-in is long past who it is once more. `refusals` are statuses beyond the usual ones. `media` is the
    answer's type where it is no JSON.
    """

    who: Right | Who
    summary: str | _StrPromise
    answer: type[BaseSerializer[Any]] | None = None
    status: int = HTTPStatus.OK
    body: type[Body] | None = None
    paged: bool = False
    filters: type[FilterSet] | None = None
    query: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    kept: bool = True
    match: bool = False
    own: bool = False
    recent: bool = False
    refusals: tuple[int, ...] = ()
    media: str = ""
    example: Any = None
    body_example: Any = None
    about: str | _StrPromise = ""

    def lacks(self, name: str, value: str) -> bool:
        """Whether a parameter is there without its value. A filter by itself would take that for no filter; a text to
        look for may be empty."""
        filters = {} if self.filters is None else self.filters.base_filters
        return not value and not isinstance(filters.get(name, CharFilter()), CharFilter)

    def parameters(self) -> set[str]:
        """The names that the query may have."""
        names = set(self.query) | (set(PAGING) if self.paged else set())
        return names | (set(self.filters.base_filters) if self.filters else set())


class Gate(BasePermission):
    """Asks the view itself, which knows its address."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(view, ApiView):
            return False
        view.gate(request)
        if view.op.recent and key_of(request) is None:
            _check_recent(request)
        return True


def _check_recent(request: Request) -> None:
    """As the pages ask it (`reauthentication_required`). Raises Problem (403)."""
    if is_reauthentication_required(request._request, app=""):
        sentence = _("Your sign-in is a while ago. Say once more who you are, at %(page)s, and send this again.")
        again = reverse("account_reauthenticate")
        raise Problem(HTTPStatus.FORBIDDEN, "reauthenticate", sentence % {"page": again})


def _told(faults: Mapping[str, Any]) -> Any:
    """The faults of a form, as of a body."""
    return {n: [exceptions.ErrorDetail(str(one["message"]), str(one["code"])) for one in v] for n, v in faults.items()}


def for_all(key: ApiToken) -> bool:
    """Whether a key may what belongs to no club."""
    return key.club_id is None and ApiToken.Scope.MANAGE in key.scopes


def etag_of(data: Any) -> str:
    """A strong mark for what is answered."""
    return '"' + hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32] + '"'


class ApiView(APIView):
    """An address of the API outside any club. The functions that answer are named after the method."""

    ops: ClassVar[Mapping[str, Op]] = {}
    permission_classes = [Gate]

    @property
    def op(self) -> Op:
        """What is being asked for.

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
        """Whether the asker may.

        Raises:
            NotAuthenticated, PermissionDenied, Http404.
        """
        who = self.op.who
        if who == Who.ANYONE:
            return
        if not request.user.is_authenticated:
            raise exceptions.NotAuthenticated
        key = key_of(request)
        if who == Who.SERVER and not (request.user.is_superuser and (key is None or for_all(key))):
            raise exceptions.PermissionDenied
        if who == Who.SERVER and key is None and not second_factor_used(request._request):
            sentence = _("This needs a second factor that you showed in this session.")
            raise Problem(HTTPStatus.FORBIDDEN, "second_factor", sentence)
        if not isinstance(who, Who):
            raise exceptions.PermissionDenied

    def perform_authentication(self, request: Request) -> None:
        """Who asks, counted at once: what the gate refuses counts too, and a key that is none counts for the address
        that it came from. Raises as its base does, and Throttled."""
        try:
            super().perform_authentication(request)
        finally:
            # The base's own place for it lies behind the gate.
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Counted already."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._check_query(request)
        if self.op.body is None and request.method not in ("GET", "HEAD") and request.data:
            raise Problem(HTTPStatus.BAD_REQUEST, "unknown_field", _("No body is wanted here."))

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
        # As the base does it, but the answer of a write is made and kept in one transaction.
        self.args, self.kwargs = args, kwargs
        asked = self.initialize_request(request, *args, **kwargs)
        self.request = asked
        self.headers = self.default_response_headers
        response: Any
        acting = audit.acting_key.set("")
        try:
            self.initial(asked, *args, **kwargs)
            key = key_of(asked)
            audit.acting_key.set(key.name if key else "")
            response = self._carried_out(asked)
        except Exception as fault:
            response = self.handle_exception(fault)
        finally:
            audit.acting_key.reset(acting)
        done: HttpResponseBase = self.finalize_response(asked, response, *args, **kwargs)
        return done

    def _carried_out(self, request: Request) -> HttpResponseBase:
        name = "get" if request.method == "HEAD" else str(request.method).lower()
        handler: Callable[..., HttpResponseBase] = getattr(self, name)
        if request.method in ("GET", "HEAD"):
            return self._conditional(request, handler(request, **self.kwargs))
        if not self.op.kept:
            return handler(request, **self.kwargs)
        return keeping.once(request, lambda: handler(request, **self.kwargs))

    def _conditional(self, request: Request, response: HttpResponseBase) -> HttpResponseBase:
        if not isinstance(response, Response):
            return response
        mark = response.headers.get("ETag") or etag_of(response.data)
        return self._not_modified(mark) or self._marked(response, mark)

    def _not_modified(self, mark: str) -> HttpResponseBase | None:
        """304 for who has it as it is. `If-Match` says nothing to somebody who only reads."""
        found = get_conditional_response(self.request._request, etag=mark)
        return self._marked(found, mark) if found and found.status_code == HTTPStatus.NOT_MODIFIED else None

    def _marked(self, response: HttpResponseBase, mark: str) -> HttpResponseBase:
        response["ETag"] = mark
        return response

    # --- What the functions that answer use ---------------------------------------------------------------

    def sent(self) -> dict[str, Any]:
        """The body, checked. Raises ValidationError (400) that names every wrong field."""
        wanted = self.op.body
        if wanted is None:
            return {}
        body = wanted(data=self.request.data, partial=self.request.method == "PATCH", context={"view": self})
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def told(self, thing: Any, **headers: str) -> Response:
        """The answer for one thing, with its mark as ETag."""
        answer = self.op.answer
        assert answer is not None
        data = answer(thing, context={"view": self}).data
        return Response(data, status=self.op.status, headers={"ETag": etag_of(data), **headers})

    def told_page(self, things: QuerySet[Any, Any], order: Sequence[str]) -> Response:
        """A page of things as the query asks for: `items`, and `next`, the address of the page behind it."""
        op = self.op
        if op.filters is not None:
            found = op.filters(self._filters_sent(op), queryset=things, request=self.request)
            if not found.form.is_valid():
                raise exceptions.ValidationError(_told(found.form.errors.get_json_data()))
            things = found.qs
        items, after = paging.page(self.request, things, order)
        return self.told_items(items, after)

    def told_items(self, items: Iterable[Any], after: str | None = None) -> Response:
        """The same for things that were read already."""
        answer = self.op.answer
        assert answer is not None
        context = {"view": self}
        return Response({"items": [answer(one, context=context).data for one in items], "next": after})

    def _filters_sent(self, op: Op) -> dict[str, str]:
        names = set(op.filters.base_filters) if op.filters else set()
        return {name: str(value) for name, value in self.request.query_params.items() if name in names}

    def told_once(self, mark: str, make: Callable[[], Any]) -> HttpResponseBase:
        """The answer that `make` reads, or 304 where the asker has the state of this mark: then nothing is read."""
        return self._not_modified(mark) or self._marked(self.told(make()), mark)

    def whole(self, name: str, *, most: int) -> int | None:
        """A whole number of the query from 1 to `most`; None where it is not given. Raises Problem (400)."""
        text = self.request.query_params.get(name)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
            said = _("“%(name)s” is a whole number from 1 to %(most)s.") % {"name": name, "most": most}
            raise wrong_field(name, "number", said)
        return int(text)

    @property
    def person(self) -> User:
        """Who asks and is signed in."""
        if not isinstance(self.request.user, User):
            raise exceptions.NotAuthenticated
        return self.request.user

    def done(self) -> Response:
        """204."""
        return Response(status=HTTPStatus.NO_CONTENT)

    def check_match(self, thing: Any, answer: type[BaseSerializer[Any]]) -> None:
        """Whether the asker's `If-Match` is what the (locked) thing looks like now.

        Raises:
            Problem: 428 without the header, 412 where it is another state.
        """
        given = self.request.headers.get("If-Match")
        if given is None:
            raise Problem(
                HTTPStatus.PRECONDITION_REQUIRED,
                "match_missing",
                _("Send If-Match with the ETag of what you read, so that nobody's change is lost."),
            )
        mark = etag_of(answer(thing, context={"view": self}).data)
        if given.strip() != "*" and mark not in [one.strip().removeprefix("W/") for one in given.split(",")]:
            raise Problem(
                HTTPStatus.PRECONDITION_FAILED,
                "changed",
                _("Somebody changed this since you read it; read it again."),
                headers={"ETag": mark},
            )


class ClubView(ApiView):
    """An address of a club (`<slug:club>` in its path). `access` is the club as the asker sees it."""

    access: ClubAccess

    def gate(self, request: Request) -> None:
        right = self.op.who
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
