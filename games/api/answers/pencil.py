"""Answers about the pencil of a table."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from .fields import TextOrNull


class Recorder(serializers.Serializer[Any]):
    """A person who may take the pencil."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(source="*")


class PencilState(serializers.Serializer[Any]):
    """The pencil of a table; `holder` is null if nobody holds it."""

    table = serializers.IntegerField()
    holder = TextOrNull(source="hold.holder", allow_null=True)
    mine = serializers.BooleanField(source="hold.mine")
    since = serializers.DateTimeField(source="hold.since", allow_null=True)
    away_since = serializers.DateTimeField(source="hold.away_since", allow_null=True)
    requested_by = TextOrNull(source="hold.asked", allow_null=True)
    recorders = Recorder(many=True)
