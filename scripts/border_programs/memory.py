"""Programs about memory; their features stand in the modules that are imported here."""

from . import memory_blocks, memory_calls, memory_heap, memory_layout, memory_reads, memory_sizes, memory_values  # noqa: F401
from .traced import FEATURES, TracedProgram as Program  # noqa: F401
