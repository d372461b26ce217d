"""Why something was not done: the league's own word for it."""

from league.errors import Refused, key_reused

__all__ = ["Refused", "key_reused"]
