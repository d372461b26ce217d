"""The start of a process that checks parts. It imports no model, because it runs before they are loaded."""

import django


def begin() -> None:
    """Prepare Django in a new process."""
    django.setup()
