"""`for` over a range: the loop of the language, with the names that it carries."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from ...diagnostics import Label, Location
from ...ir.types import MemrefType, ScalarType, Type, index
from ...ir.values import Region, Value
from ...ops import For, Yield
from ...ops.control import CARRIED as CARRIED_TYPES
from ...process.records import dataclass
from ..lang.casts import cast_to, common
from ..lang.function import KernelFunction
from ..lang.literals import name_of_call
from ..lang.loops import unroll
from ..lang.rules import LITERAL_TYPE
from ..lang.traced import ABSENT, Choice, describe, is_literal, is_python, is_unknown
from .calls import bind_arguments
from .carried import can_be_carried, inferred
from .frame import UNKNOWN, Binding, Failed, Frame, Names_, Unbound
from .merge import refuse_return
from .names import Names, bound_names, identifier, live_before, live_in_loop
from .ranges import Counting, counting, range_of
from .rules import CARRIED, LOOP, ONE_PATH, ONE_TYPE


def unrolled(frame: Frame, call: ast.Call) -> tuple[ast.Call, dict[str, Any]]:
    """The loop's range, and its attributes, of `unroll(range(n), request)`."""
    assert isinstance(unroll, KernelFunction)
    bound = bind_arguments(frame, unroll, call)
    loop = bound["loop"]
    if not isinstance(loop, ast.Call) or frame.known(loop.func) not in (range, reversed):
        frame.fail(LOOP, f"{ast.unparse(loop)} can't be unrolled", loop, "write for i in unroll(range(n))")
    request = frame.known(bound["request"]) if "request" in bound else True
    if not isinstance(request, int) or (not isinstance(request, bool) and not 0 < request < 1 << 63):
        message = f"request of unroll is {describe(request)}, not True, False or a positive integer"
        frame.fail(LOOP, message, bound["request"])
    return loop, {"unroll": request}


def for_range(frame: Frame, node: ast.For, call: ast.Call, live: Names, attributes: dict[str, Any]) -> None:
    """Trace a loop over a range as a `for`."""
    call, backwards = range_of(frame, call)
    items = [frame.evaluate(argument) for argument in call.args]
    if not isinstance(node.target, ast.Name):
        frame.fail(LOOP, "a loop over a range has one variable", node.target, "write for i in range(n)")
    counts = counting(frame, call, items, bound_type(items), typed_bound, backwards)
    nodes = [call, *call.args] if len(items) == 1 else list(call.args)
    spans = {
        part: frame.location_of(argument_node)
        for part, argument_node in zip(("start", "stop", "step"), nodes, strict=False)
    }
    variable, body, early_exits = node.target.id, node.body, frame.early_exits.get(node)
    if early_exits and variable in live:
        variable, body = early_exits.item, early_exits.body
    counted_loop(frame, Iterations(node, node.iter, body, variable, live, counts), attributes, spans)


@dataclass(frozen=True)
class Iterations:
    """A loop of the source whose iterations are counted."""

    node: ast.For | ast.While
    head: ast.expr
    body: Sequence[ast.stmt]
    variable: str | None
    """The name of the loop's variable in the body."""
    live: Names
    """The names that may be read after the loop."""
    counts: Counting

    @property
    def target(self) -> ast.Name | None:
        """The loop's variable in the source."""
        if isinstance(self.node, ast.While):
            return None
        assert isinstance(self.node.target, ast.Name)
        return self.node.target

    @property
    def bound(self) -> dict[str, ast.AST]:
        """The names that an iteration binds and that may be read after it, with the places of their bindings."""
        names = bound_names(self.body)
        if self.target is not None:
            names.pop(self.target.id, None)
            if self.target.id in self.live:
                names[self.target.id] = self.target
        return names

    def trace(self, frame: Frame, counter: Value) -> None:
        """Trace an iteration, with the loop's variable bound."""
        if self.target is not None:
            assert self.variable is not None
            frame.names[self.variable] = Binding(counter, frame.location_of(self.target))
            if self.counts.variable:
                frame.bind(self.variable, self.counts.variable(counter), self.target)
        frame.execute(self.body, live_in_loop(self.node, self.live))

    def counter(self, frame: Frame) -> Value:
        """The loop's counter, as the first argument of its body."""
        counts = self.counts
        name = None if counts.variable or self.target is None else identifier(self.target.id)
        counter = Value(counts.type_, name, frame.location_of(self.target or self.head))
        frame.builder.learn_range(counter, counts.start, counts.stop)
        return counter

    def is_never_empty(self, frame: Frame) -> bool:
        """Whether the loop has an iteration, whatever its bounds are at run time."""
        counts, intervals = self.counts, frame.builder.intervals
        if is_unknown(counts.start) or is_unknown(counts.stop):
            return False
        return intervals.of(counts.start)[1] < intervals.of(counts.stop)[0]


