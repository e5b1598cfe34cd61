"""Loops that are unrolled while the kernel is traced: over tuples, `zip`, `enumerate`, and `static_range`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import MemrefType
from ...ir.values import Value
from ...lang.loops import static_range
from ...lang.traced import Shape, describe, is_python, is_unknown
from .builder import StaticWanted
from .expressions import entries
from .frame import Binding, Failed, Frame
from .names import Names, live_in_loop, target_names
from .rules import LENGTHS, LOOP, STATIC
from .statements import assign

MOST = 4096
"""The largest number of iterations that are unrolled: a longer loop is a mistake, or takes minutes to compile."""
BUILTINS = (zip, enumerate, reversed, static_range)
"""The functions that may enclose the sequences of a loop that is unrolled while tracing."""


def static_loop(frame: Frame, node: ast.For, items: Sequence[Any], live: Names) -> None:
    """Trace the body once for each item. As in Python, the loop's names keep their last values."""
    if len(items) > MOST:
        advice = "write for i in range(n), which is a loop at run time"
        message = f"the loop has {len(items)} iterations, and at most {MOST} are unrolled while tracing"
        frame.fail(STATIC, message, node.iter, advice)
    again = live_in_loop(node, live)
    leaving = frame.leaving.get(node)
    for position, item in enumerate(items):
        going = frame.bound(leaving.flag) if leaving else None
        if going is not None and going.value is False:
            break  # as everything is known while tracing
        after, body = again if position + 1 < len(items) else live, node.body
        if leaving and live.intersection(target_names(node.target)):
            frame.names[leaving.item], body = Binding(item, frame.place(node.iter)), leaving.kept
        else:
            assign(frame, node.target, item, node.iter)
        frame.execute(body, after)


def or_static(frame: Frame, node: ast.For, items: Sequence[Any] | None, live: Names, trace: Callable[[], None]) -> None:
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
    except StaticWanted:
        frame.restore(state)
        static_loop(frame, node, items, live)


def static_items(frame: Frame, node: ast.expr) -> tuple[Any, ...]:
    """The items of the sequence of a loop that is unrolled while tracing."""
    if isinstance(node, ast.Call):
        callee = frame.known(node.func)
        if callee in (*BUILTINS, range):
            return _of_call(frame, node, callee)
    item = frame.known(node)
    if is_unknown(item):
        raise Failed
    if isinstance(item, (tuple, list, range, Shape)):
        return tuple(_bounded(frame, item, node)) if isinstance(item, range) else entries(frame, item, node)
    advice = "write for i in range(n), for i, j in foreach((0, 0), (m, n)), or a tuple: for A in (B, C)"
    if isinstance(item, Value) and isinstance(item.type, MemrefType):
        advice = f"write for i in range({ast.unparse(node)}.shape[0]), and take {ast.unparse(node)}[i]"
    frame.fail(LOOP, f"{ast.unparse(node)} can't be looped over", node, advice)


def _of_call(frame: Frame, node: ast.Call, callee: Any) -> tuple[Any, ...]:
    name = ast.unparse(node.func)
    if callee is range or callee is static_range:
        return tuple(_bounded(frame, _range(frame, node, name), node))
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if callee is zip:
        is_strict = frame.known(named.pop("strict")) if "strict" in named else True
        sequences = [static_items(frame, argument) for argument in _positional(frame, node, named)]
        return _zipped(frame, node, sequences, bool(is_strict))
    start = frame.known(named.pop("start")) if callee is enumerate and "start" in named else 0
    first, *more = _positional(frame, node, named)
    if callee is enumerate and len(more) == 1:
        start, more = frame.known(more[0]), []
    if more:
        frame.fail(LOOP, f"{name} takes one sequence", node)
    if isinstance(start, bool) or not isinstance(start, int):
        frame.fail(STATIC, f"enumerate starts at {describe(start)}", node, "it starts at a Python integer")
    items = static_items(frame, first)
    return items[::-1] if callee is reversed else tuple(enumerate(items, start))


def _positional(frame: Frame, node: ast.Call, named: dict[str | None, ast.expr]) -> list[ast.expr]:
    name = ast.unparse(node.func)
    if named or not node.args:
        words = ", ".join(str(word) for word in named)
        what = f"has no parameter {words}" if named else "takes a sequence, such as a tuple"
        frame.fail(LOOP, f"{name} {what}", node)
    starred = next((argument for argument in node.args if isinstance(argument, ast.Starred)), None)
    if starred is not None:
        frame.fail(LOOP, f"there is no * in {name}(…)", starred, "name each sequence")
    return node.args


def _zipped(frame: Frame, node: ast.Call, sequences: Sequence[tuple[Any, ...]], is_strict: bool) -> tuple[Any, ...]:
    lengths = [len(items) for items in sequences]
    if is_strict and len(set(lengths)) > 1:
        shown = f"{', '.join(map(str, lengths[:-1]))} and {lengths[-1]}"
        advice = "give them the same length, or write zip(…, strict=False) to end with the shortest"
        frame.fail(LENGTHS, f"the sequences of zip have {shown} items", node, advice)
    return tuple(zip(*sequences))


def _range(frame: Frame, node: ast.Call, name: str) -> range:
    bounds = [frame.known(argument) for argument in node.args]
    if node.keywords or not 1 <= len(bounds) <= 3:
        frame.fail(LOOP, f"{name} takes one to three arguments: start, stop, step", node)
    for bound, at in zip(bounds, node.args):
        if isinstance(bound, bool) or not isinstance(bound, int):
            advice = "a loop at run time is for i in range(n)"
            frame.fail(STATIC, f"a bound of {name} is {describe(bound)}, not a Python integer", at, advice)
    if len(bounds) == 3 and bounds[2] == 0:
        frame.fail(LOOP, "the step is zero", node.args[2])
    return range(*bounds)


def _bounded(frame: Frame, items: range, node: ast.expr) -> range:
    if len(items) > MOST:
        message = f"the range has {len(items)} numbers, and at most {MOST} iterations are unrolled while tracing"
        frame.fail(STATIC, message, node, "write for i in range(n), which is a loop at run time")
    return items


def known_range(bounds: Sequence[Any], backwards: bool) -> range | None:
    """The values of a loop's variable, from the arguments of its range; None where they are known at run time only."""
    if not 1 <= len(bounds) <= 3 or not all(is_python(b) and type(b) is int for b in bounds) or bounds[2:] == [0]:
        return None
    items = range(*bounds)
    return items[::-1] if backwards else items
