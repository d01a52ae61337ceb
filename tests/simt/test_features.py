"""What else Numba's CUDA target has, on both engines, beside an oracle in plain Python."""

import cmath
import math

import numpy as np
import pytest

from tests.simt.zoo import features
from utils import connect, simt

N = 64
RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@pytest.fixture(params=["lockstep", "ascending"])
def run(request):
    """Return a function that profiles a kernel in two blocks of 32, and wants no finding."""

    def profile(kernel, *args, grid=2):
        report = simt.profile(kernel, grid, N // grid, *args, schedule=request.param)
        assert report.findings == []
        return report

    return profile


def test_bits_are_counted_found_and_reversed(run):
    x = RNG.integers(0, 2**32, N, dtype=np.uint32)
    x[0] = 0
    out = np.zeros((5, N), np.int64)
    run(features.bits, x, out)
    texts = [f"{int(value):032b}" for value in x]
    assert out[0].tolist() == [t.count("1") for t in texts]
    assert out[1].tolist() == [len(t) - len(t.lstrip("0")) for t in texts]
    assert out[2].tolist() == [(32 - t.rindex("1")) if "1" in t else 0 for t in texts]
    assert out[3].tolist() == [int(t[::-1], 2) for t in texts]
    assert out[4].tolist() == [1 if value > 5 else 2 for value in x]


def test_half_precision_is_rounded_once(run):
    a, b = (RNG.random(N).astype(np.float16) for _ in range(2))
    out = np.zeros((5, N), np.float16)
    run(features.halves, a, b, out)
    exact = a.astype(np.float64), b.astype(np.float64)
    np.testing.assert_array_equal(out[0], (exact[0] + exact[1]).astype(np.float16))
    np.testing.assert_array_equal(out[1], (exact[0] * exact[1] + exact[0]).astype(np.float16))
    np.testing.assert_array_equal(out[2], (exact[0] * exact[1]).astype(np.float16))
    np.testing.assert_array_equal(out[3], np.sqrt(exact[0]).astype(np.float16))
    np.testing.assert_array_equal(out[4], a < b)


def test_vectors_are_made_of_numbers_and_vectors(run):
    x, out = RNG.random(N).astype(np.float32), np.zeros(N)
    run(features.vectors, x, out)
    odd = x.astype(np.float64) * 101 + 1010
    np.testing.assert_allclose(out, np.where(np.arange(N) % 2, odd, 4321), rtol=1e-6)


def test_a_record_is_a_place(run):
    records, out = np.zeros(N, features.RECORD), np.zeros(N)
    records["count"], records["weight"] = np.arange(N), 1.5
    report = run(features.fields, records, out)
    assert records["count"].tolist() == list(range(1, N + 1))
    assert (records["weight"] == 3).all()
    assert records["parts"][:, 1].tolist() == list(range(N))
    assert out.tolist() == [2 * i + 1 for i in range(N)]
    loads = [s for s in report.sites if s.array == "records.weight" and s.op == "load"]
    assert loads[0].sectors == N * 20 // 32  # a field of 4 bytes every 20: each sector of the records is moved


def test_records_are_copied_field_by_field(run):
    records = np.zeros(N, features.RECORD)
    records["count"], records["parts"][:, 2] = np.arange(N), np.arange(N)
    run(features.copied_records, records)
    assert records["count"][: N // 2].tolist() == list(range(N - 1, N // 2 - 1, -1))
    assert records["parts"][: N // 2, 2].tolist() == list(range(N - 1, N // 2 - 1, -1))


@pytest.mark.parametrize("schedule", ["lockstep", "ascending"])
def test_a_record_outside_its_array_is_reported(schedule):
    records = np.zeros(40, features.RECORD)
    report = simt.profile(features.past_the_records, 2, 32, records, schedule=schedule)
    (finding,) = report.findings
    assert (finding.kind, finding.index, finding.count) == ("out-of-bounds", (40,), 24)
    assert (records["count"] == 1).all()


@pytest.mark.parametrize("schedule", ["lockstep", "ascending"])
def test_two_threads_in_one_field_race(schedule):
    report = simt.profile(features.racing_field, 1, 32, np.zeros(4, features.RECORD), schedule=schedule)
    assert {f.kind for f in report.findings} == {"race"}
    assert report.findings[0].array == "records.count"


def test_functions_and_types_are_arguments_of_device_functions(run):
    x, out = np.arange(N, dtype=np.int32), np.zeros(N, np.int64)
    run(features.functions_as_arguments, x, out)
    assert out.tolist() == [2 * i + 1 + 3 * i for i in range(N)]
    out = np.zeros(N)
    run(features.shapes_as_arguments, x.astype(np.float32), out)
    assert out.tolist() == [i + 3 for i in range(N)]


def test_enumerate_and_zip(run):
    x, y, out = np.arange(5), np.arange(5) * 2, np.zeros(N, np.int64)
    run(features.iterations, x, y, out)
    assert set(out.tolist()) == {sum(k * a + b for k, (a, b) in enumerate(zip(x, y, strict=True))) + 1}


def test_members_of_enumerations(run):
    which, out = RNG.integers(-1, 2, N), np.zeros(N, np.int64)
    run(features.enumerations, which, out)
    assert out.tolist() == [17 if w > 0 else 8 for w in which]


def test_arrays_in_tuples_and_named_tuples(run):
    x, y, out = np.arange(N) * 1.0, np.arange(N) + 0.5, np.zeros(N)
    run(features.tuples, features.Pair(x, 3.0), (y, (1, 2)), out)
    np.testing.assert_array_equal(out, x * 3 + y + 2)


def test_complex_numbers(run):
    z = RNG.normal(size=N) + 1j * RNG.normal(size=N)
    out = np.zeros(N, np.complex128)
    run(features.complex_numbers, z, out)
    expected = [cmath.exp(v).conjugate() + complex(v.real, 1) + cmath.sqrt(v) for v in z]
    np.testing.assert_allclose(out, expected, rtol=1e-14)


def test_a_thread_that_raises_ends_and_the_report_notes_it(run):
    x = np.arange(N) * 1.0
    x[5], out = -1, np.full(N, -7.0)
    report = run(features.raising, x, out)
    assert out.tolist() == [-7 if i in (3, 5) else math.sqrt(i) for i in range(N)]
    assert [n.split(": ")[1].split(";")[0] for n in report.notes if "raised" in n] == [
        "1 thread raised ValueError and ended there",
        "1 thread raised AssertionError and ended there",
    ]


def test_a_debug_kernel_raises_on_the_host(device):
    if not device.simulated:
        pytest.skip("tests/gpu compares real launches")
    x = np.ones(40)
    x[33] = -1
    with pytest.raises(ValueError, match=r"tid=\[1, 0, 0\] ctaid=\[1, 0, 0\]: negative"):
        features.raising_loudly[2, 20 + 12](np.resize(x, 64))


def test_print_goes_thread_by_thread(run, capsys):
    run(features.printing, np.arange(N) / 4)
    assert capsys.readouterr().out.splitlines() == [f"thread {i} {i / 4:f}" for i in range(1, N, 2)]


def test_numpys_functions_on_whole_arrays(run):
    a, b, out = np.arange(6).reshape(2, 3), np.arange(3), np.zeros((2, 3), np.int64)
    assert simt.profile(features.whole_arrays, 1, 1, a, b, out).ok
    np.testing.assert_array_equal(out, np.maximum(a, b))


def test_a_grid_that_waits_for_itself():
    x, out = np.zeros(N, np.int64), np.zeros(N, np.int64)
    assert simt.profile(features.grid_sync, 2, 32, x, out).findings == []
    assert out.tolist() == list(range(N - 1, -1, -1))


def test_several_waiting_blocks_are_not_simulated_one_thread_after_another():
    with pytest.raises(simt.LaunchError, match="not simulated"):
        simt.profile(features.grid_sync, 2, 32, np.zeros(N), np.zeros(N), schedule="ascending")


def test_a_grid_too_large_to_wait_is_refused():
    with pytest.raises(simt.LaunchError, match="must run at one time"):
        simt.profile(features.grid_sync, 1000, 1024, np.zeros(N), np.zeros(N))


def test_lanes_find_their_likes(run):
    x, out = np.arange(N) % 4, np.zeros((3, N), np.int64)
    run(features.matches, x, out)
    alike = [sum(1 << k for k in range(32) if k % 4 == i % 4) for i in range(N)]
    assert [int(v) & 0xFFFFFFFF for v in out[0]] == alike
    assert out[1].tolist() == [0] * N
    assert out[2].tolist() == [(1 << i % 32) - 1 for i in range(N)]
    run(features.matches, np.ones(N), out)
    assert out[1].tolist() == [0] * N  # all 32 bits, as an int32, and True: -1 + 1


def test_maximum_and_nan(run):
    values = RNG.random(N)
    values[7] = np.nan
    x, best = np.full(1, -1, np.int64), np.array([0, np.nan])
    run(features.atomics, x, values, best)
    assert best[0] == np.nanmax(values) and np.isnan(best[1])
    assert x[0] == 0


def test_a_signature_converts_its_numbers():
    out = np.zeros(1, np.int32)
    simt.profile(features.declared(), 1, 1, out, 300)
    assert out[0] == 300 % 256


def test_a_signature_refuses_arrays_of_another_type():
    with pytest.raises(simt.KernelTypeError, match="the signature says int32"):
        simt.profile(features.declared(), 1, 1, np.zeros(1), 3)


def test_times_and_text(run):
    start = np.arange("2005-02", "2005-04", dtype="datetime64[D]")[: N // 2].repeat(2)[:N]
    start = np.resize(start, N)
    out = np.zeros(N, "timedelta64[D]")
    run(features.days, start, start + 3, out)
    assert (out == np.timedelta64(3, "D")).all()
    words = np.zeros(N, "<U5")
    run(features.texts, words)
    assert set(words) == {"abc"}


def test_unsigned_arithmetic_wraps_at_64_bits(run):
    seed, out = np.array([2**63 + 12345], np.uint64), np.zeros(1, np.uint64)
    assert simt.profile(features.generator, 1, 1, seed, out).ok
    s0 = 2**63 + 12345
    assert int(out[0]) == (s0 ^ (s0 >> 30)) * 0xBF58476D1CE4E5B9 % 2**64


def test_a_kernel_made_by_exec_has_no_text_and_says_so(run):
    """In the stock simulator's mode it has: Numba's own suite, which runs there, makes many."""
    with pytest.raises(simt.LaunchError, match="source of kernel cannot be found: define it in a cell or file"):
        run(features.made_by_exec(), np.zeros(N))


def test_functions_inside_device_functions(run):
    x, out = np.arange(N), np.zeros(N, np.int64)
    run(features.closures, x, out)
    assert out.tolist() == [(i * 5 + 10 + i % 2) * 3 + 100 + i for i in range(N)]


@pytest.mark.parametrize("schedule", ["lockstep", "ascending"])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "complex64", "bool"])
def test_atomics_work_on_32_and_64_bits(dtype, schedule):
    with pytest.raises(simt.KernelTypeError, match="32 or 64 bits"):
        simt.profile(features.any_atomic, 1, 1, np.zeros(1, dtype), schedule=schedule)
