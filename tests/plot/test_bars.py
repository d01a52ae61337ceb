"""Bars show the numbers they were given, and refuse to compare what cannot be compared."""

import pytest

from utils.plot import bars, counter_bars, timing_bars
from utils.simt.report import Report, Site
from utils.timing import EVENTS, WALL, Timing

SMALL = 80 * 1024


def report(sectors):
    site = Site(3, "a[i]", "global", "load", "a", requests=4, accesses=128, bytes=512, sectors=sectors)
    return Report("copy", (2, 1, 1), (64, 1, 1), sites=[site])


def test_the_text_has_every_median_and_the_clock():
    drawn = timing_bars(Timing("slow", (2e-3,) * 5, WALL), Timing("fast", (1e-6, 2e-6, 3e-6), WALL))
    assert "slow: median 2.00 ms" in drawn.alt and "fast: median 2.00 µs" in drawn.alt
    assert "wall clock" in drawn.alt and len(drawn.png) < SMALL


def test_two_clocks_are_not_compared():
    with pytest.raises(ValueError, match="one clock"):
        timing_bars(Timing("here", (1.0,), WALL), Timing("there", (1.0,), EVENTS))


def test_the_axis_reaches_every_quartile_but_not_a_far_outlier():
    assert bars._reach([Timing("work", (1.0, 1.0, 1.0, 1.1), WALL)]) == pytest.approx(1.1)
    assert bars._reach([Timing("work", (1.0,) * 9 + (50.0,), WALL)]) < 2


def test_counters_are_read_by_their_path():
    drawn = counter_bars(
        {"near": report(16), "apart": report(128)},
        ["global_loads.sectors_per_request", "global_loads.efficiency", "global_loads.bytes"],
    )
    assert "sectors per load request: near 4, apart 32" in drawn.alt
    assert "share of loaded bytes used: near 100 %, apart 12.5 %" in drawn.alt
    assert "global_loads.bytes: near 512, apart 512" in drawn.alt
    assert len(drawn.png) < SMALL


def test_every_named_counter_exists():
    for counter in bars.COUNTERS:
        assert bars._value(report(16), counter) >= 0


def test_nothing_to_compare_is_refused():
    with pytest.raises(ValueError, match="at least one report"):
        counter_bars({})
    with pytest.raises(AttributeError):
        counter_bars({"near": report(16)}, ["global_loads.speed"])
