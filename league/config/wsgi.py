"""The entry point of web servers."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from league.config import database_limits

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.config.settings")

# Objects that are loaded now stay until the process ends. The garbage collector would look through it again and again:
# that makes the start a half longer, and then each full collection a pause in the middle of a request.
gc.disable()
database_limits.use(database_limits.WEB)
application = get_wsgi_application()
# All views are loaded now, not by the first request.
get_resolver().url_patterns  # noqa: B018 - a property that imports them
gc.freeze()
gc.enable()
