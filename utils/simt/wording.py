"""The sentences of findings: what happened, who, which number, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utils.simt.report import Dim3, Finding

if TYPE_CHECKING:
    from utils.simt.diagnosis import Cause
    from utils.simt.program import SiteInfo

VERBS = {"load": "reads", "store": "writes", "atomic": "updates"}


def sentence(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    """Return the message of a finding."""
    return f"line {finding.line}, {finding.source}: {WRITERS[finding.kind](finding, cause, sites)}"


def who(block: Dim3 | None, thread: Dim3 | None) -> str:
    """Name a thread."""
    return f"thread {_tuple(thread)} of block {_tuple(block)}"


def _tuple(values: tuple[int, ...] | None) -> str:
    return "(" + ",".join(map(str, values or ())) + ")"


def _element(finding: Finding) -> str:
    return f"{finding.array}[{', '.join(map(str, finding.index or ()))}]"


def _also(finding: Finding, what: str = "threads") -> str:
    return f" ({finding.count:,} {what} do)" if finding.count > 1 else ""


def _outside(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    shape, index = cause.memory.shape, finding.index
    verb = VERBS.get(cause.detail, "uses")
    start = f"{who(finding.block, finding.thread)} {verb} {_element(finding)}"
    if len(shape) == 1:
        ends = f", which ends at {shape[0] - 1}" if shape[0] else ", which is empty"
    else:
        axis = next((i for i, (k, n) in enumerate(zip(index, shape, strict=True)) if not -n <= k < n), 0)
        ends = f": dimension {axis} ends at {shape[axis] - 1}"
    guard = f"if i < {finding.array}.size" if len(shape) == 1 else f"if y < {finding.array}.shape[0] and ..."
    return f"{start}{ends}{_also(finding)}. Guard it: {guard}."


def _negative(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    verb = VERBS.get(cause.detail, "uses")
    axis = next((i for i, k in enumerate(finding.index) if k < 0), 0)
    wrapped = finding.index[axis] + cause.memory.shape[axis]
    return (
        f"{who(finding.block, finding.thread)} {verb} {_element(finding)}{_also(finding)}. A GPU wraps a negative index "
        f"around, here to {wrapped}, and says nothing. Guard it, or start one element later."
    )


def _race(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    line, block, thread = finding.other
    here = VERBS[sites[cause.site].op if sites[cause.site].op in VERBS else "store"]
    there = VERBS[sites[cause.other[0]].op if sites[cause.other[0]].op in VERBS else "store"]
    same_block, space = block == finding.block, cause.memory.space
    start = (
        f"{who(finding.block, finding.thread)} {here} {_element(finding)}, which {who(block, thread)} {there}"
    )
    start += " in the same statement" if cause.other[0] == cause.site else f" at line {line}"
    if not same_block:
        remedy = "Blocks run in any order: give each block its own element, or use cuda.atomic"
    elif cause.detail == "same warp":
        remedy = (
            "Lanes of a warp are not ordered by themselves: put cuda.syncwarp() between, or use cuda.atomic"
        )
    elif space == "shared":
        remedy = "Nothing orders the two: put cuda.syncthreads() between"
    else:
        remedy = "Nothing orders the two: use cuda.atomic, or give each thread its own element"
    if line == finding.line and same_block:
        remedy += ", or use cuda.atomic" if "cuda.atomic" not in remedy else ""
    return f"{start}{_also(finding, 'threads meet this')[:-4] + ')' if finding.count > 1 else ''}. {remedy}."


def _uninitialised(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    kind = "shared memory starts" if cause.memory.space == "shared" else "a local array starts"
    return (
        f"{who(finding.block, finding.thread)} reads {_element(finding)} before any thread has written it"
        f"{_also(finding)}. On a GPU {kind} with whatever was there before. Write it first"
        + (", then cuda.syncthreads()." if cause.memory.space == "shared" else ".")
    )


def _read_only(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    return (
        f"{who(finding.block, finding.thread)} writes {_element(finding)}, an input that must stay as it is"
        f"{_also(finding)}. Write to the output array instead."
    )


def _barrier(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    arrived, threads, returned = cause.detail
    gone = ", which has already returned" if returned else ""
    blocks = f" ({finding.count:,} blocks do this)" if finding.count > 1 else ""
    return (
        f"{arrived} of {threads} threads of block {_tuple(finding.block)} reach this barrier{blocks}; the first one missing "
        f"is thread {_tuple(finding.thread)}{gone}. On a GPU the block hangs or goes on with wrong data. Move the barrier "
        "out of the branch, so that every thread of the block reaches it."
    )


def _warp_sync(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    if cause.detail[0] == "mask":
        _, mask, absent = cause.detail
        return (
            f"the mask {mask:#x} names lane {absent} ({who(finding.block, finding.thread)}), which is not here"
            f"{_also(finding)}. Every lane in the mask must execute this: move it out of the branch, or name only the lanes "
            "that are here."
        )
    _, lane, source = cause.detail
    return (
        f"lane {lane} ({who(finding.block, finding.thread)}) reads from lane {source}, which takes no part"
        f"{_also(finding)}: the value is undefined. Let all 32 lanes run the shuffle."
    )


WRITERS = {
    "out-of-bounds": _outside,
    "negative-index": _negative,
    "race": _race,
    "uninitialised-read": _uninitialised,
    "read-only-write": _read_only,
    "barrier-divergence": _barrier,
    "warp-sync": _warp_sync,
}
