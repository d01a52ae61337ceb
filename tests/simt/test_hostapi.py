"""Device arrays, streams and events of a machine without a GPU."""

import numpy as np
import pytest

from utils.simt import hostapi
from utils.simt.hostapi import SimulatedArray, device_array, device_array_like, to_device


def test_a_device_array_is_a_copy_both_ways():
    host = np.arange(4.0)
    there = to_device(host)
    host[0] = 9
    back = there.copy_to_host()
    back[1] = 9
    assert there.copy_to_host().tolist() == [0, 1, 2, 3]
    assert to_device(there) is there


def test_copies_must_match_in_shape_and_type():
    there = to_device(np.arange(4.0))
    there.copy_to_device(np.ones(4))
    there.copy_to_device(to_device(np.full(4, 2.0)))
    assert there.copy_to_host(np.zeros(4)).tolist() == [2, 2, 2, 2]
    for other in (np.zeros(5), np.zeros(4, np.float32)):
        with pytest.raises(ValueError, match="type and shape must be the same"):
            there.copy_to_host(other)
        with pytest.raises(ValueError, match="type and shape must be the same"):
            there.copy_to_device(other)
    assert to_device(np.zeros(4), to=there) is there and not there.copy_to_host().any()


def test_what_nobody_wrote_is_poison():
    assert np.isnan(device_array(4).copy_to_host()).all()
    assert (device_array((2, 2), np.int8).copy_to_host() == 127).all()


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_like_another_has_its_order(order):
    model = np.zeros((2, 3), np.float32, order=order)
    made = device_array_like(to_device(model))
    assert (made.shape, made.dtype, made.strides) == (model.shape, model.dtype, model.strides)
    assert made.is_c_contiguous() == (order == "C") and made.is_f_contiguous() == (order == "F")


def test_views_show_the_same_memory_and_know_its_owner():
    there = to_device(np.zeros((2, 4)))
    for view in (there[1], there[:, 1:], there.reshape(8), there.ravel(), there.T, there.view(np.int64)):
        assert type(view) is SimulatedArray and view.simulated_owner is there.simulated_storage
    there[1][2] = 5
    assert there.copy_to_host()[1, 2] == 5 and there[1, 2] == 5
    there[0] = to_device(np.ones(4))
    assert there.copy_to_host()[0].tolist() == [1, 1, 1, 1]


def test_it_says_what_it_is():
    there = to_device(np.zeros((2, 3), np.int16))
    assert (there.shape, there.ndim, there.size, there.nbytes, len(there)) == ((2, 3), 2, 6, 12, 2)
    assert "int16" in repr(there) and "copy_to_host" in repr(there)
    assert np.asarray(there).dtype == np.int16


def test_streams_and_events_are_never_behind():
    stream, start, end = hostapi.SimulatedStream(), hostapi.SimulatedEvent(), hostapi.SimulatedEvent()
    with pytest.raises(RuntimeError, match="both events must be recorded"):
        start.elapsed_time(end)
    with stream.auto_synchronize() as same:
        start.record(same)
    end.record()
    assert end.query() and start.elapsed_time(end) >= 0
    told = []
    stream.add_callback(lambda *arguments: told.append(arguments), "hello")
    assert told == [(stream, 0, "hello")]


def test_pinned_memory_is_host_memory():
    made = hostapi.host_array((2, 3), np.float32, order="F")
    assert isinstance(made, np.ndarray) and made.flags.f_contiguous
    assert hostapi.host_array_like(made).shape == (2, 3)
    with hostapi.pinned(made), hostapi.defer_cleanup():
        pass
