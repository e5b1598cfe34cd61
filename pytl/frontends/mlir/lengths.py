"""How many operations a function becomes once its calls are inlined, counted before one of them is written."""

from __future__ import annotations

from collections.abc import Mapping

from ...mlir.text import Operation

MAX_OPERATIONS = 100_000


class Lengths:
    """The lengths of a module's functions.

    Functions that call each other twice, and conditions of loops within such conditions, double the length with each
    line of a text. So a length is counted once for each function, and no farther than the limit.
    """

    def __init__(self, functions: Mapping[str, Operation]) -> None:
        self._functions = functions
        self._known: dict[str, int] = {}

    def is_too_long(self, name: str) -> bool:
        """Whether a function has more operations than a module may have.

        What a function calls is counted before it; one that calls itself is told elsewhere.
        """
        started: set[str] = set()
        waiting = [(name, False)]
        while waiting:
            each, is_ready = waiting.pop()
            if is_ready:
                self._known[each] = self._length(self._functions[each])
            elif each not in started and each not in self._known:
                started.add(each)
                waiting.append((each, True))
                callees = {op.callee for op in self._functions[each].walk()}
                waiting += [(callee, False) for callee in callees if callee in self._functions]
        return self._known[name] > MAX_OPERATIONS

    def _length(self, function: Operation) -> int:
        length = 0
        waiting = [(function, 1)]
        while waiting and length <= MAX_OPERATIONS:
            op, times = waiting.pop()
            length += times * (1 + self._known.get(op.callee, 0))
            for number, region in enumerate(op.regions):
                # the condition of a loop is written once more behind the loop
                again = 2 * times if op.name == "scf.while" and number == 0 else times
                waiting += [(inner, again) for block in region.blocks for inner in block.operations]
        return min(length, MAX_OPERATIONS + 1)
