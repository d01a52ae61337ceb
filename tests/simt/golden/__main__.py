"""Store the golden reports anew."""

from tests.simt.golden import write

write()
