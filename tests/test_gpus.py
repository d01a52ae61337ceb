"""Published figures: read once, typed, sourced, and consistent with each other."""

from dataclasses import fields

import pytest

from utils import gpus


def test_a_short_name_finds_the_first_board_of_that_name():
    assert gpus.get("A100").name == "A100 SXM4 40GB"
    assert gpus.get("a100 sxm4 80gb").bandwidth_gb_s == 2039
    assert gpus.get("RTX 4090").sms == 128


@pytest.mark.parametrize("name", ["A1000", "", "RTX 40", "Z9"])
def test_an_unknown_name_says_what_there_is(name):
    with pytest.raises(KeyError, match="A100 SXM4 40GB"):
        gpus.get(name)


def test_a_value_has_its_fields_type_and_a_missing_one_is_none():
    board = gpus.get("T4")
    assert (board.sms, board.year, board.compute_capability) == (40, 2018, "7.5")
    assert isinstance(board.sms, int) and isinstance(board.bandwidth_gb_s, float)
    assert board.bf16_tensor_tflops_dense is None and board.nvlink_gb_s_total is None
    assert gpus.unit(board, "bandwidth_gb_s") == "GB/s" and gpus.unit(board, "name") == ""


def test_every_row_names_its_source():
    rows = [*gpus.all_gpus(), *gpus.all_links(), *(board.limits for board in gpus.all_gpus())]
    assert len(gpus.all_gpus()) == 17 and len(gpus.all_links()) > 15
    assert all(len(row.source) > 5 for row in rows)
    text = " ".join(str(getattr(row, f.name)) for row in rows for f in fields(row))
    assert "recalled" not in text


@pytest.mark.parametrize("board", gpus.all_gpus(), ids=lambda board: board.name)
def test_a_board_agrees_with_its_compute_capability(board):
    assert board.limits.architecture == board.architecture
    assert board.shared_kb_per_sm_max == board.limits.shared_kb_per_sm


@pytest.mark.parametrize("board", gpus.all_gpus(), ids=lambda board: board.name)
def test_single_precision_peak_is_cores_times_clock_times_two(board):
    """Does the printed rate follow from the printed cores and clock, within 2 %?"""
    if board.fp32_tflops is None or board.sms is None or board.boost_mhz is None:
        pytest.skip("one of the three figures is not published")
    peak = board.sms * board.fp32_cores_per_sm * 2 * board.boost_mhz / 1e6
    assert board.fp32_tflops == pytest.approx(peak, rel=0.02)


def test_limits_hold_what_a_launch_needs():
    ampere = gpus.limits("8.0")
    assert ampere == gpus.limits((8, 0)) == gpus.get("A100").limits
    assert (ampere.warp_size, ampere.max_threads_per_block, ampere.shared_kb_per_block_static) == (
        32,
        1024,
        48,
    )
    assert ampere.max_block_dim == (1024, 1024, 64)
    assert ampere.max_grid_dim == (2**31 - 1, 65535, 65535)
    assert ampere.max_warps_per_sm * ampere.warp_size == ampere.max_threads_per_sm
    with pytest.raises(KeyError, match=r"8\.6"):
        gpus.limits("3.5")


def test_a_link_has_two_directions():
    for link in gpus.all_links():
        assert link.bandwidth_gb_s_total == pytest.approx(2 * link.bandwidth_gb_s_per_direction)
    assert gpus.link("PCIe 4.0").name == "PCIe 4.0 x16"
