"""The first account of a new server: whoever holds the code that the start prints creates it, once."""

from __future__ import annotations

import base64

from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from league.models import User


def set_up_code() -> str:
    """Return the code of this server: it follows from the secret key, so that no process has to store it."""
    letters = base64.b32encode(salted_hmac("league.set-up", "first account", algorithm="sha256").digest()).decode()
    return "-".join(letters[start : start + 4] for start in (0, 4, 8))


def set_up_address() -> str:
    """Return the path of the page with the code."""
    return f"{reverse('set-up')}?code={set_up_code()}"


def is_set_up_code(typed: str) -> bool:
    """Return True for the code, however it is grouped."""
    return constant_time_compare(_plain(typed), _plain(set_up_code()))


def _plain(code: str) -> str:
    return "".join(letter for letter in code.upper() if letter.isalnum())


def is_without_accounts() -> bool:
    """Return True as long as nobody has an account."""
    return not User.objects.exists()


@transaction.atomic
def first_account(email: str, password: str) -> User | None:
    """Create the account of the person who runs the server; None if somebody has one by now."""
    # A row that is always there: of two requests at once the second one waits here.
    ContentType.objects.select_for_update().get(app_label=User._meta.app_label, model=User._meta.model_name)
    return User.objects.create_superuser(email, password) if is_without_accounts() else None
