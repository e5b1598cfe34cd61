"""`for` over a range: the loop of the language, with the names that it carries."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from ...diagnostics import Label
from ...ir.types import MemrefType, ScalarType, Type, index
from ...ir.values import Region, Value
from ...lang.casts import cast_to, common
from ...lang.function import KernelFunction
from ...lang.literals import name_of_call
from ...lang.loops import unroll
from ...lang.rules import LITERAL_TYPE
from ...lang.traced import Choice, describe, is_literal, is_unknown
from ...ops import For, Yield
from ...ops.control import CARRIED as CARRIED_TYPES
from .calls import bind_arguments
from .carried import inferred
from .frame import UNKNOWN, Binding, Failed, Frame, Names_, Unbound
from .guards import without_guards
from .names import Names, bound_names, identifier, live_before, live_in_loop, target_names
from .ranges import Counting, counting, range_of
from .rules import CARRIED, LOOP, ONE_PATH, ONE_TYPE


def unrolled(frame: Frame, call: ast.Call) -> tuple[ast.Call, dict[str, Any]]:
    """The loop's range, and its attributes, of `unroll(range(n), request)`."""
    assert isinstance(unroll, KernelFunction)
    bound = bind_arguments(frame, unroll, call)
    loop = bound["loop"]
    if not isinstance(loop, ast.Call) or frame.known(loop.func) not in (range, reversed):
        frame.fail(LOOP, f"{ast.unparse(loop)} can't be unrolled", loop, "write for i in unroll(range(n))")
    wanted = frame.known(bound["request"]) if "request" in bound else True
    if not isinstance(wanted, int) or (not isinstance(wanted, bool) and not 0 < wanted < 1 << 63):
        message = f"request of unroll is {describe(wanted)}, not True, False or a positive integer"
        frame.fail(LOOP, message, bound["request"])
    return loop, {"unroll": wanted}


def for_range(frame: Frame, node: ast.For, call: ast.Call, live: Names, attributes: dict[str, Any]) -> None:
    """Trace a loop over a range as a `for`."""
    call, backwards = range_of(frame, call)
    items = [frame.evaluate(argument) for argument in call.args]
    if not isinstance(node.target, ast.Name):
        frame.fail(LOOP, "a loop over a range has one variable", node.target, "write for i in range(n)")
    counts = counting(frame, call, items, bound_type(items), typed_bound, backwards)

    found = frame.builder.diagnostics.count
    carried = _carried(frame, node, live, counts)
    counter = _counter(frame, node.target, counts)
    arguments = [Value(v.type, identifier(name), v.location) for name, v in carried.items()]
    region = Region("mixed", [counter, *arguments])
    before = frame.names
    frame.names = dict(before)
    for name, argument in zip(carried, arguments, strict=True):
        frame.names[name] = Binding(argument, before[name].place)
    with frame.builder.into(region.operations):
        _iteration(frame, node, live, counter, counts)
        yielded = [_next(frame, name, arg, before[name]) for name, arg in zip(carried, arguments, strict=True)]
        if yielded:
            frame.emit(Yield, node, yielded=yielded)
    after, frame.names = frame.names, before
    if frame.builder.diagnostics.count == found:
        for name, value in carried.items():
            binding = frame.bound(name)
            if value is UNKNOWN and binding is not None and not is_unknown(binding.value):
                _initial(frame, name, binding, node, None)  # reports that nothing gives it a type
    nodes = [call, *call.args] if len(items) == 1 else list(call.args)
    spans = {part: frame.place(at) for part, at in zip(("start", "stop", "step"), nodes, strict=False)}
    operation = frame.emit(
        For,
        node.iter,
        [value.type for value in arguments],
        spans,
        start=counts.start,
        stop=counts.stop,
        step=counts.step,
        inits=list(carried.values()),
        body=region,
        attributes=attributes,
    )
    for name, result in zip(carried, operation.results, strict=True):
        result.name = identifier(name)
        result.location = frame.place(node.target) if name not in after else after[name].place
        frame.names[name] = Binding(result, result.location)
    advice = "give {} a value before the loop, so that the loop carries it"
    lost = [name for name in bound_names(node.body) if name not in carried]
    forget(frame, lost, after, "the loop", advice)
    frame.names[node.target.id] = Unbound(
        "is a loop's variable, which ends with the loop",
        "assign the value to another name",
        frame.place(node.target),
    )


def _counter(frame: Frame, target: ast.Name, counts: Counting) -> Value:
    """The loop's counter, as the first argument of its body."""
    counter = Value(counts.type_, None if counts.variable else identifier(target.id), frame.place(target))
    frame.builder.learn_range(counter, counts.start, counts.stop)
    return counter


def _iteration(frame: Frame, node: ast.For, live: Names, counter: Value, counts: Counting) -> None:
    """Trace the body, with the loop's variable bound."""
    assert isinstance(node.target, ast.Name)
    frame.names[node.target.id] = Binding(counter, frame.place(node.target))
    if counts.variable:
        frame.bind(node.target.id, counts.variable(counter), node.target)
    frame.execute(without_guards(node.body, ast.Continue), live_in_loop(node, live))


def bound_type(items: Sequence[Any]) -> Type:
    """The type of a loop's variable: that of the first bound that has one, else index."""
    types = [item.type for item in items if isinstance(item, Value)]
    return next((t for t in types if isinstance(t, ScalarType) and t.is_integer), index)


