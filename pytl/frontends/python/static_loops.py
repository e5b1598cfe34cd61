"""Loops that are unrolled while the kernel is traced: over tuples, `zip`, `enumerate`, and `static_range`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ..lang.traced import is_python
from .builder import StaticRequired
from .frame import Binding, Frame
from .names import Names, live_in_loop, target_names
from .rules import STATIC
from .sequences import MAX_ITEMS, Items
from .statements import assign


def static_loop(frame: Frame, node: ast.For, items: Items, live: Names) -> None:
    """Trace the body once for each item. As in Python, the loop's names keep their last values."""
    if items.count is not None and items.count > MAX_ITEMS:
        advice = "write for i in range(n), which is a loop at run time"
        message = f"the loop has {items.count} iterations, and at most {MAX_ITEMS} are unrolled while tracing"
        frame.fail(STATIC, message, node.iter, advice)
    live_again = live_in_loop(node, live)
    early_exits = frame.early_exits.get(node)
    for position, item in enumerate(items.items):
        flag = frame.bound(early_exits.flag) if early_exits else None
        if flag is not None and flag.value is False:
            break  # as everything is known while tracing
        after, body = live if position + 1 == items.count else live_again, node.body
        if early_exits and live.intersection(target_names(node.target)):
            frame.names[early_exits.item], body = Binding(item, frame.location_of(node.iter)), early_exits.body
        else:
            assign(frame, node.target, item, node.iter)
        frame.execute(body, after)


def or_static(frame: Frame, node: ast.For, items: range | None, live: Names, trace: Callable[[], None]) -> None:
    """Trace a loop with a request to unroll as a loop at run time, or unroll it here where its body needs that.

    `items` are the values of the loop's variable, None where they are not known while tracing. The body needs them
    where it takes an entry of a tuple by the variable, or exchanges tensors from one iteration to the next.
    """
    if items is None:
        trace()
        return
    state = frame.state()
    try:
        with frame.builder.may_be_static():
            trace()
    except StaticRequired:
        frame.restore(state)
        static_loop(frame, node, Items(iter(items), len(items)), live)


def known_range(bounds: Sequence[Any], backwards: bool) -> range | None:
    """The values of a loop's variable, from the arguments of its range; None where they are known at run time only."""
    if not 1 <= len(bounds) <= 3 or not all(is_python(b) and type(b) is int for b in bounds) or bounds[2:] == [0]:
        return None
    items = range(*bounds)
    return items[::-1] if backwards else items
