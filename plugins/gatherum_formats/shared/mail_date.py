"""Dates as mail writes them."""

from __future__ import annotations


def iso_date(text: str) -> str:
    """Return the date in a header as ISO 8601; "" if it cannot be told."""
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
