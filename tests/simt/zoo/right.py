"""Every right kernel of the zoo: no findings, on either engine, and the oracle's result."""

from tests.simt.zoo import control, elementwise, patterns, shared, warps
from tests.simt.zoo.case import Case

RIGHT: list[Case] = [*elementwise.CASES, *control.CASES, *shared.CASES, *patterns.CASES, *warps.CASES]
BY_NAME: dict[str, Case] = {case.name: case for case in RIGHT}
