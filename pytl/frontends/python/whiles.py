"""`while`: a loop that is counted, as far as something bounds its iterations, or one that is unrolled while tracing."""

from __future__ import annotations

import ast
from typing import Any

from ...ir.types import ScalarType, bool_, index
from ...ir.values import Region, Value
from ...ops import ArithUnary
from ...ops.builder import Builder
from ...ops.constants import constant_of
from ...ops.debug import Require
from ..iterations import Count, Iteration, counted, rounds
from ..lang.loops import bound
from ..lang.traced import describe, is_literal, is_unknown
from .calls import bind_arguments
from .carried import inferred
from .frame import Binding, Failed, Frame, statement
from .jumps import EarlyExit, with_condition
from .loops import Iterations, counted_loop
from .merge import Branch, Joint, join
from .names import Names, bound_names, live_in_loop
from .ranges import Counting
from .rules import BOUND, UNBOUNDED
from .subscripts import as_index, can_be_index

MAX_UNROLLED = 512
"""A longer loop whose condition is known while tracing is a loop at run time."""


@statement(ast.While)
def _while(frame: Frame, node: ast.While, live: Names) -> None:
    early_exits, limit = frame.early_exits[node], None
    if isinstance(node.test, ast.Call) and frame.known(node.test.func) is bound:
        parts = bind_arguments(frame, bound, node.test)
        limit = parts["most"]
        if node not in frame.without_limit:
            frame.without_limit[node] = with_condition(node, parts["condition"])
            frame.early_exits[frame.without_limit[node]] = early_exits
        node = frame.without_limit[node]
    if _is_unrolled(frame, node, early_exits, live):
        return
    _give_types(frame, node, live)
    if limit is not None:
        maximum = _limit_value(frame, limit)
        _counted_by(frame, node, node.body, live, maximum)
        _check_limit(frame, node, early_exits, limit, maximum, live)
        return
    state = frame.state()
    builder = Builder(frame.location_of(node.test))
    iteration_bound = _examined(frame, node, early_exits, live, builder)
    if iteration_bound is None:
        frame.restore(state)
        frame.diagnose(node.body, bound_names([node]))
        frame.fail(
            UNBOUNDED,
            "nothing tells how many iterations this while has at most",
            node.test,
            f"give a limit: while pytl.bound({ast.unparse(node.test)}, most=1000)",
        )
    count, start = iteration_bound
    maximum = rounds(builder, start, count)
    has_names = bool(bound_names([ast.Expr(node.test)]))
    is_whole = count.is_exact and not early_exits.jumps and not has_names
    if has_names:
        # the condition that ends the loop binds its names, too
        maximum = builder.arith("add", maximum, builder.constant(index, 1))
    frame.builder.operations += builder.operations
    _counted_by(frame, node, early_exits.body if is_whole else node.body, live, maximum)


def _counted_by(frame: Frame, node: ast.While, body: list[ast.stmt], live: Names, maximum: Value) -> None:
    counts = Counting(frame.typed(0, index, node.test), maximum, None, index)
    counted_loop(frame, Iterations(node, node.test, body, None, live, counts), {}, {})


# Loops over what is known while tracing.


def _is_unrolled(frame: Frame, node: ast.While, early_exits: EarlyExit, live: Names) -> bool:
    """Trace a short loop whose condition is known while tracing; False for others, of which nothing is traced."""
    state = frame.state()
    live_again = live_in_loop(node, live)
    for _ in range(MAX_UNROLLED + 1):
        flag = frame.bound(early_exits.flag)
        assert flag is not None
        if flag.value is False:
            return True
        if flag.value is not True:
            break
        diagnostic_count = frame.builder.diagnostics.count
        condition = frame.condition(node.test)
        if is_unknown(condition):
            if frame.builder.diagnostics.count > diagnostic_count:
                frame.diagnose(node.body, bound_names([node]))
            raise Failed
        if not isinstance(condition, bool):
            break
        if not condition:
            return True
        frame.execute(early_exits.body, live_again)
        if frame.builder.diagnostics.count > diagnostic_count:
            raise Failed  # the next iterations would say the same
    frame.restore(state)
    return False


# Loops at run time.


def _give_types(frame: Frame, node: ast.While, live: Names) -> None:
    """Give literals that the loop changes, and that its condition compares, a type.

    That is the type of what they are compared with; where this is an integer literal, too, and the loop does not tell
    a type, they are indices, as the variables of other loops are.
    """
    bound, pending = bound_names(node.body), [node.test]
    counters: list[ast.Name] = []
    while pending:
        test = pending.pop()
        if isinstance(test, ast.BoolOp):
            pending += test.values
        elif isinstance(test, ast.Compare) and len(test.comparators) == 1:
            for name, other in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
                if not isinstance(name, ast.Name) or name.id not in bound or not _is_literal(frame, name.id):
                    continue
                item = _value(frame, other)
                if isinstance(item, Value) and isinstance(item.type, ScalarType):
                    _give_type(frame, name, item.type)
                elif isinstance(item, int):
                    counters.append(name)
    counters = [name for name in counters if _is_literal(frame, name.id)]
    if counters:
        types = inferred(frame, node, _bindings(frame, node), (), lambda: _iterate(frame, node, live)).types
        for name in counters:
            if name.id not in types and isinstance(frame.lookup(name), int):
                _give_type(frame, name, index)


