"""Which names exist in a kernel, and what each stands for."""

import math
from types import ModuleType

import numba
import numpy as np
import pytest
from numba import cuda

from utils.simt import names
from utils.simt.names import Intrinsic, Namespace, as_static, dotted, is_type, of_module


def test_intrinsics_are_found_by_their_dotted_names():
    root = Namespace()
    assert type(root["grid"]) is Intrinsic
    assert dotted(dotted(root, "shared"), "array").array
    assert dotted(dotted(root, "atomic"), "add").method == "atomic_add"
    assert root["warpsize"] == 32


@pytest.mark.parametrize("path", ["to_device", "jit", "_thing", "synchronize", "atomic.nothing"])
def test_the_rest_of_numba_cuda_does_not_exist_in_a_kernel(path):
    with pytest.raises(KeyError):
        meaning = Namespace()
        for part in path.split("."):
            meaning = dotted(meaning, part)


def test_every_barrier_and_vote_makes_threads_wait():
    """Would a kernel with this intrinsic be run thread after thread without a scheduler?"""
    waiting = {name for name, made in names.INTRINSICS.items() if made.syncs}
    assert {"syncthreads", "syncthreads_count", "syncwarp", "shfl_sync", "ballot_sync", "any_sync"} <= waiting
    assert not any(names.INTRINSICS[name].syncs for name in ("grid", "threadfence", "atomic.add", "shared.array"))


@pytest.mark.parametrize(
    ("module", "attribute"),
    [
        (math, "sqrt"),
        (math, "pi"),
        (np, "float32"),
        (np, "sqrt"),
        (np, "pi"),
        (numba, "float32"),
    ],
)
def test_what_modules_offer(module, attribute):
    assert dotted(module, attribute) is getattr(module, attribute)
    assert dotted(numba.types, "int8") is numba.types.int8


@pytest.mark.parametrize(
    ("module", "attribute"),
    [(np, "sort"), (np, "load"), (np, "lib"), (np, "__dict__"), (math, "__loader__"), (numba, "njit"), (numba, "core")],
)
def test_what_modules_do_not_offer(module, attribute):
    with pytest.raises(KeyError):
        dotted(module, attribute)


def test_objects_of_numba_cuda_are_known_under_any_name():
    """Does ``from numba.cuda import grid as place`` work?"""
    assert as_static(cuda.grid) is names.INTRINSICS["grid"]
    assert as_static(cuda.shared.array) is names.INTRINSICS["shared.array"]
    assert type(as_static(cuda)) is Namespace and as_static(cuda).path == ""
    assert as_static(cuda.atomic).path == "atomic"
    assert as_static(7) == 7


@pytest.mark.parametrize("value", [np.float32, np.dtype("i4"), numba.float64, float, int, bool, complex, np.bool_])
def test_types_are_recognised(value):
    assert is_type(value)


@pytest.mark.parametrize("value", [list, str, 1.0, np.add, "float32", None, type])
def test_what_is_no_type_is_not_taken_for_one(value):
    assert not is_type(value)


def test_a_module_of_the_learners_is_read_without_running_its_code():
    module = ModuleType("mine")
    module.SIZE = 5
    module.__getattr__ = lambda name: pytest.fail("code of the module ran")
    assert of_module(module, "SIZE") == 5
    assert of_module(module, "absent") is None
    assert of_module(module, "__name__") is None


def test_a_foreign_comparison_is_never_asked():
    class Loud:
        def __eq__(self, other):
            raise AssertionError("asked")

        __hash__ = None

    assert not names.among(Loud(), (1, 2))
    assert as_static(Loud()) is not None
