"""The one rule by which averages become whole numbers, in seasons and in tournaments: to the nearest one, and of two
that are equally near to the even one. So a sum of rounded values is not moved in one direction, and gains and losses
are rounded alike. Uses neither Django nor floats.
"""

from __future__ import annotations


def divided(amount: int, parts: int) -> int:
    """Return amount / parts as a whole number: 5/2 and 3/2 are 2, -5/2 and -3/2 are -2, 251/100 is 3. `parts` is above
    0."""
    whole, rest = divmod(amount, parts)
    return whole + 1 if 2 * rest > parts or (2 * rest == parts and whole % 2) else whole
