"""Addresses of clients: the network that counts as one client where requests are limited by address."""

from __future__ import annotations

import ipaddress

OWN_BITS = 64
"""The longest prefix of IPv6 that a customer gets: one person has all the 2⁶⁴ addresses behind it."""


def _read(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        number = ipaddress.ip_address(address.strip())
    except ValueError:
        return None
    return number.ipv4_mapped or number if isinstance(number, ipaddress.IPv6Address) else number


def plain_address(address: str) -> str:
    """Return the IPv4 address in one of IPv6 that stands for it (`::ffff:192.0.2.1`); any other text as it is."""
    return str(_read(address) or address)


def counted_address(address: str) -> str:
    """Return what is counted as one client: an IPv4 address, or the /64 network of one of IPv6; other texts as they
    are."""
    number = _read(address)
    if isinstance(number, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(number), OWN_BITS), strict=False))
    return str(number or address)
