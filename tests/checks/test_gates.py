"""A gate shows yours, ideal and gate, and the line that costs most."""

import math

import pytest

from tests.checks.helpers import case, report, sector_gate
from utils.checks import Gate
from utils.checks.gates import read_gate
from utils.simt.report import Report, Site


def site(line, source, sectors, space="global", op="load"):
    return Site(line, source, space, op, "x", requests=32, accesses=1024, bytes=4096, sectors=sectors)


def many(*sites):
    return Report("k", (1, 1, 1), (32, 1, 1), sites=list(sites), barriers=9)


@pytest.mark.parametrize(("sectors", "met"), [(128, True), (160, True), (161, False), (1024, False)])
def test_a_gate_is_met_up_to_and_including_its_bound(sectors, met):
    assert read_gate(sector_gate(), case(100), report(sectors=sectors)).met is met


def test_a_missed_gate_names_the_dearest_line():
    cheap, dear = site(3, "y[i]", 128), site(4, "x[32 * i]", 1024)
    seen = read_gate(sector_gate(), case(100), many(cheap, dear, site(5, "out[i]", 2048, op="store")))
    assert (seen.line, seen.source, seen.line_value) == (4, "x[32 * i]", 32)
    assert seen.yours == 18


def test_a_met_gate_names_none():
    assert read_gate(sector_gate(), case(100), report()).line is None


def test_a_counter_that_no_access_carries_names_none():
    barriers = Gate("barriers", lambda seen: seen.barriers, naive=9, ideal=5, gate=7, why="Each one waits.")
    seen = read_gate(barriers, case(100), many(site(3, "y[i]", 128)))
    assert not seen.met and seen.line is None


def test_an_efficiency_is_better_when_higher():
    gate = Gate(
        "use", lambda seen: seen.global_loads.efficiency, 0.125, 1, 0.8, "Unused bytes.", better="higher"
    )
    assert read_gate(gate, case(100), many(site(3, "x[i]", 128))).met
    seen = read_gate(gate, case(100), many(site(3, "x[i]", 128), site(4, "x[8 * i]", 1024)))
    assert (seen.met, seen.line, seen.line_value) == (False, 4, 0.125)
    assert seen.excess > 0


def test_bounds_may_be_formulas_of_the_case():
    gate = Gate(
        "sectors",
        lambda seen: seen.global_loads.sectors,
        naive=lambda one: 8 * one["n"],
        ideal=lambda one: one["n"] / 8,
        gate=lambda one: one["n"] / 4,
        why="Each sector is 32 bytes moved.",
    )
    seen = read_gate(gate, case(400), report(sectors=128))
    assert (seen.naive, seen.ideal, seen.gate, seen.met) == (3200, 50, 100, False)


def test_nothing_to_divide_by_meets_no_gate():
    gate = Gate("ratio", lambda seen: 1 / seen.barriers, naive=2, ideal=1, gate=1, why="None.")
    seen = read_gate(gate, case(100), report())
    assert not seen.met and math.isnan(seen.yours) and seen.excess == math.inf


def test_an_instructors_slip_in_a_gate_is_not_hidden():
    gate = Gate("typo", lambda seen: seen.global_load, naive=2, ideal=1, gate=1, why="None.")
    with pytest.raises(AttributeError):
        read_gate(gate, case(100), report())
