"""The reference backend: executes the language as the manual defines it, with NumPy, plain and slow.

It takes any function that the verifier accepts, before any lowering; every other backend is compared with it. `execute`
runs a function on views of NumPy buffers. Behaviour that the language leaves undefined is detected, and reported as an
`ExecutionError` with a code PYTL-40xx.

memory       what a caller passes: MemrefView, GroupView
interpreter  execute: one work-group after the other
machine      lanes, values, and the table of execution functions by instruction class
views        memory with its state, and the access to elements
shadow       the state that tells who accessed an element last
races        data races: where accesses are watched, and the errors
arithmetic, control, accesses, reshape, collectives, subgroups, matrices
             the execution of each instruction, by subject
rules        the rules whose violation is detected here
"""

from ...ops.scalars import dtype_of
from .interpreter import execute
from .memory import GroupView, MemrefView

__all__ = ["GroupView", "MemrefView", "dtype_of", "execute"]
