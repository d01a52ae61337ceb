"""A pytest plugin: Numba's own tests, on the simulated GPU."""

import pytest

from utils import connect

connect()


@pytest.fixture(autouse=True, scope="class")
def initialize_from_pytest_config():
    """Stand in for a fixture of Numba's own configuration, which is not installed with it."""
