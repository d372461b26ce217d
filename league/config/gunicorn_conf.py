"""The configuration of gunicorn: `gunicorn -c league/config/gunicorn_conf.py league.config.wsgi`.

With Redis there can be many web processes. Without it there is exactly one, with the Celery worker and its scheduler
inside, whose queue is in the memory of the process. Never preload the app: a fork does not copy the worker's threads.
"""

import os
import resource
import shutil
import tempfile
from pathlib import Path
from typing import Any

from league.config import access_log, logs

EMBEDDED = not os.environ.get("REDIS_URL")

# LISTEN_FD is a socket that the parent process has already bound.
bind = (
    f"fd://{os.environ['LISTEN_FD']}"
    if "LISTEN_FD" in os.environ
    else (f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}")
)
worker_class = "league.config.web_worker.CollectingWorker"
# Idle and slow connections occupy no thread: a process has room for many. Each is an open file.
files = resource.getrlimit(resource.RLIMIT_NOFILE)
open_files = min(8192, files[1]) if files[1] != resource.RLIM_INFINITY else 8192
resource.setrlimit(resource.RLIMIT_NOFILE, (max(files[0], open_files), files[1]))
worker_connections = min(4096, open_files // 2)
workers = 1 if EMBEDDED else int(os.environ.get("WEB_PROCESSES", "2"))
threads = int(os.environ.get("WEB_THREADS", "8"))
preload_app = False
timeout = 60
graceful_timeout = 10
keepalive = 5
# The pot splitter has a whole evening in its address; all other addresses are far shorter.
limit_request_line = 8190
limit_request_fields = 50
control_socket_disable = True
proc_name = "chratzete"
SHARED = "PROMETHEUS_MULTIPROC_DIR"
OWN_FOLDER = f"chratzete-metrics-{os.getpid()}-"
# Processes that begin after a reload count on in the same folder.
if os.environ.get("METRICS_TOKEN") and workers > 1 and not Path(os.environ.get(SHARED, "")).name.startswith(OWN_FOLDER):
    os.environ[SHARED] = tempfile.mkdtemp(prefix=OWN_FOLDER)
accesslog = None
logger_class = access_log.AccessLogger
loglevel = os.environ.get("LOG_LEVEL", "INFO").lower()

logconfig_dict = logs.configure(os.environ.get("LOG_FORMAT", "json"), os.environ.get("LOG_LEVEL", "INFO"))
logconfig_dict["loggers"]["gunicorn.error"] = {"handlers": [], "propagate": True}
# At any LOG_LEVEL, if it is on.
logconfig_dict["loggers"][access_log.NAME] = {"level": "INFO", "handlers": [], "propagate": True}


def post_worker_init(worker: Any) -> None:
    """Start the embedded worker in the process that serves the app, after the app is loaded."""
    if EMBEDDED:
        from league.config import embedded

        embedded.start()


def worker_exit(server: Any, worker: Any) -> None:
    """Let the current task finish before the process ends."""
    if EMBEDDED:
        from league.config import embedded

        embedded.stop()


def child_exit(server: Any, worker: Any) -> None:
    """Let the metrics of a process that ended no longer count as those of a running one."""
    if SHARED in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    """Remove the counters of all processes."""
    folder = Path(os.environ.get(SHARED, ""))
    if folder.name.startswith(OWN_FOLDER):
        shutil.rmtree(folder, ignore_errors=True)
