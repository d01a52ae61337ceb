"""On a GPU, work is timed by events on its own queue, not by the queueing."""

import numpy as np
import pytest
from numba import cuda

from tests.simt.zoo.right import BY_NAME
from utils.timing import EVENTS, NumbaClock, TorchClock, benchmark

pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("ignore:.*(Grid size|Host array used):Warning")]


def test_numbas_events_time_a_launch():
    vadd = BY_NAME["vadd"].kernel
    a, b, c = (cuda.to_device(np.ones(1 << 20, np.float32)) for _ in range(3))
    measured = benchmark(lambda: vadd[4096, 256](a, b, c), repeat=5, label="vadd")
    assert measured.clock == EVENTS
    assert 0 < NumbaClock(cuda).seconds(lambda: vadd[4096, 256](a, b, c)) < 1
    assert (c.copy_to_host() == 2).all()


def test_torchs_events_time_a_product():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this torch has no CUDA")
    a = torch.rand(1024, 1024, device="cuda")
    measured = benchmark(torch.mm, a, a, repeat=5)
    assert measured.clock == EVENTS and measured.runs == 5
    assert 0 < TorchClock(torch).seconds(lambda: a @ a) < 1
