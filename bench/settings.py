"""The product's settings for the table of speeds: a bare view beside the product's, and requests without end.

The limits of the API are lifted, not taken away: what counts the requests is measured with the rest.
"""

from league.config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.urls"
API_LIMITS = {who: {"read": 10**9, "write": 10**9} for who in API_LIMITS}  # noqa: F405
