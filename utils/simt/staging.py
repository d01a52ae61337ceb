"""Arrays on a real device, seen from the host for the time of a simulated launch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from utils.simt.arguments import host_array


@contextmanager
def on_host(arguments: tuple[Any, ...], keep: bool = False) -> Iterator[tuple[Any, ...]]:
    """Give the arguments of a launch as host arrays; write stores back at the end, unless `keep`.

    Parameters
    ----------
    arguments : tuple
        Anything a kernel takes, also real device arrays and CUDA tensors.
    keep : bool
        Keep the originals as they are: every array is a copy.
    """
    staged = [(argument, _copy(argument, keep)) for argument in arguments]
    yield tuple(copy for _, copy in staged)
    if not keep:
        for original, copy in staged:
            if copy is not original:
                _write_back(original, copy)


def _copy(argument: Any, keep: bool) -> Any:
    simulated = host_array(argument) if not _is_cuda_tensor(argument) else None
    if simulated is not None and hasattr(argument, "copy_to_host"):
        return simulated.copy(order="K") if keep else argument
    if hasattr(argument, "copy_to_host"):
        return argument.copy_to_host()
    if _is_cuda_tensor(argument):
        return argument.detach().cpu().numpy()
    if hasattr(argument, "detach"):
        return argument.detach().clone() if keep else argument
    return argument.copy(order="K") if keep and isinstance(argument, np.ndarray) else argument


def _write_back(original: Any, copy: np.ndarray) -> None:
    if hasattr(original, "copy_to_device"):
        original.copy_to_device(copy)
    else:
        import torch  # loaded already: the original is one of its tensors

        original.detach().copy_(torch.from_numpy(copy))


def _is_cuda_tensor(argument: Any) -> bool:
    return type(argument).__module__.partition(".")[0] == "torch" and getattr(argument, "is_cuda", False)
