"""The simulated GPU: real `numba.cuda` kernels, run over all lanes at once on the CPU, every access watched.

``profile`` runs a kernel and returns a `Report`; ``inspect`` does so for each launch in a with block; ``trace`` keeps
everything for pictures. `docs/simt.md` says what is modelled and what is not.
"""

from utils.simt.connection import Device, connect, inspect
from utils.simt.profiling import profile, trace
from utils.simt.recorder import Trace
from utils.simt.report import Finding, KernelNameError, KernelTypeError, LaunchError, Report, Site
from utils.simt.typecheck import accidental_float64, typecheck

__all__ = [
    "Device",
    "Finding",
    "KernelNameError",
    "KernelTypeError",
    "LaunchError",
    "Report",
    "Site",
    "Trace",
    "accidental_float64",
    "connect",
    "inspect",
    "profile",
    "trace",
    "typecheck",
]
