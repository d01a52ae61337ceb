"""Kernels that Numba's CUDA compiler refuses because of a type; the line that it would name is marked."""

import numpy as np
from numba import cuda

TABLE = np.arange(4, dtype=np.float32)


@cuda.jit
def returns_a_value(x, out):
    out[0] = 1.0
    return out[0]  # <- here


@cuda.jit
def stores_in_a_global(x, out):
    TABLE[0] = 1.0  # <- here


@cuda.jit
def counts_a_bool(x, out):
    out[0] = cuda.syncthreads_count(x[0] > 0)  # <- here


@cuda.jit
def votes_on_a_float(x, out):
    out[0] = cuda.all_sync(0xFFFFFFFF, x[0])  # <- here


@cuda.jit
def loops_over_a_mixed_tuple(x, out):
    for value in (1, 2.5):  # <- here
        out[0] = value


@cuda.jit
def picks_from_a_mixed_tuple(x, out):
    pair = (1, 2.5)
    out[0] = pair[int(x[1]) % 2]  # <- here


@cuda.jit
def indexes_with_a_float(x, out):
    out[x[0]] = 1.0  # <- here


@cuda.jit
def indexes_with_a_half(x, out):
    out[len(x) / 2] = 1.0  # <- here


@cuda.jit
def asks_an_array_for_truth(x, out):
    if x:  # <- here
        out[0] = 1.0


@cuda.jit
def two_indices_of_one_axis(x, out):
    out[0, 0] = 1.0  # <- here


@cuda.jit
def number_or_array(x, out):
    value = 1
    if out[0] > 0:
        value = x
    out[0] = value  # a number or an array: no type is both


@cuda.jit
def four_dimensions(x, out):
    out[0] = cuda.grid(4)  # <- here


@cuda.jit
def unknown_dimensions(x, out):
    n = int(x[0])
    out[0] = cuda.grid(n)  # <- here


@cuda.jit
def new_array(x, out):
    y = np.zeros(4)  # <- here
    out[0] = y[0]


@cuda.jit
def local_shape_from_a_variable(x, out):
    n = int(x[1])
    a = cuda.local.array(n, "float32")  # <- here
    a[0] = 1.0


MARKED = [
    returns_a_value, stores_in_a_global, counts_a_bool, votes_on_a_float, loops_over_a_mixed_tuple,
    picks_from_a_mixed_tuple, indexes_with_a_float, indexes_with_a_half, asks_an_array_for_truth,
    two_indices_of_one_axis, four_dimensions, unknown_dimensions, new_array, local_shape_from_a_variable,
]  # fmt: skip
UNMARKED = [number_or_array]
