"""What every test may use.

Nothing is imported here but pytest and the standard library: `make gpu-test` runs with the Python at hand.
"""

import os
from pathlib import Path

import pytest

# Figures are drawn, never shown; on two cores two workers with one thread each are fastest.
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def project() -> Path:
    """The folder that holds utils/, course/ and solutions/."""
    return Path(__file__).resolve().parent.parent
