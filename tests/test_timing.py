"""A timing has the right samples, names its clock, and never pretends to have timed a GPU."""

import gc
import subprocess
import sys
import types

import numpy as np
import pytest

from utils import timing
from utils.timing import Timing, benchmark


@pytest.fixture
def no_gpu(monkeypatch):
    monkeypatch.setattr(timing, "find_clock", timing.WallClock)


def test_quartiles_are_those_of_the_samples():
    measured = Timing("work", tuple(float(k) for k in (5, 1, 4, 2, 3)), timing.WALL)
    assert (measured.low, measured.median, measured.high, measured.runs) == (2, 3, 4, 5)


def test_the_work_runs_as_often_as_asked_with_its_arguments(no_gpu):
    calls = []
    measured = benchmark(lambda *args: calls.append(args), 1, "two", repeat=7, warmup=2)
    assert calls == [(1, "two")] * 9
    assert measured.runs == 7 and measured.clock == timing.WALL
    assert all(sample >= 0 for sample in measured.samples)


def test_a_slower_function_has_a_larger_median(monkeypatch):
    """Does the time reach the samples? The clock is ours, so nothing here depends on the machine."""
    now = iter(range(100))
    monkeypatch.setattr(timing.time, "perf_counter", lambda: float(next(now)))
    slow = benchmark(lambda: next(now), repeat=5, warmup=0, clock="wall")
    fast = benchmark(lambda: None, repeat=5, warmup=0, clock="wall")
    assert (slow.median, fast.median) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(2.5, "2.50 s"), (0.0123, "12.3 ms"), (4.56e-4, "456 µs"), (7.891e-7, "789 ns"), (3e-10, "0.30 ns")],
)
def test_the_unit_follows_the_size(seconds, words):
    measured = Timing("work", (seconds,) * 3, timing.WALL)
    assert f"median {words}" in str(measured) and words in measured._repr_html_()
    assert "wall clock" in str(measured) and "wall clock" in measured._repr_html_()


def test_the_label_is_escaped_and_found():
    assert "&lt;b&gt;" in Timing("<b>", (1.0,), timing.WALL)._repr_html_()
    assert benchmark(np.sort, np.zeros(3), repeat=1, clock="wall").label == "sort"
    assert benchmark(np.sort, np.zeros(3), repeat=1, clock="wall", label="mine").label == "mine"


@pytest.mark.parametrize("options", [{"repeat": 0}, {"warmup": -1}, {"clock": "sun"}])
def test_an_impossible_request_is_refused(options):
    with pytest.raises(ValueError):
        benchmark(lambda: None, **options)


def test_garbage_is_collected_again_afterwards_even_if_the_work_fails(no_gpu):
    def work():
        assert not gc.isenabled()
        raise KeyError

    with pytest.raises(KeyError):
        benchmark(work, warmup=0)
    assert gc.isenabled()


class FakeTorch(types.ModuleType):
    """As much of PyTorch on a GPU as the clock asks for; `log` has the order of what was queued."""

    uint8 = "uint8"

    def __init__(self, log):
        super().__init__("torch")
        self.cuda = self
        self.log = log
        self.flushed = 0

    def is_available(self):
        return True

    is_initialized = is_available

    def get_device_properties(self, _):
        return types.SimpleNamespace(L2_cache_size=1000)

    def empty(self, size, dtype, device):
        self.flushed = size
        return types.SimpleNamespace(zero_=lambda: self.log.append("flush"))

    def Event(self, enable_timing):
        return types.SimpleNamespace(
            record=lambda: self.log.append("record"),
            synchronize=lambda: self.log.append("wait"),
            elapsed_time=lambda _: 2.0,
        )


def test_on_a_gpu_each_run_is_flushed_and_timed_between_two_events(monkeypatch):
    log = []
    torch = FakeTorch(log)
    monkeypatch.setitem(sys.modules, "torch", torch)
    measured = benchmark(lambda: log.append("work"), repeat=2, warmup=1)
    assert log == ["work"] + ["flush", "record", "work", "record", "wait"] * 2
    assert torch.flushed == 2000
    assert measured.samples == (0.002, 0.002) and measured.clock == timing.EVENTS


class FakeNumba(types.ModuleType):
    """As much of ``numba.cuda`` on a GPU as the clock asks for."""

    def __init__(self, log):
        super().__init__("numba.cuda")
        self.log = log

    def get_current_device(self):
        return types.SimpleNamespace(L2_CACHE_SIZE=1000)

    def device_array(self, size, dtype):
        assert (size, dtype) == (1000, np.uint8)
        return types.SimpleNamespace(copy_to_device=lambda other: self.log.append("flush"))

    def event(self, timing):
        return FakeTorch(self.log).Event(timing)


def test_numbas_events_time_each_run_after_a_flush(monkeypatch):
    log = []
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setitem(sys.modules, "numba.cuda", FakeNumba(log))
    driver = types.SimpleNamespace(is_available=lambda: True)
    monkeypatch.setitem(sys.modules, "numba.cuda.device_init", driver)
    measured = benchmark(lambda: log.append("work"), repeat=1, warmup=0)
    assert log == ["flush", "record", "work", "record", "wait"]
    assert measured.samples == (0.002,) and measured.clock == timing.EVENTS


def test_a_library_without_a_gpu_leaves_the_wall_clock(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    driver = types.SimpleNamespace(is_available=lambda: False)
    monkeypatch.setitem(sys.modules, "numba.cuda.device_init", driver)
    assert isinstance(timing.find_clock(), timing.WallClock)


def test_it_does_not_import_torch():
    code = "import sys, utils.timing as t; print(t.find_clock().name, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["wall", "clock", "False"] or timing.EVENTS in done.stdout
