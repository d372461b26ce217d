"""The product's settings for benchmarks: with a bare view, and with limits that are never reached.

The limits of the API are high, not removed: their cost is part of the measured speed. The row about a
flood sets its own (BENCH_API_WRITES, a minute).
"""

import os

from league.config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.urls"
API_WRITES = int(os.environ.get("BENCH_API_WRITES", 10**9))
API_LIMITS = {who: {"read": 10**9, "write": API_WRITES} for who in API_LIMITS}  # noqa: F405
