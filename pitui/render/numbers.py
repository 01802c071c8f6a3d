"""Numbers as people read them: short, with one unit."""

from __future__ import annotations

from math import isfinite


def _scaled(value: float, step: float, units: tuple[str, ...]) -> str:
    for unit in units:
        if abs(value) < step - 0.5 or unit == units[-1]:
            break
        value /= step
    digits = 0 if unit == units[0] or abs(value) >= 9.95 else 1
    return f"{value:,.{digits}f}{unit}".replace(".0", "")


def tokens(number: float) -> str:
    """A number of tokens: `950`, `1.4k`, `12k`, `1.5M`."""
    return _scaled(number, 1000, ("", "k", "M", "G")) if isfinite(number) else "?"


def size(number: float) -> str:
    """A number of bytes: `512 B`, `1.4 KB`, `3 MB`."""
    return _scaled(number, 1024, (" B", " KB", " MB", " GB")) if isfinite(number) else "?"


def count(number: int, noun: str = "", plural: str | None = None) -> str:
    """A whole number with its noun: `1 line`, `1,234 lines`, `2 entries` (`plural` given)."""
    if not noun:
        return f"{number:,}"
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def money(dollars: float) -> str:
    """An amount in US dollars: `$0.08`, `$0.004`, `$12.30`, `$1,234`."""
    if not isfinite(dollars):
        return "$?"
    sign, amount = ("-" if dollars < 0 else ""), abs(dollars)
    if amount >= 999.995:
        return f"{sign}${amount:,.0f}"
    if amount >= 0.0095 or amount < 0.0005:
        return f"{sign}${amount:.2f}"
    return f"{sign}${amount:.3f}"


def seconds(duration: float) -> str:
    """A time in seconds: `0.1 s`, `12 s`, `1m 15s`, `2h 5m`, `3d 4h`."""
    if not isfinite(duration):
        return "?"
    duration = max(0.0, duration)
    if duration < 9.95:
        return f"{duration:.1f} s"
    whole = round(duration)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}m {whole % 60}s"
    if whole < 86400:
        return f"{whole // 3600}h {whole % 3600 // 60}m"
    return f"{whole // 86400}d {whole % 86400 // 3600}h"
