from django.apps import AppConfig
from django.conf import settings
from django.core.signals import request_started
from django.db.models.signals import post_migrate


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        """Create the functions of the state queries, show amounts in francs from the beginning of each request, and
        register large files, words of the audit log, the check of entrants to be merged, and what follows tasks."""
        from . import money, state_queries
        from .accounts import signals  # noqa: F401 - receivers of what the machinery of accounts says
        from .club_admin.large_log import register_log
        from .monitoring import task_signals
        from .reports.large_files import register_reports
        from .roster import merging
        from .standings import versions  # noqa: F401 - its queries are among those of which functions are made
        from .standings.formula.differences import register_formulas
        from .standings.large_files import register_lists
        from .stream.rights import receivers
        from .tournaments.same_person import both_entered
        from .treasury.large_files import register_book

        if both_entered not in merging.seated_together_checks:
            merging.seated_together_checks.append(both_entered)
        register_log()
        register_formulas()
        register_lists()
        register_reports()
        register_book()
        task_signals.connect()
        if settings.STREAM:
            receivers()
        request_started.connect(money.show_francs, dispatch_uid="amounts in francs")
        post_migrate.connect(state_queries.create_functions, dispatch_uid="functions of the state queries")
