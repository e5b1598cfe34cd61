"""Lists, dictionaries and sets that a kernel makes while it is traced: where each was made, and how it was changed.

They are Python's own objects, so that aliases, slices and methods are Python's, too. A change is made once, when its
statement is traced. That is right where the instructions around it are executed just when those are that the object
was made among, which is to say: in the same region. In a branch or a loop at run time it would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from ...ir.operation import Operation

KINDS = (list, dict, set)
"""The types of Python whose objects may be changed."""
MutationError = Literal["foreign", "elsewhere", "unsaid"]


class Containers:
    """The objects of one kernel."""

    def __init__(self) -> None:
        self._creation_regions: dict[int, tuple[Any, list[Operation]]] = {}
        self._copies: list[tuple[Any, Any]] = []
        self._is_diagnosing = False

    def remember(self, item: Any, operations: list[Operation]) -> Any:
        """Remember an object that is new, and the instructions among which it was made; returns it."""
        if type(item) in KINDS:
            self._creation_regions[id(item)] = item, operations
        return item

    def has(self, item: Any) -> bool:
        """Whether the kernel has made an object."""
        return id(item) in self._creation_regions

    def refusal(self, item: Any, operations: list[Operation]) -> MutationError | None:
        """Why an object can't be changed among these instructions; None where it can."""
        if self._is_diagnosing:
            return "unsaid"  # the statement is not translated, and why has been said
        if not self.has(item):
            return "foreign"
        return None if self._creation_regions[id(item)][1] is operations else "elsewhere"

    # What was tried can be undone.

    @property
    def changes(self) -> int:
        """The number of changes, for `undo`."""
        return len(self._copies)

    def before_mutation(self, item: Any) -> None:
        """Keep what an object contains, before it is changed."""
        self._copies.append((item, item.copy()))

    def undo(self, changes: int) -> None:
        """Give objects back what they contained when there were so many changes."""
        while len(self._copies) > changes:
            item, copy = self._copies.pop()
            item.clear()
            item.extend(copy) if isinstance(item, list) else item.update(copy)

    @contextmanager
    def no_mutation(self) -> Iterator[None]:
        """Change nothing in the block, which is traced for its diagnostics alone."""
        before, self._is_diagnosing = self._is_diagnosing, True
        try:
            yield
        finally:
            self._is_diagnosing = before
