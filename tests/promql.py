"""A small part of Prometheus for tests: it evaluates expressions over two pages of metrics, before and now.

The parser is Prometheus's own grammar (promql-parser). `increase` is the difference of the two pages, whatever its
range is. What no rule or board needs is not here: such an expression fails its test.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import promql_parser

from tests.monitored import Page

Labels = frozenset[tuple[str, str]]
Vector = Mapping[Labels, float]
Value = float | Vector

ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "/": lambda left, right: left / right if right else float("nan"),
}
COMPARISONS: dict[str, Callable[[float, float], bool]] = {"==": operator.eq, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True)
class Evaluator:
    """Evaluates expressions at the time of `now`."""

    before: Page
    now: Page
    up: bool = True

    def fires(self, expression: str) -> bool:
        """Return True if an alert with this expression would be active: its result is not empty."""
        result = self._value(promql_parser.parse(expression))
        assert isinstance(result, Mapping), f"the result is a number: {expression}"
        return bool(result)

    def _value(self, node: Any) -> Value:
        match type(node).__name__:
            case "NumberLiteral":
                return float(node.val)
            case "ParenExpr":
                return self._value(node.expr)
            case "VectorSelector":
                return self._selected(self.now, node)
            case "Call" if node.func.name == "time":
                return self.now.now
            case "Call" if node.func.name == "increase":
                return self._increase(node.args[0].vector_selector)
            case "AggregateExpr" if str(node.op) == "sum":
                return {frozenset(): sum(self._vector(node.expr).values())}
            case "BinaryExpr":
                return self._binary(str(node.op), self._value(node.lhs), self._value(node.rhs))
        raise NotImplementedError(node.prettify())

    def _vector(self, node: Any) -> Vector:
        vector = self._value(node)
        assert isinstance(vector, Mapping)
        return vector

    def _selected(self, page: Page, node: Any) -> Vector:
        if node.name == "up":
            return {frozenset(): float(self.up)}
        return {
            frozenset(sample.labels.items()): sample.value
            for sample in page.samples()
            if sample.name == node.name and all(_fits(sample.labels, matcher) for matcher in node.matchers.matchers)
        }

    def _increase(self, node: Any) -> Vector:
        earlier = self._selected(self.before, node)
        return {labels: value - earlier.get(labels, 0.0) for labels, value in self._selected(self.now, node).items()}

    def _binary(self, name: str, left: Value, right: Value) -> Value:
        if name == "and":
            assert isinstance(left, Mapping)
            assert isinstance(right, Mapping)
            return {labels: value for labels, value in left.items() if labels in right}
        pairs = {labels: (first, other) for labels, first, other in _paired(left, right)}
        if name in COMPARISONS:
            return {labels: pair[0] for labels, pair in pairs.items() if COMPARISONS[name](*pair)}
        return {labels: ARITHMETIC[name](*pair) for labels, pair in pairs.items()}


def _paired(left: Value, right: Value) -> Iterator[tuple[Labels, float, float]]:
    """The values with the same labels; a number goes with each value of the other side."""
    if isinstance(left, Mapping):
        for labels, value in left.items():
            if not isinstance(right, Mapping):
                yield labels, value, right
            elif labels in right:
                yield labels, value, right[labels]
    elif isinstance(right, Mapping):
        for labels, value in right.items():
            yield labels, left, value
    else:
        raise NotImplementedError("two numbers")


def _fits(labels: Mapping[str, str], matcher: Any) -> bool:
    value = labels.get(matcher.name, "")
    kind = str(matcher.op).rpartition(".")[2]
    if kind in ("Re", "NotRe"):
        return bool(re.fullmatch(matcher.value, value)) is (kind == "Re")
    return (value == matcher.value) is (kind == "Equal")


def metrics_in(expression: str) -> set[str]:
    """Return the names of the metrics of an expression. Raises ValueError for one that Prometheus would refuse."""
    return set(_names(promql_parser.parse(expression)))


def _names(node: Any) -> Iterator[str]:
    if type(node).__name__ == "VectorSelector":
        yield node.name
    for part in ("lhs", "rhs", "expr", "vector_selector"):
        if (inner := getattr(node, part, None)) is not None:
            yield from _names(inner)
    for inner in getattr(node, "args", None) or ():
        yield from _names(inner)