def counted_loop(frame: Frame, loop: Iterations, attributes: dict[str, Any], spans: dict[str, Location]) -> None:
    """Trace a loop as a `for`, which carries the names that its body binds."""
    node, counts = loop.node, loop.counts
    diagnostic_count = frame.builder.diagnostics.count
    carried, constant = _carried(frame, loop)
    counter = loop.counter(frame)
    arguments = [Value(v.type, identifier(name), v.location) for name, v in carried.items()]
    region = Region("mixed", [counter, *arguments])
    before = frame.names
    frame.names = dict(before)
    locations = {name: _location_of(frame, name, before, loop) for name in carried}
    for name, argument in zip(carried, arguments, strict=True):
        frame.names[name] = Binding(argument, locations[name])
    with frame.builder.into(region.operations):
        loop.trace(frame, counter)
        yielded = [_next(frame, name, arg, locations[name]) for name, arg in zip(carried, arguments, strict=True)]
        if yielded:
            frame.emit(Yield, node if isinstance(node, ast.For) else loop.head, yielded=yielded)
    after, frame.names = frame.names, before
    if frame.builder.diagnostics.count == diagnostic_count:
        for name, value in carried.items():
            binding = frame.bound(name)
            if value is UNKNOWN and binding is not None and not is_unknown(binding.value):
                _initial(frame, name, binding, loop.head, None)  # reports that nothing gives it a type
    operation = frame.emit(
        For,
        loop.head,
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
        result.location = locations[name] if name not in after else after[name].location
        frame.names[name] = Binding(result, result.location)
    for name, item in constant.items():
        frame.names[name] = Binding(item, after[name].location if name in after else locations[name])
    advice = "give {} a value before the loop, so that the loop carries it"
    bound_after = {*carried, *constant}
    unbound_after = [name for name in bound_names(loop.body) if name not in bound_after]
    forget(frame, unbound_after, after, "the loop", advice)
    if loop.target is not None and loop.target.id not in bound_after:
        name = loop.target.id
        frame.names[name] = Unbound(
            "is the variable of a loop that may have no iteration",
            f"give {name} a value before the loop",
            frame.location_of(loop.target),
        )


def _location_of(frame: Frame, name: str, before: Names_, loop: Iterations) -> Location:
    """Where a name was bound before the loop, or is bound in it."""
    return before[name].location if name in before else frame.location_of(loop.bound[name])  # type: ignore[arg-type]


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
                else f"write {ast.unparse(node)}.shape[0]"
                if isinstance(item.type, MemrefType)
                else None
            )
            frame.report(LOOP, f"a bound is {item.type}, but the loop's variable is {type_}", node, advice)
            return UNKNOWN
        return item
    if not isinstance(item, Choice) and (isinstance(item, bool) or not isinstance(item, int)):
        advice = f"write {item.stop}" if isinstance(item, range) and item == range(item.stop) else None
        frame.report(LOOP, f"a bound is {describe(item)}, not an integer", node, advice)
        return UNKNOWN
    return frame.typed(item, type_, node)


