"""The API in OpenAPI 3.1, generated from the operations that each view declares."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django_filters import filters
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from league.access import SCOPE_OF, Right
from league.web.error_pages import PROBLEM_TYPE, problem, title_of

from .base import ApiView, Audience, Op
from .bodies import MAX_ID, SLUG_PATTERN, IdFilter, SlugFilter
from .paging import LIMIT, MOST, POSITION_PATTERN

PREFIX = "/api/v1/"
CSV = "text/csv"
LINE_PATTERN = r"^[^\u0000-\u001f]*$"
TEXT_PATTERN = r"^[^\u0000-\u001f]*[^\s\u0000-\u001f][^\u0000-\u001f]*$"

CODES = {
    400: "parse_error",
    401: "not_authenticated",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    411: "length_required",
    412: "changed",
    413: "too_large",
    415: "unsupported_media_type",
    422: "refused",
    428: "match_missing",
    429: "throttled",
    500: "error",
}


class Place(serializers.Serializer[Any]):
    """A wrong place in a body or query."""

    at = serializers.CharField(allow_blank=True, help_text=gettext_lazy("A path with dots."))
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemAnswer(serializers.Serializer[Any]):
    """RFC 9457: the reason of a refusal. `clause` is the rule of the rulebook, `at` and `seat` the place in a hand."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = Place(many=True, required=False)  # type: ignore[assignment]
    clause = serializers.CharField(required=False)
    at = serializers.CharField(required=False)
    seat = serializers.IntegerField(required=False)
    details = serializers.DictField(required=False)

    class Meta:
        ref_name = "Problem"


class BodyExtension(OpenApiSerializerExtension):
    """Describe bodies: no fields but the named ones."""

    target_class = "league.api.bodies.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        schema["additionalProperties"] = False
        schema.setdefault("type", "object")
        if direction == "request" and getattr(self.target, "partial", False):
            schema["minProperties"] = 1
        if self.target.one_of:
            schema["oneOf"] = [{"required": [name]} for name in self.target.one_of]
        for name, one in self.target.fields.items():
            if name in schema.get("properties", {}):
                _add_text_pattern(one, schema["properties"][name])
        return schema


def _add_text_pattern(one: Any, schema: dict[str, Any]) -> None:
    """Say that a text has no control characters and, unless it may be blank, a character that is no space."""
    if schema.get("type") == "array":
        _add_text_pattern(one.child, schema["items"])
    elif isinstance(one, serializers.CharField) and not {"pattern", "format", "enum"} & set(schema):
        schema["pattern"] = LINE_PATTERN if one.allow_blank else TEXT_PATTERN


class KeyScheme(KnoxTokenScheme):
    """Sign-in by an API key."""

    target_class = "league.api.authentication.KeyAuthentication"
    name = "key"


class BrowserScheme(SessionScheme):
    """Sign-in by a browser's session; writes send the CSRF token as `X-CSRFToken`."""

    target_class = "league.api.authentication.BrowserAuthentication"
    name = "browser"


def _filter_schema(one: filters.Filter) -> dict[str, Any]:
    if isinstance(one, filters.ChoiceFilter):
        return {"type": "string", "enum": [str(value) for value, _name in one.extra["choices"]]}
    if isinstance(one, filters.DateFilter):
        return {"type": "string", "format": "date"}
    if isinstance(one, IdFilter):
        return {"type": "integer", "minimum": 0, "maximum": MAX_ID}
    found: dict[str, Any] = {"type": "string"}
    if "max_length" in one.extra:
        found["maxLength"] = one.extra["max_length"]
    return {**found, "pattern": SLUG_PATTERN} if isinstance(one, SlugFilter) else found


