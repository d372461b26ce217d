"""Breached passwords are refused by a list that is part of the product."""

from __future__ import annotations

import gzip
import random
import string
import subprocess
import sys

import pytest
from django.contrib.auth.password_validation import CommonPasswordValidator, validate_password
from django.core.exceptions import ValidationError

from league.accounts.breached_passwords import LIST, is_breached, listed
from tests.processes import PROJECT

with gzip.open(str(CommonPasswordValidator().DEFAULT_PASSWORD_LIST_PATH), "rt", encoding="utf-8") as lines:
    SHIPPED = [line.strip() for line in lines]


def test_the_list_equals_the_output_of_its_script():
    assert subprocess.run([sys.executable, "scripts/breached.py", "--check"], cwd=PROJECT).returncode == 0


def test_the_list_is_sorted_and_small():
    digests = [listed()[n] for n in range(len(listed()))]
    assert digests == sorted(set(digests))
    assert len(digests) > len(SHIPPED)
    assert LIST.stat().st_size < 200_000


def test_all_passwords_of_djangos_list_are_refused():
    assert [each for each in SHIPPED if not is_breached(each)] == []


@pytest.mark.parametrize(
    "password",
    [
        "Passwort2026!",
        "P@ssw0rd1234",
        "sommer2025!!",
        "passwordpassword",
        "!!!qwertz123",
        "abcabcabcabc",
        "aaaaaaaaaaaa",
        "1234567890",
        "poiuztrewq",
        "Zürich-2026",
        "GRUEZI12345",
        "chratzete1",
        "h3lv3tia2026",
        "\N{FULLWIDTH LATIN SMALL LETTER P}assword1",
    ],
)
def test_variants_of_a_listed_password_are_refused(password):
    assert is_breached(password)
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert "password_breached" in [each.code for each in refused.value.error_list]


@pytest.mark.parametrize(
    "password",
    ["fahrrad lampe regen", "Kreuz-Neun sticht Bube", "correct horse battery staple", "8uXq-v2Lm-0TzR"],
)
def test_a_good_password_passes(password):
    validate_password(password)


def test_none_of_twenty_thousand_random_passwords_is_refused():
    chance = random.Random(5)
    letters = string.ascii_letters + string.digits
    assert not any(is_breached("".join(chance.choices(letters, k=12))) for _ in range(20_000))


def test_long_and_odd_passwords_raise_no_error():
    for odd in ("", "a" * 100_000, "ab" * 50_000, "\x00", "😀" * 12, "1" * 5_000 + "x"):
        is_breached(odd)
