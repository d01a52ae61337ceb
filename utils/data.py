"""Data that needs no download: it is generated, and the same seed gives the same data."""

from __future__ import annotations

import numpy as np


def picture(height: int = 64, width: int = 96, seed: int = 0) -> np.ndarray:
    """Paint an evening by the sea: sky, sun, hills, and the sun's light on the water.

    Parameters
    ----------
    height, width : int
        Size in pixels, each at least 8.
    seed : int
        Moves the sun, the hills and the grain.

    Returns
    -------
    (height, width, 3) uint8 ndarray
        Red, green and blue, from 0 to 255.
    """
    if height < 8 or width < 8:
        raise ValueError(f"a picture needs at least 8 x 8 pixels, not {height} x {width}")
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : width / height : width * 1j]
    shore = 0.62
    sun_x, sun_y = rng.uniform(0.3, 0.7) * width / height, rng.uniform(0.3, 0.42)
    sky = _blend((y / shore)[..., None], (38, 52, 104), (250, 170, 110))
    glow = np.exp(-8.0 * ((x - sun_x) ** 2 + (y - sun_y) ** 2))[..., None]
    image = sky + glow * (np.array([255.0, 226.0, 150.0]) - sky)
    image[(x - sun_x) ** 2 + (y - sun_y) ** 2 < 0.1**2] = (255, 238, 190)
    for base, swing, colour in ((0.5, 0.1, (86, 74, 118)), (0.57, 0.07, (52, 52, 84))):
        image[y > base - swing * _waves(x, rng)] = colour
    depth = ((y - shore) / (1 - shore))[..., None]
    ripple = 18 * np.sin(2 * np.pi * 26 * np.sqrt(np.maximum(y - shore, 0)) + 9 * x)[..., None]
    path = np.exp(-((x - sun_x) ** 2) / (0.004 + 0.05 * np.maximum(depth[..., 0], 0)))[..., None]
    sea = _blend(depth, (150, 110, 120), (18, 40, 78)) + ripple + 120 * path * np.array([1.0, 0.75, 0.4])
    image = np.where(depth > 0, sea, image) + rng.normal(0.0, 2.0, image.shape)
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def _blend(amount: np.ndarray, start: tuple[int, ...], end: tuple[int, ...]) -> np.ndarray:
    """Mix two colours: `start` where `amount` is 0, `end` where it is 1."""
    share = np.clip(amount, 0.0, 1.0)
    return (1 - share) * np.array(start, float) + share * np.array(end, float)


def _waves(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a ridge line between about -1 and 1: three sines of random phase."""
    phases = rng.uniform(0, 2 * np.pi, 3)
    sines = [np.sin(k * x + phase) / k for k, phase in zip((2.1, 4.7, 9.3), phases, strict=True)]
    return np.asarray(1.4 * np.sum(sines, axis=0))
