"""The examples in the API description have the shape of the answers and bodies that they show."""

from __future__ import annotations

import json

import pytest

from games import engine_bridge
from games.api.examples import example
from games.api.urls import urlpatterns
from league.api.base import Op
from league.api.bodies import Patch
from league.api.tournaments.urls import urlpatterns as of_tournaments

OPS = [
    pytest.param(op, id=f"{entry.name}-{method}")
    for entry in [*urlpatterns, *of_tournaments]
    for method, op in entry.callback.cls.ops.items()
]


@pytest.mark.parametrize("op", OPS)
def test_an_example_has_the_shape_of_the_answer(op: Op):
    if op.answer is None:
        assert op.media or op.status == 204
        return
    assert op.example is not None
    assert json.loads(json.dumps(op.answer(op.example).data)) == op.example


@pytest.mark.parametrize("op", [param for param in OPS if param.values[0].body is not None])
def test_an_example_of_a_body_is_valid(op: Op):
    assert op.body is not None
    for sent in (op.body_example, *op.more_bodies.values()):
        body = op.body(data=sent, partial=issubclass(op.body, Patch))
        assert body.is_valid(), body.errors


@pytest.mark.parametrize("name", ["hand-record-check-body", "hand-record-check-body-kratzen"])
def test_an_example_of_a_hand_record_is_valid(name: str):
    assert engine_bridge.replay(example(name)["record"])["ok"]
