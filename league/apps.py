from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.core.signals import request_started
from django.db.models.signals import post_migrate


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        """Create the functions of the state queries, show amounts in francs from the beginning of each request, and
        register large files, texts of the audit log, the check of entrants to be merged, and what follows tasks."""
        from . import money, state_queries
        from .accounts import signals  # noqa: F401 - receivers of what the machinery of accounts says
        from .club_admin.large_log import register_log
        from .monitoring import task_signals
        from .reports.large_files import register_reports
        from .roster import merging
        from .standings import versions  # noqa: F401 - its queries are among those of which functions are made
        from .standings.large_files import register_lists
        from .stream.rights import receivers
        from .tournaments.same_person import both_entered
        from .treasury.large_files import register_book

        if both_entered not in merging.seated_together_checks:
            merging.seated_together_checks.append(both_entered)
        _register_audit_texts()
        register_log()
        register_lists()
        register_reports()
        register_book()
        task_signals.connect()
        if settings.STREAM:
            receivers()
        request_started.connect(money.show_francs, dispatch_uid="amounts in francs")
        post_migrate.connect(state_queries.create_functions, dispatch_uid="functions of the state queries")


AUDITED = (
    "access",
    "accounts",
    "api_keys",
    "attendance",
    "career",
    "club_admin",
    "cups",
    "imports",
    "logo",
    "luck",
    "member_fees",
    "operator",
    "payments",
    "player_messages",
    "privacy",
    "pub_screen",
    "reports",
    "roster",
    "standings",
    "tournaments",
    "treasury",
    "web",
    "webhooks",
)
"""The rooms with texts of the audit log, each in its module `audit_texts`."""


def _register_audit_texts() -> None:
    """Register the texts of the audit log of every room of the league."""
    for room in AUDITED:
        import_module(f"{__package__}.{room}.audit_texts").register()
