"""The API in OpenAPI 3.1, generated from the views: what `extend_schema` says, and what is the same for all operations:
headers, refusals, the right that is needed, and examples."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers

from league.access import SCOPE_OF, Right
from league.web.error_pages import PROBLEM_TYPE, problem, title_of

from .permissions import Audience, SignedInRecently

PREFIX = "/api/v1/"
CSV = {(200, "text/csv"): OpenApiTypes.STR}
PDF = {(200, "application/pdf"): OpenApiTypes.STR}
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
        for name, field in self.target.fields.items():
            if name in schema.get("properties", {}):
                _add_text_pattern(field, schema["properties"][name])
        return schema


def _add_text_pattern(field: Any, schema: dict[str, Any]) -> None:
    """Say that a text has no control characters and, unless it may be blank, a character that is no space."""
    if schema.get("type") == "array":
        _add_text_pattern(field.child, schema["items"])
    elif isinstance(field, serializers.CharField) and not {"pattern", "format", "enum"} & set(schema):
        schema["pattern"] = LINE_PATTERN if field.allow_blank else TEXT_PATTERN


class KeyScheme(KnoxTokenScheme):
    """Sign-in by an API key."""

    target_class = "league.api.authentication.KeyAuthentication"
    name = "key"


class BrowserScheme(SessionScheme):
    """Sign-in by a browser's session; writes send the CSRF token as `X-CSRFToken`."""

    target_class = "league.api.authentication.BrowserAuthentication"
    name = "browser"


@cache
def _examples() -> Mapping[str, Mapping[str, Any]]:
    """Return the recorded examples by operation: `answer`, `body`, and further `bodies` by name."""
    examples: dict[str, Any] = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
    return examples


