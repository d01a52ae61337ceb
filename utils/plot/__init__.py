"""The figures of the course, drawn from traces, reports and timings; each carries its alternative text.

``thread_map`` shows which threads of a launch store and which are idle, ``access_map`` which sectors a warp's
request moves, ``timing_bars`` times with their spread, ``counter_bars`` the counters of several reports.
"""

from utils.plot.bars import counter_bars, timing_bars
from utils.plot.launches import thread_map
from utils.plot.memory import access_map, select
from utils.plot.picture import Picture, picture

__all__ = ["Picture", "access_map", "counter_bars", "picture", "select", "thread_map", "timing_bars"]
