"""An access map shows exactly the sectors that a request moves."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.simt.zoo.right import BY_NAME
from utils import connect, simt
from utils.plot import access_map, memory, select

SMALL = 80 * 1024


def request(addresses, itemsize=4, lanes=None, **fields):
    """Return a request as the recorder makes them."""
    addresses = np.asarray(addresses)
    given = {
        "source": "a[i]",
        "line": 3,
        "array": "a",
        "op": "load",
        "space": "global",
        "block": (0, 0, 0),
        "warp": 0,
    }
    lanes = np.arange(len(addresses)) if lanes is None else np.asarray(lanes)
    return SimpleNamespace(addresses=addresses, itemsize=itemsize, lanes=lanes, **(given | fields))


@pytest.mark.parametrize(("stride", "sectors"), [(1, 4), (2, 8), (4, 16), (32, 32)])
def test_sectors_and_share_of_a_stride(stride, sectors):
    one = request(4 * stride * np.arange(32))
    assert memory.traffic(one) == (sectors, 128, 128 / (32 * sectors))
    drawn = access_map(one)
    assert f"from {sectors} sectors" in drawn.alt and len(drawn.png) < SMALL


def test_an_element_over_an_edge_touches_both_sectors():
    assert memory.traffic(request([28], itemsize=8))[0] == 2
    assert memory.traffic(request(4 * np.arange(32) + 4))[0] == 5


def test_a_broadcast_is_one_sector():
    assert memory.traffic(request(np.zeros(32, int)))[:2] == (1, 128)


def test_gaps_are_drawn_up_to_a_length_and_then_cut():
    places, used = memory._positions(request([0, 64, 4096]))
    assert places == {0: 0, 1: 1, 2: 2, 128: 4} and used == 5


def test_idle_lanes_and_sectors_left_alone_are_in_the_legend_only_if_there_are_any():
    def words(one):
        return [patch.get_label() for patch in memory._legend([one])]

    assert len(words(request(4 * np.arange(32)))) == 2
    assert words(request(64 * np.arange(8)))[2:] == ["sector left alone", "idle lane"]


def test_two_requests_are_described_one_after_the_other():
    drawn = access_map(request(4 * np.arange(32)), request(8 * np.arange(32)), titles=["near", "apart"])
    assert drawn.alt.index("near") < drawn.alt.index("apart")
    assert "each 4 bytes after the one before" in drawn.alt and "each 8 bytes" in drawn.alt
    assert len(drawn.png) < SMALL


def test_nothing_and_a_wrong_number_of_titles_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        access_map()
    with pytest.raises(ValueError, match="as many titles"):
        access_map(request([0]), titles=["a", "b"])


def test_select_finds_the_first_fit_and_says_what_there_is():
    requests = [request([0], op="load"), request([4], op="store", array="b"), request([8], warp=1)]
    trace = SimpleNamespace(requests=requests)
    assert select(trace) is requests[0]
    assert select(trace, op="store") is requests[1]
    assert select(trace, array="a", warp=1) is requests[2]
    with pytest.raises(LookupError, match="line 3: store of b"):
        select(trace, line=99)


def test_shared_memory_is_no_global_request():
    with pytest.raises(LookupError):
        select(SimpleNamespace(requests=[request([0], space="shared")]))


def test_a_real_trace_agrees_with_its_report():
    connect()
    case = BY_NAME["transpose"]
    trace = simt.trace(case.kernel, case.grid, case.block, *case.args())
    load, store = select(trace, op="load"), select(trace, op="store")
    assert (load.array, store.array) == ("a", "b")
    moved = sum(
        memory.traffic(one)[0] for one in trace.requests if one.space == "global" and one.op == "store"
    )
    assert moved == trace.report.global_stores.sectors
    assert len(access_map(load, store).png) < SMALL