class ApiSchema(AutoSchema):
    """Describe an operation of the API."""

    view: Any

    @property
    def operation(self) -> str:
        """The action of a viewset, or the method of a plain view."""
        return getattr(self.view, "action", None) or self.method.lower()

    @property
    def reads(self) -> bool:
        """True if the operation changes nothing."""
        return self.method in ("GET", "HEAD")

    @property
    def needs_key(self) -> bool:
        """True if a request needs an idempotency key."""
        return not self.reads and self.operation not in self.view.unkept

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        operation: Any = super().get_operation(*args, **kwargs)
        operation["summary"] = str(operation["summary"])
        operation["description"] = "\n\n".join([str(operation.get("description", "")), *self._rights()]).strip()
        if not operation["description"]:
            del operation["description"]
        responses = operation["responses"]
        for answer in responses.values():
            answer["description"] = operation["summary"]
            # Not by `get_examples`: it would make a page of the example of a list.
            for content in answer.get("content", {}).values() if "answer" in self._recorded() else ():
                content["examples"] = {"Answer": {"value": self._recorded()["answer"]}}
        if self.method == "GET":
            responses["304"] = {"description": _("Nothing changed since the ETag that was sent.")}
        refusal = self.resolve_serializer(ProblemAnswer, "response").ref
        for status in self._refusals():
            shown = problem(status, CODES.get(status, "refused"), HTTPStatus(status).description or "")
            content = {"schema": refusal, "examples": {f"Problem{status}": {"value": shown}}}
            responses[str(status)] = {"content": {PROBLEM_TYPE: content}, "description": title_of(status)}
        for status, answer in responses.items():
            answer["headers"] = self._headers(status, answer)
        return operation

    def _rights(self) -> list[str]:
        allowed = self.view.rights[self.operation]
        lines = []
        if isinstance(allowed, Right):
            sentence = _("Right: `%(right)s`; a key's scope: `%(scope)s`.")
            lines.append(sentence % {"right": allowed.value, "scope": SCOPE_OF[allowed]})
        elif allowed is Audience.SERVER:
            lines.append(_("For the person who runs the server; a browser must have used a second factor."))
        if any(isinstance(permission, SignedInRecently) for permission in self.view.get_permissions()):
            lines.append(_("A browser must have signed in, or confirmed its sign-in, within ten minutes."))
        return lines

    def _refusals(self) -> list[int]:
        allowed = self.view.rights[self.operation]
        codes = {400, 401, 405, 429}
        if isinstance(allowed, Right) or allowed is Audience.SERVER or not self.reads:
            codes.add(403)
        if "{" in self.path:
            codes.add(404)
        if not self.reads:
            codes |= {411, 413, 415}
            if self.needs_key:
                codes.add(422)
        refusals = self.view.refusals
        if isinstance(refusals, Mapping):
            codes |= {*refusals.get(self.operation, ())}
        # The reads of a viewset are refused for the usual reasons only.
        elif not self.reads or not hasattr(self.view, "action"):
            codes |= {*refusals}
        if self.operation in self.view.matched:
            codes |= {412, 428}
        return sorted(codes)

    def _headers(self, status: str, answer: Mapping[str, Any]) -> dict[str, Any]:
        texts = {
            "RateLimit-Policy": _("The limits that counted this request: `q` requests in `w` seconds."),
            "RateLimit": _("The rest of these limits: `r` requests, for the next `t` seconds."),
        }
        if self.method == "GET" and status == "200" and "application/json" in answer.get("content", {}):
            texts["ETag"] = _("The state of the answer.")
        headers = {name: {"schema": {"type": "string"}, "description": text} for name, text in texts.items()}
        if status == "429":
            headers["Retry-After"] = {"schema": {"type": "integer"}, "description": _("Seconds to wait.")}
        return headers

    def get_description(self) -> str:  # type: ignore[override]
        return ""

    def get_tags(self) -> list[str]:
        parts = [part for part in self.path.removeprefix(PREFIX).split("/") if part and "{" not in part]
        return [(parts[1] if len(parts) > 1 and parts[0] == "clubs" else parts[0]).removesuffix(".csv")]

    def get_auth(self) -> list[dict[str, Any]]:
        auth = super().get_auth()
        return [*auth, {}] if self.view.rights[self.operation] in (Audience.ANYONE, Right.READ) else auth

    def get_request_serializer(self) -> Any:
        return self.view.bodies.get(self.operation)

    def _get_request_body(self, direction: Any = "request") -> Any:
        # The base makes the body of a PATCH optional, because each of its fields is.
        body = super()._get_request_body(direction)
        return body and {**body, "required": True}

    def get_response_serializers(self) -> Any:
        return self.view.get_serializer_class()

    def _is_list_view(self, serializer: Any = None) -> bool:
        return self.operation == "list" and self.view.pagination_class is not None

    def get_override_parameters(self) -> list[Any]:
        parameters = []
        for name, schema in self.view.queries.get(self.operation, {}).items():
            shown = {key: value for key, value in schema.items() if key != "required"}
            text = str(schema.get("description", ""))
            parameters.append(OpenApiParameter(name, shown, "query", schema.get("required", False), description=text))
        if self.method == "GET":
            text = _("The ETag of the state that you have.")
            parameters.append(OpenApiParameter("If-None-Match", str, "header", description=text))
        elif self.needs_key:
            text = _("A key of your own for this write; the same key, the same answer.")
            parameters.append(OpenApiParameter("Idempotency-Key", OpenApiTypes.UUID, "header", True, description=text))
        if self.operation in self.view.matched:
            text = _("The ETag of the state that you read; `*` for any state.")
            parameters.append(OpenApiParameter("If-Match", str, "header", True, description=text))
        return parameters

    def _recorded(self) -> Mapping[str, Any]:
        return _examples().get(self.get_operation_id(), {})

    def get_examples(self) -> list[OpenApiExample]:
        known = self._recorded()
        bodies = {**({"Body": known["body"]} if "body" in known else {}), **known.get("bodies", {})}
        return [OpenApiExample(name, value=value, request_only=True) for name, value in bodies.items()]


_made: dict[str, Mapping[str, Any]] = {}


def document() -> Mapping[str, Any]:
    """Return the whole document in the active language; it does not change while the service runs."""
    language = get_language() or settings.LANGUAGE_CODE
    if language not in _made:
        _made[language] = SchemaGenerator().get_schema(request=None, public=True)
    return _made[language]
