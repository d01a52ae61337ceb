"""One warm shell for each test worker, and the releases generated once."""

import pytest

from tests.notebooks.shell import Shell
from utils.grading import release


@pytest.fixture(scope="session")
def shell(project):
    """A process that has imported what the assignments import."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (project / "solutions").glob("*/*.ipynb"))
    modules = ["numpy", "matplotlib.pyplot", "numba.cuda", "utils"]
    warm = Shell(modules + ["torch"] * ("import torch" in sources))
    yield warm
    warm.close()


@pytest.fixture(scope="session")
def released(project):
    """Every file of a fresh release by its path below exercises/."""
    return release.generate(project, release.assignments(project))
