"""Published limits of real GPUs and links, each row with the source its figures were read in.

The figures stand in `published/*.csv`. A figure that nobody has read in a document is not there: its field is
None. KB and MB are CUDA's (1024 bytes to the KB); GB, GB/s and TFLOPS are decimal; tensor rates are dense.
"""

from __future__ import annotations

import csv
import types
import typing
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

PUBLISHED = Path(__file__).parent / "published"
LAUNCH_LIMITS = "CUDA C++ Programming Guide, table 'Technical Specifications per Compute Capability'"

Row = TypeVar("Row")


def _unit(name: str, **options: Any) -> Any:
    return field(metadata={"unit": name}, **options)


@dataclass(frozen=True, kw_only=True)
class Gpu:
    """One board as its maker publishes it; the unit of each field stands in its metadata (`unit`)."""

    name: str
    architecture: str
    year: int | None
    compute_capability: str
    sms: int | None = _unit("SMs")
    fp32_cores_per_sm: int | None = _unit("cores")
    boost_mhz: int | None = _unit("MHz")
    memory_gb: float | None = _unit("GB")
    memory_type: str
    bandwidth_gb_s: float | None = _unit("GB/s")
    l2_mb: float | None = _unit("MB")
    shared_kb_per_sm_max: int | None = _unit("KB")
    fp32_tflops: float | None = _unit("TFLOPS")
    tf32_tensor_tflops_dense: float | None = _unit("TFLOPS")
    fp16_tensor_tflops_dense: float | None = _unit("TFLOPS")
    bf16_tensor_tflops_dense: float | None = _unit("TFLOPS")
    fp8_tensor_tflops_dense: float | None = _unit("TFLOPS")
    fp64_tflops: float | None = _unit("TFLOPS")
    nvlink_gb_s_total: float | None = _unit("GB/s")
    pcie: str | None
    tdp_w: int | None = _unit("W")
    source: str
    notes: str | None

    @property
    def limits(self) -> Limits:
        """The limits of this board's compute capability."""
        return limits(self.compute_capability)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one compute capability allows a launch, a block, a thread and a multiprocessor (SM).

    Up to `sub_partitions` the fields follow the table of the CUDA programming guide and the occupancy header;
    those with a default are the same for every capability listed (`LAUNCH_LIMITS`).
    """

    compute_capability: str
    architecture: str
    example_gpus: str | None
    max_threads_per_sm: int = _unit("threads")
    max_warps_per_sm: int = _unit("warps")
    max_blocks_per_sm: int = _unit("blocks")
    max_threads_per_block: int = _unit("threads")
    registers_per_sm: int = _unit("32-bit registers")
    max_registers_per_block: int = _unit("32-bit registers")
    max_registers_per_thread: int = _unit("32-bit registers")
    register_alloc_unit_per_warp: int = _unit("32-bit registers")
    register_alloc_granularity: str
    sub_partitions: int
    warp_allocation_granularity: int = _unit("warps")
    shared_kb_per_sm: int = _unit("KB")
    shared_kb_per_block_max_optin: int = _unit("KB")
    shared_kb_per_block_static: int = _unit("KB")
    shared_alloc_granularity_bytes: int = _unit("bytes")
    reserved_shared_bytes_per_block: int | None = _unit("bytes")
    shared_carveouts_kb: str | None = _unit("KB")
    unified_l1_shared_kb: int | None = _unit("KB")
    tensor_core_types: str | None
    fp32_to_fp64_ratio: str | None
    source: str
    warp_size: int = _unit("threads", default=32)
    max_block_dim: tuple[int, int, int] = _unit("threads", default=(1024, 1024, 64))
    max_grid_dim: tuple[int, int, int] = _unit("blocks", default=(2**31 - 1, 65535, 65535))


@dataclass(frozen=True, kw_only=True)
class Link:
    """One link between processors or machines, with its bandwidth before protocol overhead."""

    name: str
    kind: str
    per: str
    bandwidth_gb_s_per_direction: float = _unit("GB/s")
    bandwidth_gb_s_total: float = _unit("GB/s")
    signalling: str | None
    latency_us: float | None = _unit("µs")
    latency_note: str | None
    source: str
    notes: str | None


def get(name: str) -> Gpu:
    """Return the board called `name`, or the first one whose name starts with it: ``get("A100")``."""
    return _pick(all_gpus(), name, "GPU")


def limits(compute_capability: str | tuple[int, int]) -> Limits:
    """Return the limits of a compute capability, given as ``"8.0"`` or ``(8, 0)``."""
    if isinstance(compute_capability, tuple):
        compute_capability = "{}.{}".format(*compute_capability)
    rows = {row.compute_capability: row for row in _read(Limits, "compute_capabilities.csv")}
    if compute_capability not in rows:
        raise KeyError(f"no limits for compute capability {compute_capability}; there are {', '.join(rows)}")
    return rows[compute_capability]


def link(name: str) -> Link:
    """Return the link called `name`, or the first one whose name starts with it: ``link("PCIe 4.0")``."""
    return _pick(all_links(), name, "link")


def all_gpus() -> tuple[Gpu, ...]:
    """Return every board, oldest architecture first."""
    return _read(Gpu, "gpus.csv")


def all_links() -> tuple[Link, ...]:
    """Return every link: host, GPU, switch, network."""
    return _read(Link, "links.csv")


def unit(record: Gpu | Limits | Link, name: str) -> str:
    """Return the unit of the field `name` of `record`; empty for a plain number or a text."""
    return next(f.metadata.get("unit", "") for f in fields(record) if f.name == name)


def _pick(rows: tuple[Any, ...], name: str, what: str) -> Any:
    wanted = name.casefold()
    exact = [row for row in rows if row.name.casefold() == wanted]
    starts = [row for row in rows if f"{row.name.casefold()} ".startswith(f"{wanted} ")]
    if not exact and not starts:
        raise KeyError(f"no {what} called {name!r}; there are {', '.join(row.name for row in rows)}")
    return (exact or starts)[0]


@cache
def _read(kind: type[Row], file: str) -> tuple[Row, ...]:
    """Read one table; an empty cell is None, and every other is of its field's type."""
    hints = typing.get_type_hints(kind)
    with (PUBLISHED / file).open(newline="", encoding="utf-8") as lines:
        return tuple(
            kind(**{name: _value(text, hints[name]) for name, text in row.items()}) for row in csv.DictReader(lines)
        )


def _value(text: str, hint: Any) -> Any:
    choices = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if not text and type(None) in choices:
        return None
    return choices[0](text)
