"""All tests in this folder are marked `gpu`; where there is no CUDA device they are skipped with a word."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def why_not() -> str:
    """Say what is missing for real launches, or nothing."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") != "0":
        return "NUMBA_ENABLE_CUDASIM is set: Numba would simulate, and there would be nothing to compare with"
    try:
        from numba import cuda
    except Exception as error:
        return f"numba.cuda cannot be imported: {error}"
    if getattr(cuda, "is_available", lambda: False)():
        return ""
    return "no CUDA device: real launches cannot be compared with simulated ones here"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    ours = [item for item in items if HERE in item.path.parents]
    reason = why_not() if ours and "not gpu" not in config.option.markexpr else ""
    for item in ours:
        item.add_marker(pytest.mark.gpu)
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))
