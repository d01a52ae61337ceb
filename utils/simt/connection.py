"""Connecting `numba.cuda` to the simulated GPU, in place.

A learner writes ``kernel[grid, block](...)``. Where there is a GPU, that stays as it is, and only a `watching` block
sees a simulated twin of each launch first. Where there is none, the launch itself is simulated. Both happen at one
point: the configuration that ``kernel[grid, block]`` makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from numba import config, cuda

from utils.simt import device, hostapi, limits, magic, raises, signatures, texts
from utils.simt.launch import run
from utils.simt.report import LaunchError, Report
from utils.simt.source import python_function
from utils.simt.staging import on_host

_find_gpu = cuda.is_available
_watchers: list[list[Report]] = []
_connected: Device | None = None


@dataclass(frozen=True)
class Device:
    """What kernels run on.

    Attributes
    ----------
    name : str
    simulated : bool
    """

    name: str
    simulated: bool

    def __str__(self) -> str:
        if self.simulated:
            return f"{self.name}: no NVIDIA GPU here, so kernels run on the CPU with every access checked."
        return f"{self.name}: kernels run on the GPU; simt.profile shows what each access does."


def connect() -> Device:
    """Connect `numba.cuda` to this machine's GPU, or to the simulated one, and print which.

    It patches `numba.cuda` in place, needs no environment variable, and may come before or after
    ``from numba import cuda``. Calling it again changes nothing.

    Returns
    -------
    Device
    """
    global _connected
    if _connected is None:
        _connected = _patch()
    magic.register(inspect)
    print(_connected)
    return _connected


def has_gpu() -> bool:
    """Whether there is an NVIDIA GPU that Numba can use."""
    return not _stock_simulator() and bool(_find_gpu())


@contextmanager
def inspect() -> Iterator[list[Report]]:
    """Collect a `Report`, with every check on, for each launch in the with block."""
    reports: list[Report] = []
    _watchers.append(reports)
    try:
        yield reports
    finally:
        # By identity: two lists that hold the same reports are equal.
        _watchers[:] = [watcher for watcher in _watchers if watcher is not reports]


def _stock_simulator() -> bool:
    """Whether NUMBA_ENABLE_CUDASIM put Numba's own simulator in the place of `numba.cuda`."""
    return bool(getattr(config, "ENABLE_CUDASIM", False))


class Configured:
    """``kernel[grid, block, stream, shared_bytes]``, ready to be called; `real` launches on a GPU."""

    def __init__(
        self, kernel: Any, grid: Any, block: Any, shared_bytes: int, real: Callable[..., Any] | None = None
    ) -> None:
        self.kernel, self.grid, self.block, self.shared_bytes, self.real = (
            kernel,
            grid,
            block,
            shared_bytes,
            real,
        )

    def __call__(self, *arguments: Any) -> None:
        """Launch."""
        if self.real is None:
            arguments = tuple(self._prepared(argument) for argument in arguments)
            self._simulate(arguments, bool(_watchers))
            return
        if _watchers:
            with on_host(arguments, keep=True) as copies:
                self._simulate(copies, True)
        self.real(*arguments)

    def _prepared(self, argument: Any) -> Any:
        """Return an argument as the extensions of the kernel's dispatcher make it."""
        for extension in getattr(self.kernel, "extensions", ()):
            _, argument = extension.prepare_args(None, argument, stream=0, retr=[])
        return argument

    def _simulate(self, arguments: tuple[Any, ...], watched: bool) -> None:
        report = run(
            self.kernel,
            self.grid,
            self.block,
            arguments,
            shared_bytes=self.shared_bytes,
            count=watched,
            check=watched,
            debug=raises.tells_the_host(self.kernel) and not watched,
        )
        if watched:
            for reports in _watchers:
                reports.append(report)
        elif not _of_numba(self.kernel):
            for finding in report.findings:
                print(f"{report.kernel}: {finding.kind}: {finding.message}")
        endless = [finding for finding in report.findings if finding.kind == "budget"]
        if endless and not watched:
            raise LaunchError(endless[0].message, report)


def _of_numba(kernel: Any) -> bool:
    """Whether a kernel is one of Numba's own, such as ``cuda.reduce`` launches: nobody here could mend it."""
    return (getattr(python_function(kernel), "__module__", None) or "").startswith("numba.")


def _patch() -> Device:
    if _stock_simulator():
        _patch_simulator()
        return Device("Simulated GPU", True)
    from numba.cuda import dispatcher

    launcher: Any = dispatcher.CUDADispatcher
    if has_gpu():
        _watch_launches(launcher)
        name = cuda.get_current_device().name
        return Device(name.decode() if isinstance(name, bytes) else str(name), False)
    launcher.configure = lambda self, griddim, blockdim, stream=0, sharedmem=0: Configured(
        self, griddim, blockdim, sharedmem
    )
    launcher.__getitem__ = _getitem
    launcher.forall = _forall
    cuda.jit = _lazy(cuda.jit)
    for name, replacement in (hostapi.REPLACEMENTS | device.REPLACEMENTS).items():
        setattr(cuda, name, replacement)
    return Device("Simulated GPU", True)


def _getitem(self: Any, configuration: Any) -> Configured:
    if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
        raise ValueError("a launch needs at least [grid, block]; stream and shared bytes may follow")
    return self.configure(*configuration)


def _forall(self: Any, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Any:
    """Return a launcher with one thread for each task; 256 threads a block unless told otherwise."""
    if ntasks < 0:
        raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
    if ntasks == 0:
        return lambda *arguments: None
    threads = tpb or min(256, limits.MAX_THREADS_PER_BLOCK)
    return Configured(self, -(-ntasks // threads), threads, sharedmem)


def _lazy(jit: Callable[..., Any]) -> Callable[..., Any]:
    """Keep eager signatures of ``cuda.jit`` for the launch: compiling at once would need a GPU's driver."""

    def decorate(func_or_sig: Any = None, *args: Any, **options: Any) -> Any:
        if callable(func_or_sig) and not hasattr(func_or_sig, "return_type"):
            return jit(func_or_sig, *args, **options)
        make = jit(*args, **options)

        def declare(function: Any) -> Any:
            kernel = make(function)
            signatures.remember(kernel, func_or_sig)
            return kernel

        return declare

    return decorate


def _watch_launches(dispatcher: Any) -> None:
    real = dispatcher.configure

    def configure(self: Any, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0, *more: Any) -> Any:
        launch = real(self, griddim, blockdim, stream, sharedmem, *more)
        return Configured(self, griddim, blockdim, sharedmem, launch) if _watchers else launch

    dispatcher.configure = configure


def _patch_simulator() -> None:
    texts.keep()
    from numba.cuda.errors import normalize_kernel_dimensions
    from numba.cuda.simulator import kernel

    fake: Any = kernel.FakeCUDAKernel
    stock = fake.__call__

    def call(self: Any, *arguments: Any) -> Any:
        if getattr(self, "_device", False):
            return stock(self, *arguments)
        grid, block = normalize_kernel_dimensions(self.grid_dim, self.block_dim)
        return Configured(self, grid, block, self.dynshared_size)(*arguments)

    fake.__call__, fake.forall = call, _forall
    cuda.jit = _lazy(cuda.jit)
