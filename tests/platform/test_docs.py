"""What docs/ says of addresses and settings is so."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from league.config.errors import PROBLEMS_EXPLAINED
from tests.processes import PROJECT

DOCS = sorted((PROJECT / "docs").glob("*.md"))
STANDS_FOR = {"<club>": "roessli", "<short name>": "roessli", "TOKEN": "token"}


def addresses() -> set[str]:
    """Addresses of the API that the docs name."""
    found = set()
    for file in DOCS:
        for named in re.findall(r"/api/v1/[\w/.-]*(?:<[a-z ]+>[\w/.-]*)*", file.read_text(encoding="utf-8")):
            for word, example in STANDS_FOR.items():
                named = named.replace(word, example)
            found.add(named)
    return found - {"/api/v1/"}


def test_there_are_some() -> None:
    assert "/api/v1/clubs/roessli/webhooks" in addresses()


@pytest.mark.parametrize("address", sorted(addresses()))
def test_each_address_leads_somewhere(address: str) -> None:
    try:
        resolve(address)
    except Resolver404:
        pytest.fail(f"{address} is nowhere")


def test_the_proxy_says_itself_whose_address_it_is() -> None:
    [block] = re.findall(r"```nginx\n(.*?)```", (PROJECT / "docs" / "deploy.md").read_text(encoding="utf-8"), re.S)
    for header in ("Host $host", "X-Forwarded-Proto https", "X-Forwarded-For $remote_addr"):
        assert f"proxy_set_header {header};" in block


@pytest.mark.django_db
def test_the_place_that_a_problem_points_to_explains_it() -> None:
    page, _hash, place = PROBLEMS_EXPLAINED.partition("#")
    assert f'id="{place}"' in Client().get(page).content.decode()