def typed_bound(frame: Frame, item: Any, type_: Type, node: ast.expr) -> Value:
    """A bound of a loop as a value of the type of the loop's variable. Other objects are reported, and give unknown."""
    if is_unknown(item):
        return UNKNOWN
    if isinstance(item, Value):
        if item.type != type_:
            advice = (
                f"cast it: {cast_to(type_, ast.unparse(node), item.type)}"
                if isinstance(item.type, ScalarType)
                else None
            )
            frame.report(LOOP, f"a bound is {item.type}, but the loop's variable is {type_}", node, advice)
            return UNKNOWN
        return item
    if not isinstance(item, Choice) and (isinstance(item, bool) or not isinstance(item, int)):
        frame.report(LOOP, f"a bound is {describe(item)}, not an integer", node)
        return UNKNOWN
    return frame.typed(item, type_, node)


def _carried(frame: Frame, node: ast.For, live: Names, counts: Counting) -> dict[str, Value]:
    """The names that the body rebinds and that are read afterwards, with their values before the loop."""
    wanted = live | live_before(node.body, frozenset())
    bindings = {
        name: binding
        for name in bound_names(node.body)
        if name in wanted and name not in target_names(node.target) and (binding := frame.bound(name)) is not None
    }

    def attempt() -> None:
        assert isinstance(node.target, ast.Name)
        _iteration(frame, node, live, _counter(frame, node.target, counts), counts)

    types = inferred(frame, node, bindings, attempt)
    carried = {}
    for name, binding in bindings.items():
        if name in types and types[name] is None:
            carried[name] = UNKNOWN  # the body says why, else `for_range` does
        else:
            carried[name] = _initial(frame, name, binding, node, types.get(name))
    return carried


def _initial(frame: Frame, name: str, binding: Binding, node: ast.For, type_: Type | None) -> Value:
    """The initial value of a carried name, a literal as a number of the type; unknown where it can't be carried."""
    item = binding.value
    if isinstance(item, Value) and (is_unknown(item) or CARRIED_TYPES.admits(item.type)):
        return item
    if is_literal(item) and (isinstance(item, bool) or type_ is not None):
        return frame.typed(item, type_, node.target)
    label = Label(binding.place, f"{name} is {describe(item)}")
    if is_literal(item):
        shown = describe(item) if isinstance(item, Choice) else f"the literal {item}"
        # often an integer literal is the start of a sum of floating numbers
        others = f", or f32({item}), as the loop needs it" if isinstance(item, int) else ""
        frame.report(
            LITERAL_TYPE,
            f"the loop carries {name}, and nothing gives {shown} a type",
            node.iter,
            f"name the type: {name} = {name_of_call(item)}{others}",
            [label],
        )
    else:
        frame.builder.want_static()
        advice = "use another name in the loop"
        if isinstance(item, Value) and isinstance(item.type, MemrefType):
            advice = f"write {name}[:] = … to change its elements; a loop over static_range(n) may exchange tensors"
        frame.report(
            CARRIED,
            f"the loop rebinds {name}, which is {describe(item)}",
            node.iter,
            advice,
            [label],
        )
    return UNKNOWN


def _next(frame: Frame, name: str, argument: Value, before: Binding | Unbound) -> Value:
    """The value that an iteration passes on under a name."""
    found = frame.names.get(name)
    if not isinstance(found, Binding):
        reason = found.reason if found else "has no value"
        frame.builder.diagnostics.report(
            ONE_PATH,
            f"{name} {reason}, so that the next iteration has no value",
            before.place,
            "use another name",
        )
        return argument
    item = found.value
    if is_unknown(argument) or (is_unknown(item) and isinstance(item, Value)):
        return argument
    if is_literal(item):
        try:
            return frame.typed(item, argument.type, found.place)
        except Failed:
            return argument
    if not isinstance(item, Value) or item.type != argument.type:
        frame.builder.diagnostics.report(
            ONE_TYPE,
            f"{name} is {argument.type} before the loop, but {describe(item)} after an iteration",
            found.place,
            _advice_on_type(name, argument, item),
            [Label(before.place, f"{name} is {argument.type}")],
        )
        return argument
    return item


def _advice_on_type(name: str, argument: Value, item: Any) -> str:
    """How a name gets one type in all iterations: the wider of its types before the loop and after an iteration."""
    types = [argument.type, item.type if isinstance(item, Value) else None]
    if not all(isinstance(type_, ScalarType) for type_ in types):
        return "use another name in the loop"
    wide = common([type_ for type_ in types if isinstance(type_, ScalarType)])
    if wide is None or wide == argument.type:
        return f"cast it: {name} = {cast_to(argument.type, '…', item.type)}"
    return f"begin with {wide}, {name} = {wide}(…) before the loop" + (
        "" if wide == item.type else f", and cast what the iteration gives: {name} = {wide}(…)"
    )


def forget(frame: Frame, names: Iterable[str], after: Names_, where: str, advice: str) -> None:
    """Names that were bound inside a region can't be used after it."""
    for name in names:
        if name in after:
            reason = f"is bound inside {where} only"
            frame.names[name] = Unbound(reason, advice.format(name), after[name].place)
