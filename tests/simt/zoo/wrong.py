"""Every wrong kernel of the zoo, with the findings that it must draw."""

from tests.simt.zoo import wrong_memory, wrong_order
from tests.simt.zoo.case import Wrong

WRONG: list[Wrong] = [*wrong_memory.WRONG, *wrong_order.WRONG]
