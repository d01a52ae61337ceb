"""What a launch may be given, and what becomes of it."""

import numpy as np
import pytest
import torch
from numba import cuda

from utils import connect
from utils.simt.arguments import bind
from utils.simt.memory import Memory


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


def one(value, readonly=()):
    return bind(("a",), (value,), "kernel", readonly)[0]


def test_numbers_have_the_types_numba_gives_them():
    values = bind(("a", "b", "c", "d"), (3, 2.5, True, np.float32(1)), "kernel", ())
    assert [value.dtype.name for value in values] == ["int64", "float64", "bool", "float32"]


def test_a_tuple_of_numbers_is_a_tuple():
    assert one((1, 2.5)) == (1, 2.5)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_arguments_names_the_parameters(count):
    with pytest.raises(TypeError, match=rf"kernel\(a, b\) takes 2 arguments, and the launch gives {count}"):
        bind(("a", "b"), (1,) * count, "kernel", ())


def test_an_unknown_readonly_parameter_is_an_error():
    with pytest.raises(TypeError, match="kernel has no parameter b"):
        one(1, readonly=("b",))


@pytest.mark.parametrize("value", ["text", [1, 2], {1: 2}, object(), 2**64])
def test_what_no_kernel_takes_is_named(value):
    with pytest.raises(TypeError, match="argument a "):
        one(value)


def test_an_array_of_objects_is_refused():
    with pytest.raises(TypeError, match="array of object"):
        one(np.array([None]))


def test_a_host_view_with_gaps_is_refused_and_a_device_view_is_not():
    with pytest.raises(ValueError, match="a view with gaps"):
        one(np.arange(10.0)[::2])
    memory = one(cuda.to_device(np.arange(10.0))[2::2])
    assert (memory.shape, memory.strides, memory.offset) == ((4,), (2,), 2)


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_order_of_an_array_stays(order):
    memory = one(np.zeros((4, 5), order=order))
    assert memory.strides == ((5, 1) if order == "C" else (1, 4))


def test_stores_reach_the_array_of_every_kind():
    for value in (np.zeros(4), cuda.to_device(np.zeros(4)), torch.zeros(4), torch.zeros(4, requires_grad=True)):
        memory = one(value)
        memory.flat[2] = 7
        held = (
            value.copy_to_host()
            if hasattr(value, "copy_to_host")
            else value.detach().numpy()
            if isinstance(value, torch.Tensor)
            else value
        )
        assert held.tolist() == [0, 0, 7, 0]


def test_one_array_given_twice_is_one_storage():
    """Does a race through two names of one array show?"""
    shared = np.zeros(4)
    a, b = bind(("a", "b"), (shared, shared), "kernel", ())
    assert a.root is b.root
    other = bind(("a", "b"), (shared, np.zeros(4)), "kernel", ())
    assert other[0].root is not other[1].root


def test_two_views_of_a_device_array_share_its_storage():
    whole = cuda.to_device(np.zeros(8))
    a, b = bind(("a", "b"), (whole[:6], whole[2:]), "kernel", ())
    assert a.root is b.root and (a.offset, b.offset) == (0, 2)


def test_readonly_comes_from_the_launch_or_from_numpy():
    assert one(np.zeros(4), readonly=("a",)).readonly
    assert not one(np.zeros(4)).readonly
    frozen = np.zeros(4)
    frozen.flags.writeable = False
    assert one(frozen).readonly


@pytest.mark.parametrize("shape", [(), (0,), (3, 0)])
def test_arrays_of_no_dimension_or_no_element(shape):
    memory = one(np.zeros(shape))
    assert isinstance(memory, Memory) and memory.shape == shape and memory.flat.size == int(np.prod(shape))
