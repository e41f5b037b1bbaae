"""Values of cells as their readers write them."""

from __future__ import annotations

import datetime


def written(value: object) -> str:
    """Return a cell's value as text; "" for none."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    if isinstance(value, datetime.datetime):
        whole = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
        return value.date().isoformat() if whole else value.replace(microsecond=0).isoformat(sep=" ")
    if isinstance(value, datetime.time):
        return value.replace(microsecond=0).isoformat()
    if isinstance(value, datetime.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}"
    return str(value)