def _carried(frame: Frame, loop: Iterations) -> tuple[dict[str, Value], dict[str, Any]]:
    """The names that the body rebinds and that are read afterwards, with their values before the loop.

    The second result has names that are Python objects in and after the loop.
    """
    live = loop.live | live_before(loop.body, frozenset())
    names = [name for name in loop.bound if name in live]
    bindings = {name: binding for name in names if (binding := frame.bound(name)) is not None}
    fresh = {name for name, binding in bindings.items() if binding.value is ABSENT}
    if loop.is_never_empty(frame):
        fresh |= {name for name in names if name not in bindings}
    elif isinstance(loop.node, ast.While):  # its condition is evaluated once at least
        fresh |= bound_names([ast.Expr(loop.head)]).keys() & set(names) - bindings.keys()

    def attempt() -> None:
        loop.trace(frame, loop.counter(frame))

    known = {name: binding for name, binding in bindings.items() if name not in fresh}
    iteration = inferred(frame, loop.node, known, fresh, attempt)
    carried, constant = {}, {}
    for name in names:
        if name in iteration.unchanged_flags:
            constant[name] = bindings[name].value
        elif name in fresh:
            item = iteration.fresh.get(name, ABSENT)
            if can_be_carried(item):
                carried[name] = frame.zero(item.type, loop.head)
            elif is_python(item) and item is not ABSENT:
                constant[name] = item
            elif name in bindings:  # what a return gives
                if item is not ABSENT and not is_unknown(item):
                    returns = (each for each in frame.early_exits[loop.node].jumps if isinstance(each, ast.Return))
                    refuse_return(frame, item, next(returns))
                constant[name] = item if item is ABSENT else UNKNOWN
        elif name in iteration.types and iteration.types[name] is None:
            carried[name] = UNKNOWN  # the body says why, else `counted_loop` does
        elif name in bindings:
            carried[name] = _initial(frame, name, bindings[name], loop.head, iteration.types.get(name))
    return carried, constant


def _initial(frame: Frame, name: str, binding: Binding, head: ast.expr, type_: Type | None) -> Value:
    """The initial value of a carried name, a literal as a number of the type; unknown where it can't be carried."""
    item = binding.value
    if isinstance(item, Value) and (is_unknown(item) or CARRIED_TYPES.admits(item.type)):
        return item
    if is_literal(item) and (isinstance(item, bool) or type_ is not None):
        return frame.typed(item, type_, head)
    label = Label(binding.location, f"{name} is {describe(item)}")
    if is_literal(item):
        shown = describe(item) if isinstance(item, Choice) else f"the literal {item}"
        # often an integer literal is the start of a sum of floating numbers
        others = f", or f32({item}), as the loop needs it" if isinstance(item, int) else ""
        frame.report(
            LITERAL_TYPE,
            f"the loop carries {name}, and nothing gives {shown} a type",
            head,
            f"name the type: {name} = {name_of_call(item)}{others}",
            [label],
        )
    else:
        frame.builder.require_static()
        advice = "use another name in the loop"
        if isinstance(item, Value) and isinstance(item.type, MemrefType):
            advice = f"write {name}[:] = … to change its elements; a loop over static_range(n) may exchange tensors"
        frame.report(
            CARRIED,
            f"the loop rebinds {name}, which is {describe(item)}",
            head,
            advice,
            [label],
        )
    return UNKNOWN


def _next(frame: Frame, name: str, argument: Value, before: Location) -> Value:
    """The value that an iteration passes on under a name."""
    binding = frame.names.get(name)
    if not isinstance(binding, Binding):
        reason = binding.reason if binding else "has no value"
        frame.builder.diagnostics.report(
            ONE_PATH,
            f"{name} {reason}, so that the next iteration has no value",
            before,
            "use another name",
        )
        return argument
    item = binding.value
    if is_unknown(argument) or (is_unknown(item) and isinstance(item, Value)):
        return argument
    if is_literal(item):
        try:
            return frame.typed(item, argument.type, binding.location)
        except Failed:
            return argument
    if not isinstance(item, Value) or item.type != argument.type:
        frame.builder.diagnostics.report(
            ONE_TYPE,
            f"{name} is {argument.type} before the loop, but {describe(item)} after an iteration",
            binding.location,
            _advice_on_type(name, argument, item),
            [Label(before, f"{name} is {argument.type}")],
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
            frame.names[name] = Unbound(reason, advice.format(name), after[name].location)
