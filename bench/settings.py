"""The product's settings for the table of speeds: a bare view beside the product's, and requests without end.

The limits of the API are lifted, not taken away: what counts the requests is measured with the rest. The row about a
flood sets its own (BENCH_API_WRITES, a minute).
"""

import os

from league.config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.urls"
API_WRITES = int(os.environ.get("BENCH_API_WRITES", 10**9))
API_LIMITS = {who: {"read": 10**9, "write": API_WRITES} for who in API_LIMITS}  # noqa: F405
