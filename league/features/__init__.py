"""Features, which a club switches on and off: `table` lists them, `routes` has their addresses, `gate` closes these."""

from .routes import feature_patterns as feature_patterns
from .routes import uses as uses
from .table import FEATURES as FEATURES
from .table import Feature as Feature
