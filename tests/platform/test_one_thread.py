"""A test is like a first request in its thread, also after a test whose request was the last one in this thread."""

import pytest
from django.conf import settings
from django.utils import translation

from league.money import show_chips, shows_chips


@pytest.mark.parametrize("nth", [1, 2])
def test_no_test_leaves_its_language_or_its_chips(nth: int) -> None:
    assert translation.get_language() == settings.LANGUAGE_CODE
    assert not shows_chips()
    translation.activate("en" if settings.LANGUAGE_CODE == "de" else "de")
    show_chips()
