"""Which blocks all ways to a block lead through."""

from __future__ import annotations

from collections.abc import Sequence


def dominators(successors: Sequence[Sequence[int]]) -> list[int | None]:
    """For each node the one that dominates it immediately; the first node's is itself, and None where none leads."""
    order, seen, stack = [], {0}, [(0, iter(successors[0]))]
    while stack:
        node, rest = stack[-1]
        following = next((n for n in rest if n not in seen), None)
        if following is None:
            order.append(node)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(successors[following])))
    rank = {node: position for position, node in enumerate(order)}
    before: list[list[int]] = [[] for _ in successors]
    for node in order:
        for following in successors[node]:
            before[following].append(node)
    immediate: list[int | None] = [None] * len(successors)
    immediate[0] = 0
    changed = True
    while changed:
        changed = False
        for node in reversed(order[:-1]):
            known = [each for each in before[node] if immediate[each] is not None]
            new = known[0]
            for other in known[1:]:
                new = _common_dominator(new, other, immediate, rank)
            if immediate[node] != new:
                immediate[node], changed = new, True
    return immediate


def _common_dominator(left: int, right: int, immediate: Sequence[int | None], rank: dict[int, int]) -> int:
    while left != right:
        while rank[left] < rank[right]:
            left = immediate[left] or 0
        while rank[right] < rank[left]:
            right = immediate[right] or 0
    return left
