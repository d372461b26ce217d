"""The Celery app, and a task class that leaves a broken broker alone for a while.

The database is the queue: a task is only a wake-up, and the sweep finds what a lost one missed. So a broker
that is down or hung may cost whoever wakes a worker one short wait, and then none.
"""

import os
import time
from typing import Any

import structlog
from celery import Celery, Task
from celery.signals import celeryd_init
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.config.settings")

log = structlog.get_logger(__name__)

BROKER_PAUSE_SECONDS = 5.0
"""After a failed wake-up the broker is not tried again for so long (the sweep comes every 10 s)."""

_broker_closed_until = 0.0


class BrokerAway(ConnectionError):
    """The broker failed a moment ago and is left alone."""


class WakeUpTask(Task[Any, Any]):
    """A task whose sending fails at once while the broker is known to be away."""

    abstract = True

    def apply_async(self, *args: Any, **kwargs: Any) -> Any:
        """Send now. Raises BrokerAway, or what the client library raises after a broker time-out at most."""
        global _broker_closed_until
        if time.monotonic() < _broker_closed_until:
            raise BrokerAway(self.name)
        try:
            return super().apply_async(*args, **kwargs)
        except Exception:
            _broker_closed_until = time.monotonic() + BROKER_PAUSE_SECONDS
            raise

    def wake(self, *args: Any, **kwargs: Any) -> bool:
        """Send after a commit; False when the broker did not take it. Never raises."""
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


app: "Celery[Task[Any, Any]]" = Celery("chratzete", task_cls=WakeUpTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Not by way of `league.tasks`: services wake tasks, and must know nothing of the API.
app.autodiscover_tasks(["league.api", "league.hooks", "league.privacy"])


@celeryd_init.connect
def give_workers_patience(conf: Any = None, **_: Any) -> None:
    """A worker waits for work, and for a broker that comes back; who wakes it does neither."""
    conf.broker_transport_options = {
        **(conf.broker_transport_options or {}),
        **settings.WORKER_TRANSPORT_OPTIONS,
    }