def _is_literal(frame: Frame, name: str) -> bool:
    binding = frame.bound(name)
    return binding is not None and is_literal(binding.value) and not isinstance(binding.value, bool)


def _value(frame: Frame, node: ast.expr) -> Any:
    """What an expression gives; nothing is traced."""
    values: list[Any] = []
    frame.tried({}, lambda: values.append(frame.evaluate(node)))
    return values[0]


def _give_type(frame: Frame, name: ast.Name, type_: ScalarType) -> None:
    binding = frame.names[name.id]
    frame.names[name.id] = Binding(frame.typed(frame.lookup(name), type_, name), binding.location)


def _bindings(frame: Frame, node: ast.While) -> dict[str, Binding]:
    """The names that the loop binds and that have a value before it."""
    return {name: binding for name in bound_names([node]) if (binding := frame.bound(name))}


def _iterate(frame: Frame, node: ast.While, live: Names) -> None:
    frame.execute(node.body, live_in_loop(node, live))


def _examined(
    frame: Frame, node: ast.While, early_exits: EarlyExit, live: Names, builder: Builder
) -> tuple[Count, Value] | None:
    """What bounds the iterations, and the number that it is about, as it is before the loop."""
    bindings = _bindings(frame, node)
    result = inferred(frame, node, bindings, (), lambda: _iterate(frame, node, live))
    inits: dict[str, Value] = {}
    for name, binding in bindings.items():
        type_ = result.types.get(name)
        if isinstance(binding.value, bool):
            continue
        if is_literal(binding.value) and type_ is not None:
            inits[name] = frame.typed(binding.value, type_, node.test)
        elif isinstance(binding.value, Value) and not is_unknown(binding.value):
            inits[name] = binding.value
    carried = {name: Value(value.type) for name, value in inits.items()}
    conditions: list[Any] = []
    operations: list[Any] = []

    def iteration() -> None:
        with frame.builder.into(operations):
            conditions.append(frame.condition(node.test))
            frame.execute(early_exits.body, live_in_loop(node, live))

    stand_ins = {name: Binding(value, bindings[name].location) for name, value in carried.items()}
    after = frame.tried(dict(stand_ins), iteration)
    ends = [after.get(name) for name in carried]
    following = [
        end.value if isinstance(end, Binding) and isinstance(end.value, Value) else Value(index) for end in ends
    ]
    continue_condition = after.get(early_exits.flag)
    goes_on_value = (
        continue_condition.value
        if isinstance(continue_condition, Binding) and isinstance(continue_condition.value, Value)
        else None
    )
    if not isinstance(conditions[0], Value):
        return None
    if is_unknown(conditions[0]):
        raise Failed
    loop = Iteration(list(inits.values()), list(carried.values()), conditions[0], following, operations, goes_on_value)
    count = counted(builder, loop)
    return None if count is None else (count, loop.inits[count.number])


# Limits.


def _limit_value(frame: Frame, limit: ast.expr) -> Value:
    item = frame.known(limit)
    if isinstance(item, int) and not isinstance(item, bool):
        if item >= 0:
            return frame.typed(item, index, limit)
    elif isinstance(item, Value) and (item.type == index or can_be_index(frame, item)):
        return item if item.type == index else as_index(frame, item, limit)
    advice = "give an integer from 0 on, or a value of type index, such as most=100"
    frame.fail(BOUND, f"the limit of a while is {describe(item)}", limit, advice)


def _check_limit(
    frame: Frame, node: ast.While, early_exits: EarlyExit, limit: ast.expr, maximum: Value, live: Names
) -> None:
    """Behind the loop: its condition does not hold, unless something else has ended it. It binds names once more."""
    flag = frame.bound(early_exits.flag)
    assert flag is not None
    has_not_ended = frame.typed(flag.value, bool_, node.test)
    region, before = Region("mixed"), dict(frame.names)
    with frame.builder.into(region.operations):
        condition = frame.condition(node.test)
        if is_unknown(condition):
            return
        constant = constant_of(maximum)
        count = ast.unparse(limit) if constant is None else f"{constant}"
        continue_condition = frame.typed(condition, bool_, node.test)
        ended = frame.compute(ArithUnary, node.test, [bool_], variant="not", a=continue_condition)
        frame.emit(
            Require, node.test, holds=ended, text=f"while: its condition holds after {count} iterations, its limit"
        )
    after, frame.names = frame.names, before
    joints = []
    for name in bound_names([ast.Expr(node.test)]):
        after_binding, before_binding = after.get(name), before.get(name)
        if name in live and isinstance(after_binding, Binding) and isinstance(before_binding, Binding):
            joints.append(
                Joint(name, after_binding.value, after_binding.location, before_binding.value, before_binding.location)
            )
    values = join(frame, node.test, has_not_ended, Branch(region, Region("mixed")), joints)
    for joint, value in zip(joints, values, strict=True):
        frame.names[str(joint.name)] = Binding(value, joint.then_location)
