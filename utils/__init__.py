"""From Warps to Clusters: what the course's notebooks import.

``connect()`` chooses the real or the simulated GPU, ``simt`` profiles kernels, and ``check_setup()`` makes sure that
this package is the one a notebook sees. Everything else is imported from its room: ``utils.plot``, ``utils.timing``,
``utils.checks``.
"""

from utils import simt
from utils.setup_check import check_setup
from utils.simt import connect

__all__ = ["check_setup", "connect", "simt"]
