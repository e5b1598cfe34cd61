"""The reference backend: executes the language as the manual defines it, with NumPy, plain and slow.

It takes any function that the verifier accepts, before any lowering, and is what every other backend is
compared with. `execute` runs a function on views of NumPy buffers; behaviour that the language leaves
undefined is found and told as an `ExecutionError` with a code PYTL-40xx.

memory       what a caller passes: MemrefView, GroupView
interpreter  execute: from work-group to work-group
machine      lanes, values, and the table of executions by instruction class
views        memory with its state, and the access to elements
shadow       the state that tells who accessed an element last
races        data races: where accesses are watched, and the errors
arithmetic, control, accesses, reshape, collectives, sums, subgroups, matrices
             the execution of each instruction, by subject
rules        the rules whose breaking is found here
"""

from ...ops.scalars import dtype_of
from .interpreter import execute
from .memory import GroupView, MemrefView

__all__ = ["GroupView", "MemrefView", "dtype_of", "execute"]
