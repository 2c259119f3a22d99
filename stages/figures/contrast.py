"""Measure the contrast of letters and white, and darken colours until letters can be read."""

from functools import cache

import numpy as np
from matplotlib.colors import to_hex, to_rgb

LEAST_CONTRAST = 4.5  # of letters and white (WCAG 2.2, 1.4.3)


def measure_contrast(colour: str) -> float:
    """Measure the contrast of a colour and white, from 1 to 21 (WCAG 2.2)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    return 1.05 / (float(np.dot(linear, (0.2126, 0.7152, 0.0722))) + 0.05)


@cache
def darken(colour: str) -> str:
    """Darken a colour as little as letters on white need."""
    while measure_contrast(colour) < LEAST_CONTRAST:
        red, green, blue = to_rgb(colour)
        colour = to_hex((0.98 * red, 0.98 * green, 0.98 * blue))
    return colour
