"""The audit log of a club: entries written in the transaction of the action, sentences made when they are read."""

from .log import Data, What, acting_key, write, write_for_person

__all__ = ["Data", "What", "acting_key", "write", "write_for_person"]
