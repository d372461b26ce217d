"""The language of the pages: the choice is kept, its buttons say what stands on them, dates are written its way."""

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
    client.post(reverse("set_language"), {"language": "en"})
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, int(cookie["max-age"] or 0)) == ("en", YEAR)
    assert '<html lang="en">' in client.get(reverse("home")).content.decode()


@pytest.mark.django_db
def test_the_name_of_a_language_button_begins_with_what_stands_on_it():
    page = Client().get(reverse("home")).content.decode()
    buttons = re.findall(r'<button[^>]*name="language" value="(\w+)"([^>]*)>(.*?)</button>', page)
    names = {
        value: re.sub(r"<[^>]+>", "", inner) for value, attributes, inner in buttons if "aria-label" not in attributes
    }
    assert names == {"de": "de, Deutsch", "en": "en, English"}


@pytest.mark.parametrize(
    ("language", "day", "moment"),
    [("de", "02.11.2026", "02.11.2026 19:05"), ("en", "2 Nov 2026", "2 Nov 2026, 19:05")],
)
def test_short_dates_are_written_in_the_way_of_the_language(language, day, moment):
    with translation.override(language):
        assert date_format(date(2026, 11, 2), "SHORT_DATE_FORMAT") == day
        assert date_format(datetime(2026, 11, 2, 19, 5, tzinfo=UTC), "SHORT_DATETIME_FORMAT") == moment
