"""Would this kernel compile? Asked without a toolkit and without a driver.

Twice: of our own type inference (`typing_pass`), which names the learner's line, and of Numba's, which sees the kernel
as a whole. Numba's needs a driver where a kernel calls device functions and some intrinsics: then it is "unknown".
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numba
from numba.core import errors

from utils.simt.arguments import host_array
from utils.simt.launch import accept
from utils.simt.numba_types import numba_type, types
from utils.simt.report import Finding, LaunchError
from utils.simt.source import KernelSource, Unsupported, python_function, read

COMPUTE_CAPABILITY = (8, 0)  # asked for so that inference does not ask a driver for the device's


@dataclass(frozen=True)
class Inference:
    """What Numba says of a kernel and the types of its arguments.

    Attributes
    ----------
    findings : list of Finding
        Of kind "not-on-gpu": why it would not compile. Empty if it would, or if that is unknown.
    known : bool
        Whether inference came to an end.
    variables : dict
        The Numba type of each of the kernel's variables, by name.
    """

    findings: list[Finding]
    known: bool
    variables: dict[str, Any]


def typecheck(kernel: Any, *args: Any) -> list[Finding]:
    """Ask Numba whether a kernel would compile for these arguments.

    Parameters
    ----------
    kernel : dispatcher or function
    *args
        As for a launch; only their types count.

    Returns
    -------
    list of Finding
        Empty if it would compile, or where only a driver could tell.
    """
    try:
        accept(kernel, 1, 32, args).infer()
    except LaunchError as error:
        return [] if error.report is None else error.report.findings
    except Unsupported:  # the lane engine's own limits say nothing about compiling
        pass
    return infer(kernel, *args).findings


def accidental_float64(kernel: Any, *args: Any) -> list[str]:
    """Return the variables that are float64 although no argument is: the work of a literal or of an integer.

    Parameters are those of `typecheck`. Empty where inference is unknown.
    """
    given = [getattr(_typeof(arg), "dtype", _typeof(arg)) for arg in args]
    if types.float64 in given or types.float32 not in given:
        return []
    wide = (types.float64, types.complex128)
    return sorted(name for name, kind in infer(kernel, *args).variables.items() if kind in wide)


def infer(kernel: Any, *args: Any) -> Inference:
    """Run Numba's CUDA type inference over a kernel."""
    source = read(kernel)
    function = python_function(kernel)
    signature = tuple(_typeof(arg) for arg in args)
    descriptor = import_module("numba.cuda.descriptor").cuda_target
    context, target = descriptor.typing_context, descriptor.target_context
    frontend, passes = _stages()
    try:
        context.refresh()
        intermediate = frontend(function)
        with _compiling():
            found = passes.type_inference_stage(context, target, intermediate, signature, None)
    except errors.NumbaError as error:
        if "driver" in str(error).lower():
            return Inference([], False, {})
        return Inference([_finding(source, error)], True, {})
    except Exception as error:
        if type(error).__name__ in ("CudaSupportError", "NvvmSupportError"):
            return Inference([], False, {})
        raise
    types_of = {name.partition(".")[0]: kind for name, kind in found[0].items() if not name.startswith(("$", "arg."))}
    return Inference([], True, types_of)


def _typeof(value: Any) -> Any:
    array = host_array(value)
    if array is None:
        return numba.typeof(value)
    layout = "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "A"
    return types.Array(numba_type(array.dtype), array.ndim, layout, readonly=not array.flags.writeable)


def _stages() -> tuple[Any, Any]:
    try:  # numba-cuda carries its own copies
        return import_module("numba.cuda.compiler").run_frontend, import_module("numba.cuda.core.typed_passes")
    except (ImportError, AttributeError):
        return import_module("numba.core.compiler").run_frontend, import_module("numba.core.typed_passes")


def _compiling() -> AbstractContextManager[Any]:
    """Return the context in which Numba believes that it compiles for a CUDA device."""
    try:
        flags = import_module("numba.cuda.flags").CUDAFlags()
        configuration = import_module("numba.cuda.core.targetconfig").ConfigStack()
    except ImportError:
        flags = import_module("numba.cuda.compiler").CUDAFlags()
        configuration = import_module("numba.core.targetconfig").ConfigStack()
    flags.compute_capability = COMPUTE_CAPABILITY
    stack = ExitStack()
    stack.enter_context(import_module("numba.core.target_extension").target_override("cuda"))
    stack.enter_context(configuration.enter(flags))
    return stack


def _finding(source: KernelSource, error: errors.NumbaError) -> Finding:
    place = getattr(error, "loc", None)
    lines = re.findall(r"\((\d+)\)\s*$", str(error), re.MULTILINE)
    line = place.line if place is not None else int(lines[-1]) if lines else source.first_line
    plain = re.sub(r"\x1b\[\d+m", "", str(error))
    plain = re.sub(
        r"Function\(<\S+ (?:function )?(\S+?)(?: at 0x\w+)?>\)", r"\1", plain
    )  # no address: the same every run
    told = [text.strip() for text in plain.splitlines() if text.strip() and not _is_noise(text)]
    statement = source.statement(line)
    reason = told[0].removesuffix(" found for signature:") if told else type(error).__name__
    return Finding("not-on-gpu", line, statement, f"line {line}, {statement}: this would not compile: {reason}")


def _is_noise(text: str) -> bool:
    return text.strip().startswith(("Failed in", "During:", "File ", "There are", ">>>", "- Of which", "<source"))
