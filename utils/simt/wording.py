"""The sentences of findings: what happened, who, which number, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

from utils.simt.report import Dim3, Finding

if TYPE_CHECKING:
    from utils.simt.diagnosis import Cause
    from utils.simt.memory import Memory
    from utils.simt.program import SiteInfo

VERBS = {"load": "reads", "store": "writes", "atomic": "updates"}


def sentence(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    """Return the message of a finding.

    Parameters
    ----------
    finding : Finding
        Complete but for its message.
    cause : utils.simt.diagnosis.Cause
    sites : list of SiteInfo
    """
    told = WARP_KINDS[finding.kind](finding, cause) if finding.kind in WARP_KINDS else _of_array(finding, cause, sites)
    return f"line {finding.line}, {finding.source.rstrip(':')}: {told}"


def who(block: Dim3 | None, thread: Dim3 | None) -> str:
    """Name a thread."""
    return f"thread {_tuple(thread)} of block {_tuple(block)}"


def _of_array(finding: Finding, cause: Cause, sites: list[SiteInfo]) -> str:
    memory, index = cause.memory, finding.index or ()
    if memory is None:
        raise ValueError(f"a finding of kind {finding.kind} needs an array")
    if finding.kind == "race":
        return _race(finding, cause, memory, sites)
    return ARRAY_KINDS[finding.kind](finding, memory, index, VERBS.get(cause.detail, "uses"))


def _outside(finding: Finding, memory: Memory, index: tuple[int, ...], verb: str) -> str:
    start = f"{who(finding.block, finding.thread)} {verb} {_element(finding)}"
    if len(memory.shape) == 1:
        ends = f", which ends at {memory.shape[0] - 1}" if memory.shape[0] else ", which is empty"
        guard = f"if i < {finding.array}.size"
    else:
        axis = next((i for i, (k, n) in enumerate(zip(index, memory.shape, strict=True)) if not -n <= k < n), 0)
        ends = f"; its dimension {axis} ends at {memory.shape[axis] - 1}"
        guard = f"if y < {finding.array}.shape[0] and x < {finding.array}.shape[1]"
    return f"{start}{ends}{_also(finding)}. Guard it: {guard}."


def _negative(finding: Finding, memory: Memory, index: tuple[int, ...], verb: str) -> str:
    axis = next((i for i, k in enumerate(index) if k < 0), 0)
    return (
        f"{who(finding.block, finding.thread)} {verb} {_element(finding)}{_also(finding)}. A GPU wraps a negative "
        f"index around, here to {index[axis] + memory.shape[axis]}, and says nothing. Guard it, or start one later."
    )


def _uninitialised(finding: Finding, memory: Memory, index: tuple[int, ...], verb: str) -> str:
    shared = memory.space == "shared"
    start = "Shared memory starts" if shared else "A local array starts"
    remedy = "Write it first, then cuda.syncthreads()." if shared else "Write it first."
    return (
        f"{who(finding.block, finding.thread)} reads {_element(finding)} before any thread has written it"
        f"{_also(finding)}. {start} with whatever was there before. {remedy}"
    )


def _read_only(finding: Finding, memory: Memory, index: tuple[int, ...], verb: str) -> str:
    return (
        f"{who(finding.block, finding.thread)} writes {_element(finding)}, an input that must stay as it is"
        f"{_also(finding)}. Write to the output array instead."
    )


def _race(finding: Finding, cause: Cause, memory: Memory, sites: list[SiteInfo]) -> str:
    if finding.other is None or cause.other is None:
        raise ValueError("a race needs two accesses")
    line, block, thread = finding.other
    here = VERBS.get(sites[cause.site].op, "writes")
    there = VERBS.get(sites[cause.other[0]].op, "writes")
    where = "in the same statement" if line == finding.line else f"at line {line}"
    others = f" ({finding.count:,} threads meet this)" if finding.count > 1 else ""
    return (
        f"{who(finding.block, finding.thread)} {here} {_element(finding)}, which {who(block, thread)} {there} {where}"
        f"{others}. {_remedy(finding, block, memory, cause.detail == 'same warp')}."
    )


def _remedy(finding: Finding, other_block: Dim3, memory: Memory, same_warp: bool) -> str:
    if other_block != finding.block:
        return "Blocks run in any order: give each block its own element, or use cuda.atomic"
    same_statement = finding.other is not None and finding.other[0] == finding.line
    if same_warp and same_statement:
        return "Lanes of a warp run it at once: use cuda.atomic, or give each thread its own element"
    if same_warp:
        return "Lanes of a warp are not ordered by themselves: put cuda.syncwarp() between the two, or use cuda.atomic"
    if memory.space == "shared":
        return "Nothing orders the two: put cuda.syncthreads() between them, or use cuda.atomic"
    return "Nothing orders the two: give each thread its own element, or use cuda.atomic"


def _barrier(finding: Finding, cause: Cause) -> str:
    arrived, threads, returned = cause.detail
    gone = ", which has already returned" if returned else ""
    blocks = f" ({finding.count:,} blocks do this)" if finding.count > 1 else ""
    return (
        f"{arrived} of {threads} threads of block {_tuple(finding.block)} reach this barrier{blocks}; the first one "
        f"missing is thread {_tuple(finding.thread)}{gone}. On a GPU the block hangs or goes on with wrong data. "
        "Move the barrier out of the branch, so that every thread of the block reaches it."
    )


def _warp_sync(finding: Finding, cause: Cause) -> str:
    what, *numbers = cause.detail
    thread = who(finding.block, finding.thread)
    if what == "mask":
        mask, absent = numbers
        return (
            f"the mask {mask:#x} names lane {absent} ({thread}), which does not come here{_also(finding)}. Every lane "
            "in the mask must execute this: move it out of the branch, or name only the lanes that come."
        )
    lane, source = numbers
    return (
        f"lane {lane} ({thread}) reads from lane {source}, which takes no part{_also(finding)}: the value is "
        "undefined. Let all 32 lanes run the shuffle."
    )


def _tuple(values: tuple[int, ...] | None) -> str:
    return "(" + ",".join(map(str, values or ())) + ")"


def _element(finding: Finding) -> str:
    return f"{finding.array}[{', '.join(map(str, finding.index or ()))}]"


def _also(finding: Finding) -> str:
    return f" ({finding.count:,} threads do)" if finding.count > 1 else ""


ARRAY_KINDS = {
    "out-of-bounds": _outside,
    "negative-index": _negative,
    "uninitialised-read": _uninitialised,
    "read-only-write": _read_only,
}
WARP_KINDS = {"barrier-divergence": _barrier, "warp-sync": _warp_sync}
