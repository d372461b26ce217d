"""Reading the page of metrics in tests."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

TOKEN = "a-token-of-the-tests"


@dataclass(frozen=True)
class Page:
    """A page of metrics, and the time at which it was read."""

    text: str
    now: float = field(default_factory=time.time)

    def samples(self) -> list[Sample]:
        """All samples."""
        return [sample for family in text_string_to_metric_families(self.text) for sample in family.samples]

    def value(self, name: str, **labels: str) -> float:
        """The value of one sample; 0 if there is none yet."""
        return next((sample.value for sample in self.samples() if (sample.name, sample.labels) == (name, labels)), 0.0)

    def names(self) -> set[str]:
        """The names that a query may use: of each family, with the parts of a histogram and of a counter."""
        known = set()
        for line in self.text.splitlines():
            if line.startswith("# TYPE "):
                _hash, _type, name, kind = line.split()
                known |= {f"{name}_{part}" for part in ("bucket", "count", "sum")} if kind == "histogram" else {name}
        return known


def page(client: Client) -> Page:
    """Read the page of metrics."""
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.content
    return Page(answer.content.decode())


@pytest.fixture
def monitored(settings: Any) -> Client:
    """A client of the service with metrics."""
    settings.METRICS_TOKEN = TOKEN
    return Client()
