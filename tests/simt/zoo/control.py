"""Threads that go different ways: branches, loops, break, continue, return, calls."""

import math

import numpy as np
from numba import cuda

from tests.simt.zoo.case import Case, floats


@cuda.jit(device=True)
def escape(cr, ci, limit):
    zr = 0.0
    zi = 0.0
    for n in range(limit):
        if zr * zr + zi * zi > 4.0:
            return n
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
    return limit


@cuda.jit
def mandelbrot(left, bottom, step, limit, out):
    x, y = cuda.grid(2)
    height, width = out.shape
    if x < width and y < height:
        out[y, x] = escape(left + x * step, bottom + y * step, limit)


@cuda.jit
def collatz(start, steps):
    i = cuda.grid(1)
    if i >= start.size:
        return
    n = start[i]
    count = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        count += 1
    steps[i] = count


@cuda.jit
def find(keys, wanted, where):
    i = cuda.grid(1)
    if i < wanted.size:
        low = 0
        high = keys.size
        while low < high:
            middle = (low + high) // 2
            if keys[middle] < wanted[i]:
                low = middle + 1
            else:
                high = middle
        where[i] = low if low < keys.size and keys[low] == wanted[i] else -1


@cuda.jit
def sum_until(rows, out):
    i = cuda.grid(1)
    if i >= rows.shape[0]:
        return
    total = 0
    for k in range(rows.shape[1]):
        value = rows[i, k]
        if value < 0:
            break
        if value % 3 == 0:
            continue
        if value == 97:
            out[i] = -1 - k
            return
        total += value
    out[i] = total


@cuda.jit
def walk(jump, out):
    i = cuda.grid(1)
    if i < jump.size:
        place = i
        hops = 0
        while True:
            place = jump[place]
            hops += 1
            if place == i or hops == 50:
                break
        out[i] = hops


@cuda.jit
def laplacian(a, out):
    x, y = cuda.grid(2)
    if 0 < x < a.shape[1] - 1 and 0 < y < a.shape[0] - 1:
        total = -4.0 * a[y, x]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            total += a[y + dy, x + dx]
        out[y, x] = total


@cuda.jit(device=True)
def clamp(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value


@cuda.jit(device=True)
def bend(value):
    return clamp(value * 2.0, -0.5, 0.5)


@cuda.jit
def clamped(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = bend(x[i]) if i % 2 else clamp(x[i], -0.1, 0.1)


@cuda.jit
def logic(x, out):
    i = cuda.grid(1)
    if i < x.size:
        inside = not (x[i] < -0.5 or x[i] > 0.5)
        sign = 1 if x[i] > 0 and not i % 2 else -1
        out[i] = sign if inside and x[i] != 0 else 0


@cuda.jit
def gravity(position, mass, pull):
    i = cuda.grid(1)
    n = mass.size
    if i < n:
        fx = 0.0
        fy = 0.0
        for j in range(n):
            dx = position[j, 0] - position[i, 0]
            dy = position[j, 1] - position[i, 1]
            near = 1.0 / math.sqrt(dx * dx + dy * dy + 0.01)
            strength = mass[j] * near * near * near
            fx += strength * dx
            fy += strength * dy
        pull[i, 0] = fx
        pull[i, 1] = fy


def _mandelbrot(left, bottom, step, limit, out):
    for y, x in np.ndindex(out.shape):
        out[y, x] = escape.py_func(left + x * step, bottom + y * step, limit)
    return {4: out}


def _collatz(start, steps):
    for i, n in enumerate(start.tolist()):
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps[i] += 1
    return {1: steps}


def _find(keys, wanted, where):
    places = {key: i for i, key in enumerate(keys.tolist())}
    return {2: [places.get(key, -1) for key in wanted.tolist()]}


def _sum_until(rows, out):
    def one(row):
        kept = []
        for k, value in enumerate(row):
            if value < 0:
                break
            if value == 97:
                return -1 - k
            kept.append(value if value % 3 else 0)
        return sum(kept)

    return {1: [one(row) for row in rows.tolist()]}


def _walk(jump, out):
    for i in range(jump.size):
        place, hops = int(jump[i]), 1
        while place != i and hops < 50:
            place, hops = int(jump[place]), hops + 1
        out[i] = hops
    return {1: out}


def _laplacian(a, out):
    b = a.astype(np.float64)
    out[1:-1, 1:-1] = b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] - 4 * b[1:-1, 1:-1]
    return {1: out}


def _clamped(x, out):
    x = x.astype(np.float64)
    return {1: np.where(np.arange(x.size) % 2, np.clip(2 * x, -0.5, 0.5), np.clip(x, -0.1, 0.1))}


def _logic(x, out):
    signs = np.where((x > 0) & (np.arange(x.size) % 2 == 0), 1, -1)
    return {1: np.where((abs(x) <= 0.5) & (x != 0), signs, 0)}


def _gravity(position, mass, pull):
    gap = position[None] - position[:, None]
    weight = mass / ((gap**2).sum(axis=2) + 0.01) ** 1.5
    return {2: (weight[:, :, None] * gap).sum(axis=1)}


def _rows(rng):
    rows = rng.integers(0, 60, (70, 12))
    rows[rng.random(rows.shape) < 0.05] = -1
    rows[rng.random(rows.shape) < 0.05] = 97
    return rows, np.zeros(70, np.int64)


CASES = [
    Case(
        mandelbrot,
        (4, 3),
        (16, 16),
        lambda rng: (-2.2, -1.2, 0.05, 40, np.zeros((48, 60), np.int32)),
        _mandelbrot,
        chaotic=True,
    ),
    Case(collatz, 3, 64, lambda rng: (rng.integers(1, 999, 150), np.zeros(150, np.int64)), _collatz),
    Case(
        find,
        2,
        64,
        lambda rng: (np.unique(rng.integers(0, 300, 90)), rng.integers(0, 300, 100), np.zeros(100, np.int64)),
        _find,
    ),
    Case(sum_until, 3, 32, _rows, _sum_until),
    Case(walk, 2, 48, lambda rng: (rng.permutation(90), np.zeros(90, np.int32)), _walk),
    Case(
        laplacian,
        (2, 3),
        (16, 8),
        lambda rng: (floats(rng, 20, 30), np.zeros((20, 30))),
        _laplacian,
        rtol=1e-5,
    ),
    Case(clamped, 2, 64, lambda rng: (floats(rng, 100), np.zeros(100)), _clamped, rtol=1e-12),
    Case(logic, 2, 64, lambda rng: (floats(rng, 100), np.zeros(100, np.int32)), _logic),
    Case(
        gravity,
        2,
        32,
        lambda rng: (rng.random((50, 2)), rng.random(50), np.zeros((50, 2))),
        _gravity,
        rtol=1e-9,
    ),
]