class ApiSchema(AutoSchema):
    """Describe an operation from the `Op` of the view's method."""

    @property
    def op(self) -> Op:
        """The operation that is described."""
        view = self.view
        if not isinstance(view, ApiView):
            raise TypeError(f"{type(view).__name__} is not of the API's frame")
        return view.ops[self.method.upper()]

    def get_operation_id(self) -> str:
        name = self.view.__class__.__name__
        verb = {"GET": "list" if self.op.paged else "read", "POST": "post", "PATCH": "change", "DELETE": "delete"}
        return f"{name[0].lower()}{name[1:]}_{verb.get(self.method.upper(), self.method.lower())}"

    def get_summary(self) -> str:
        return str(self.op.summary)

    def get_description(self) -> str:  # type: ignore[override]
        lines = [str(self.op.about)] if self.op.about else []
        op, allowed = self.op, self.op.allowed
        if isinstance(allowed, Right):
            lines.append(
                _("Right: `%(right)s`; a key's scope: `%(scope)s`.")
                % {"right": allowed.value, "scope": SCOPE_OF[allowed]}
            )
        elif allowed is Audience.SERVER:
            lines.append(_("For the person who runs the server; a browser must have used a second factor."))
        if op.recent:
            lines.append(_("A browser must have signed in, or confirmed its sign-in, within ten minutes."))
        return "\n\n".join(lines)

    def get_tags(self) -> list[str]:
        parts = [part for part in self.path.removeprefix(PREFIX).split("/") if part and "{" not in part]
        return [(parts[1] if len(parts) > 1 and parts[0] == "clubs" else parts[0]).removesuffix(".csv")]

    def get_auth(self) -> list[dict[str, Any]]:
        auth = super().get_auth()
        open_to_all = self.op.allowed in (Audience.ANYONE, Right.READ)
        return [*auth, {}] if open_to_all else auth

    def _get_request_body(self, direction: Any = "request") -> Any:
        # The base makes the body of a PATCH optional, because each of its fields is.
        body = super()._get_request_body(direction)
        return body and {**body, "required": True}

    def get_request_serializer(self) -> Any:
        return self.op.body

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False

    def get_response_serializers(self) -> Any:
        op = self.op
        responses: dict[Any, Any] = {}
        if op.media:
            responses[(op.status, op.media)] = OpenApiResponse(OpenApiTypes.STR, description=str(op.summary))
        elif op.answer is None:
            responses[op.status] = OpenApiResponse(description=str(op.summary))
        else:
            responses[(op.status, "application/json")] = OpenApiResponse(
                self._page_of(op) if op.paged else op.answer, description=str(op.summary)
            )
        if self.method == "GET":
            responses[304] = OpenApiResponse(description=_("Nothing changed since the ETag that was sent."))
        for status in self._refusals():
            responses[(status, PROBLEM_TYPE)] = OpenApiResponse(ProblemAnswer, description=title_of(status))
        return responses

    def _page_of(self, op: Op) -> Any:
        answer: Any = op.answer
        component = self.resolve_serializer(answer, "response")
        properties: dict[str, Any] = {
            "items": {"type": "array", "items": component.ref},
            "next": {"type": ["string", "null"], "description": _("The address of the next page.")},
        }
        sums: Any = op.sums
        if sums is not None:
            properties["sums"] = self.resolve_serializer(sums, "response").ref
        return {"type": "object", "properties": properties, "required": ["items", "next"]}

    def _refusals(self) -> list[int]:
        op = self.op
        codes = {400, 401, 405, 429, *op.refusals}
        if isinstance(op.allowed, Right) or op.allowed is Audience.SERVER or self.method not in ("GET", "HEAD"):
            codes.add(403)
        if "{" in self.path:
            codes.add(404)
        if self.method not in ("GET", "HEAD"):
            codes |= {411, 413, 415}
            if op.kept:
                codes.add(422)
        if op.match:
            codes |= {412, 428}
        return sorted(codes)

    def get_override_parameters(self) -> list[Any]:
        op = self.op
        found = [*self._query_parameters(op), *self._header_parameters(op)]
        if self.method == "GET" and not op.media:
            found.append(
                OpenApiParameter("ETag", str, "header", response=[op.status], description=_("The state of the answer."))
            )
        found.append(OpenApiParameter("Retry-After", int, "header", response=[429], description=_("Seconds to wait.")))
        return [*found, *self._limit_headers()]

    def _limit_headers(self) -> list[OpenApiParameter]:
        texts = {
            "RateLimit-Policy": _("The limits that counted this request: `q` requests in `w` seconds."),
            "RateLimit": _("The rest of these limits: `r` requests, for the next `t` seconds."),
        }
        return [OpenApiParameter(name, str, "header", response=True, description=text) for name, text in texts.items()]

    def _query_parameters(self, op: Op) -> list[OpenApiParameter]:
        found = [
            OpenApiParameter(
                name, dict(schema), "query", name in op.required, description=str(schema.get("description", ""))
            )
            for name, schema in op.query.items()
        ]
        if op.filters is not None:
            for name, one in op.filters.base_filters.items():
                text = str(one.extra.get("help_text", "") or one.label or "")
                found.append(OpenApiParameter(name, _filter_schema(one), "query", description=text))
        if op.paged:
            limit = {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT}
            found.append(OpenApiParameter("limit", limit, "query", description=_("Items on a page.")))
            text = _("Where the page begins; use the address in `next` unchanged.")
            after = {"type": "string", "pattern": POSITION_PATTERN}
            found.append(OpenApiParameter("after", after, "query", description=text))
        return found

    def _header_parameters(self, op: Op) -> list[OpenApiParameter]:
        found = []
        if self.method == "GET":
            text = _("The ETag of the state that you have.")
            found.append(OpenApiParameter("If-None-Match", str, "header", description=text))
        elif op.kept:
            text = _("A key of your own for this write; the same key, the same answer.")
            found.append(OpenApiParameter("Idempotency-Key", OpenApiTypes.UUID, "header", True, description=text))
        if op.match:
            text = _("The ETag of the state that you read; `*` for any state.")
            found.append(OpenApiParameter("If-Match", str, "header", True, description=text))
        return found

    def get_examples(self) -> list[OpenApiExample]:
        op = self.op
        found = []
        if op.example is not None:
            value = {"items": [op.example], "next": None} if op.paged else op.example
            if op.sums_example is not None:
                value["sums"] = op.sums_example
            found.append(OpenApiExample("answer", value=value, response_only=True, status_codes=[str(int(op.status))]))
        if op.body_example is not None:
            found.append(OpenApiExample("body", value=op.body_example, request_only=True))
        for name, value in op.more_bodies.items():
            found.append(OpenApiExample(name, value=value, request_only=True))
        for status in self._refusals():
            refusal = problem(status, CODES.get(status, "refused"), HTTPStatus(status).description or "")
            found.append(
                OpenApiExample(
                    f"problem {status}",
                    value=refusal,
                    response_only=True,
                    status_codes=[str(status)],
                    media_type=PROBLEM_TYPE,
                )
            )
        return found


_made: dict[str, Mapping[str, Any]] = {}


def document() -> Mapping[str, Any]:
    """Return the whole document in the active language; it does not change while the service runs."""
    language = get_language() or settings.LANGUAGE_CODE
    if language not in _made:
        _made[language] = SchemaGenerator().get_schema(request=None, public=True)
    return _made[language]
