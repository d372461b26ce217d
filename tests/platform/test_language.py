"""The language of the pages: the choice is kept, the names of its buttons begin with their texts, dates are written its
way."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

YEAR = timedelta(days=365).total_seconds()


@pytest.mark.django_db
def test_the_choice_of_language_outlives_the_session_of_the_browser():
    client = Client(headers={"accept-language": "de"})
    back = client.get(reverse("language"), {"to": "en", "next": "/privacy/"})
    assert (back.status_code, back["Location"]) == (302, "/privacy/")
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, int(cookie["max-age"] or 0)) == ("en", YEAR)
    assert '<html lang="en">' in client.get(reverse("privacy")).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("query", "cookie"), [({"to": "fr"}, None), ({}, None), ({"to": "en"}, "en")])
def test_the_link_of_a_language_leads_to_no_other_site_and_knows_the_languages(query, cookie):
    client = Client()
    back = client.get(reverse("language"), {**query, "next": "https://elsewhere.example/"})
    assert (back.status_code, back["Location"]) == (302, "/")
    stored = client.cookies.get(settings.LANGUAGE_COOKIE_NAME)
    assert (stored and stored.value) == cookie


@pytest.mark.django_db
def test_the_name_of_a_language_link_begins_with_its_text():
    page = Client().get(reverse("privacy")).content.decode()
    links = re.findall(r'<a class="plain" href="/language/\?to=(\w+)[^"]*"([^>]*)>(.*?)</a>', page)
    names = {to: re.sub(r"<[^>]+>", "", inner) for to, attributes, inner in links if "aria-label" not in attributes}
    assert names == {"de": "de, Deutsch", "en": "en, English"}


@pytest.mark.parametrize(
    ("language", "day", "moment"),
    [("de", "02.11.2026", "02.11.2026 19:05"), ("en", "2 Nov 2026", "2 Nov 2026, 19:05")],
)
def test_short_dates_are_written_in_the_way_of_the_language(language, day, moment):
    with translation.override(language):
        assert date_format(date(2026, 11, 2), "SHORT_DATE_FORMAT") == day
        assert date_format(datetime(2026, 11, 2, 19, 5, tzinfo=UTC), "SHORT_DATETIME_FORMAT") == moment
