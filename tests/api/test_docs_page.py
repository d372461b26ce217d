"""The page that describes the API: every operation, folded, with its examples."""

from __future__ import annotations

import html
import re

from django.test import Client

from league.api.schema import document


def test_the_page_has_every_operation_folded():
    text = Client().get("/api/docs/").content.decode()
    operations = [
        operation["operationId"] for methods in document()["paths"].values() for operation in methods.values()
    ]
    assert len(re.findall(r'<details class="op" id="', text)) == len(operations)
    assert "<details open" not in text


def test_an_operation_shows_the_examples_of_both_games():
    text = html.unescape(Client().get("/api/docs/").content.decode())
    shown = text.partition('id="hands-post"')[2].partition("</details>")[0]
    assert '"joiners": [1, 2],' in shown
    assert "<h4>Kratzen</h4>" in shown
    assert '"cuts": [' in shown
