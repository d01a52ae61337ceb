"""The simulated device, as `numba.cuda` describes one: its name, and the published limits it stands by.

Limits are those of one real GPU (`utils.gpus`), named in the device's own name. Clock and memory are not simulated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from utils import gpus

MODEL = gpus.get("A100")
LIMITS = MODEL.limits


class SimulatedDevice:
    """What ``cuda.get_current_device()`` returns; attributes are named as Numba names a device's."""

    id = 0
    name = f"Simulated GPU with the limits of an {MODEL.name}"
    compute_capability = tuple(int(part) for part in MODEL.compute_capability.split("."))
    COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = compute_capability
    WARP_SIZE = LIMITS.warp_size
    MULTIPROCESSOR_COUNT = MODEL.sms
    MAX_THREADS_PER_BLOCK = LIMITS.max_threads_per_block
    MAX_THREADS_PER_MULTI_PROCESSOR = LIMITS.max_threads_per_sm
    MAX_BLOCK_DIM_X, MAX_BLOCK_DIM_Y, MAX_BLOCK_DIM_Z = LIMITS.max_block_dim
    MAX_GRID_DIM_X, MAX_GRID_DIM_Y, MAX_GRID_DIM_Z = LIMITS.max_grid_dim
    MAX_REGISTERS_PER_BLOCK = LIMITS.max_registers_per_block
    MAX_SHARED_MEMORY_PER_BLOCK = (LIMITS.shared_kb_per_block_static or 0) * 1024

    def reset(self) -> None:
        """Forget everything: nothing is kept."""

    def __repr__(self) -> str:
        return f"<{self.name}>"


class SimulatedContext:
    """What ``cuda.current_context()`` returns."""

    device = SimulatedDevice()

    def synchronize(self) -> None:
        """Wait for the device, which is never behind."""

    @contextmanager
    def defer_cleanup(self) -> Iterator[None]:
        """Put off freeing device memory: nothing to do here."""
        yield


def current_device() -> SimulatedDevice:
    """Return the simulated device."""
    return SimulatedContext.device


def current_context(devnum: int | None = None) -> SimulatedContext:
    """Return the context of the simulated device."""
    _only_one(devnum)
    return SimulatedContext()


def select_device(device_id: int) -> SimulatedContext:
    """Choose a device; there is one, number 0."""
    _only_one(device_id)
    return SimulatedContext()


def list_devices() -> list[SimulatedDevice]:
    """Return all devices."""
    return [current_device()]


def detect() -> bool:
    """Print the devices, as Numba does; return whether there is one."""
    device = current_device()
    print("Found 1 CUDA devices")
    print(f"id {device.id}  {device.name}  [SIMULATED]  compute capability {MODEL.compute_capability}")
    return True


def _only_one(number: int | None) -> None:
    if number not in (None, 0):
        raise IndexError(f"there is one simulated device, number 0, and no number {number}")


REPLACEMENTS: dict[str, Any] = {
    "get_current_device": current_device,
    "current_context": current_context,
    "select_device": select_device,
    "list_devices": list_devices,
    "gpus": [current_device()],
    "detect": detect,
    "close": lambda: None,
}
