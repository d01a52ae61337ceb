"""From an index to an address, and which lanes left the array."""

import numpy as np
import pytest

from utils.simt.memory import Memory, poison, row_major


def array(shape, strides=None, offset=0, **more):
    flat = np.zeros(int(np.prod(shape)) + 100, np.float32)
    return Memory("a", "global", flat, shape, strides or row_major(shape), offset, **more)


def vector(*values):
    return np.array(values)


def test_row_major_strides():
    assert row_major((2, 3, 4)) == (12, 4, 1)
    assert row_major(()) == ()
    assert row_major((5,)) == (1,)


def test_a_good_index_has_an_address_and_no_flags():
    address, negative, outside = array((4, 5)).locate((vector(0, 3), vector(4, 2)), None)
    assert address.tolist() == [4, 17]
    assert negative is None and outside is None


def test_a_shared_index_has_one_address():
    assert array((4, 5)).locate((np.int64(2), np.int32(3)), None)[0] == 13


def test_strides_and_offset_count():
    address, *_ = array((4, 5), strides=(1, 4), offset=7).locate((vector(1, 2), vector(0, 3)), None)
    assert address.tolist() == [8, 21]


def test_only_the_chosen_lanes_are_looked_at():
    lanes = vector(0, 2)
    address, negative, outside = array((4,)).locate((vector(1, 99, 3),), lanes)
    assert address.tolist() == [1, 3] and negative is None and outside is None


def test_each_lane_may_have_its_own_offset():
    address, *_ = array((4,), offset=vector(0, 4, 8)).locate((np.int64(2),), vector(0, 2))
    assert address.tolist() == [2, 10]


def test_negative_and_outside_are_told_apart():
    _, negative, outside = array((4,)).locate((vector(-1, -4, -5, 3, 4),), None)
    assert negative.tolist() == [True, True, True, False, False]
    assert outside.tolist() == [False, False, True, False, True]


def test_a_negative_index_wraps_around_once():
    address, *_ = array((4,)).locate((vector(-1, -4),), None)
    assert address.tolist() == [3, 0]


def test_every_dimension_is_checked():
    """Is an index outside even where the address would still lie in the array?"""
    _, _, outside = array((4, 5)).locate((vector(0, 1), vector(5, 1)), None)
    assert outside.tolist() == [True, False]


def test_an_index_of_another_type_is_a_type_error():
    with pytest.raises(TypeError, match="a is indexed with float64, not with an integer"):
        array((4,)).locate((vector(0.5),), None)


def test_a_row_is_a_view_of_the_same_storage():
    whole = array((4, 5))
    row, negative, outside = whole.view((vector(0, 3),))
    assert negative is None and outside is None
    assert (row.shape, row.offset.tolist(), row.root is whole) == ((5,), [0, 15], True)
    assert row.view((slice(None),))[0].root is whole


def test_a_row_outside_the_array_is_told():
    row, negative, outside = array((4, 5)).view((vector(-1, 4, 3),))
    assert negative.tolist() == [True, False, False] and outside.tolist() == [False, True, False]
    assert row.offset.tolist()[::2] == [15, 15]


def test_a_slice_keeps_step_and_length():
    part, *_ = array((10,)).view((slice(1, 8, 3),))
    assert (part.shape, part.strides, part.offset) == ((3,), (3,), 1)


def test_an_address_has_its_index_back():
    whole = array((4, 5))
    assert whole.index_of(17) == (3, 2)
    assert whole.view((np.int64(3),))[0].index_of(17) == (3, 2)
    assert array((4, 5), strides=(1, 4)).index_of(14) == (2, 3)


def test_the_copy_of_another_block_has_the_same_index():
    assert array((2, 3), size_of_one=6).index_of(6 + 4) == (1, 1)


@pytest.mark.parametrize("kind", ["float16", "float32", "complex64"])
def test_poison_of_a_float_is_nan(kind):
    assert np.isnan(poison(np.dtype(kind)))


@pytest.mark.parametrize(("kind", "value"), [("int8", 127), ("uint8", 255), ("int64", 2**63 - 1), ("bool", True)])
def test_poison_of_an_integer_is_its_extreme(kind, value):
    assert poison(np.dtype(kind)) == value and poison(np.dtype(kind)).dtype == np.dtype(kind)
