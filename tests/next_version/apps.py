from django.apps import AppConfig
from django.conf import settings
from django.db import models


class NextVersionConfig(AppConfig):
    name = "tests.next_version"
    label = "next_version"

    def ready(self) -> None:
        """Let the program write and read the column of the next version."""
        from league.models import Posting

        if settings.NEXT_READS_COLUMN:
            models.TextField(null=True).contribute_to_class(Posting, "next_note")
