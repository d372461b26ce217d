"""The Celery app, and a task class whose wake-ups can never break or block what was just committed.

The database is the queue: a task is only a wake-up, and the sweep finds what a lost one missed. So a
broker that is down or hung costs one short wait, and is then left alone for a while.
"""

import os
import time
from typing import Any

import structlog
from celery import Celery
from celery.contrib.django.task import DjangoTask
from celery.signals import celeryd_init
from django.db import transaction

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.config.settings")

log = structlog.get_logger(__name__)

BROKER_PAUSE_SECONDS = 5.0
"""After a failed wake-up the broker is not tried again for so long (the sweep comes every 10 s)."""

_broker_closed_until = 0.0


class BrokerAway(ConnectionError):
    """The broker failed a moment ago and is left alone."""


class WakeUpTask(DjangoTask):
    """A task whose sending fails at once while the broker is known to be away.

    `*_on_commit` send after the commit and turn every failure into a log line.
    """

    abstract = True

    def apply_async(self, *args: Any, **kwargs: Any) -> Any:
        """Send now. Raises whatever the client library raises, or BrokerAway, after a broker time-out at most."""
        global _broker_closed_until
        if time.monotonic() < _broker_closed_until:
            raise BrokerAway(self.name)
        try:
            return super().apply_async(*args, **kwargs)
        except Exception:
            _broker_closed_until = time.monotonic() + BROKER_PAUSE_SECONDS
            raise

    def delay_on_commit(self, *args: Any, **kwargs: Any) -> None:
        self.apply_async_on_commit(args, kwargs)

    def apply_async_on_commit(self, *args: Any, **kwargs: Any) -> None:
        using = kwargs.pop("using", None)
        transaction.on_commit(lambda: self.wake(*args, **kwargs), using=using)

    def wake(self, *args: Any, **kwargs: Any) -> bool:
        """Send now; False when the broker did not take it. Never raises."""
        try:
            self.apply_async(*args, **kwargs)
        except Exception as error:
            # What was committed stays committed and its answer must not fail: the sweep will find it.
            log.warning("wake_up_lost", task=self.name, error=type(error).__name__)
            return False
        return True


def forget_broker_failure() -> None:
    """Try the broker again at once, whatever it did before."""
    global _broker_closed_until
    _broker_closed_until = 0.0


app: Celery = Celery("chratzete", task_cls=WakeUpTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def give_workers_patience(conf: Any = None, **_: Any) -> None:
    """A worker waits for work on its socket: the time-out of those who publish would cut it off."""
    options = dict(conf.broker_transport_options or {})
    if "socket_timeout" in options:
        options["socket_timeout"] = 30.0
        conf.broker_transport_options = options
