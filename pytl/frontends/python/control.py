"""`if`, loops, and SPMD regions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from ...diagnostics import Label
from ...ir.types import MemrefType, ScalarType, Type, index
from ...ir.values import Region, Value
from ...lang.collective import foreach, parallel
from ...lang.function import KernelFunction
from ...lang.literals import name_of_call
from ...lang.loops import unroll
from ...lang.rules import LITERAL_TYPE
from ...lang.traced import Choice, Shape, describe, is_literal, is_unknown
from ...ops import For, Foreach, Parallel, Yield
from ...ops.control import CARRIED as CARRIED_TYPES
from .calls import bind_arguments
from .expressions import entries
from .frame import UNKNOWN, Binding, Failed, Frame, Names_, Unbound, statement
from .guards import without_guards
from .merge import Branch, Joint, join
from .names import Names, bound_names, identifier, live_before, live_in_loop, target_names
from .ranges import counting, range_of
from .rules import CALL_ARGUMENTS, CARRIED, LOOP, ONE_PATH, ONE_TYPE, REBOUND_IN_SPMD, STATEMENT
from .unsupported import refuse_else


@statement(ast.If)
def _if(frame: Frame, node: ast.If, live: Names) -> None:
    condition = frame.condition(node.test)
    if isinstance(condition, bool):
        frame.execute(node.body if condition else node.orelse, live)
        return
    before = dict(frame.names)
    then, then_names = _branch(frame, node.body, live, before)
    otherwise, otherwise_names = _branch(frame, node.orelse, live, before)
    frame.names = before
    joints = []
    for name in bound_names([*node.body, *node.orelse]):
        a, b = then_names.get(name), otherwise_names.get(name)
        if isinstance(a, Binding) and isinstance(b, Binding):
            if name in live:
                joints.append(Joint(name, a.value, a.place, b.value, b.place))
            else:
                frame.names.pop(name, None)
        elif a is not None or b is not None:
            frame.names[name] = _bound_once(name, a, b)
    values = join(frame, node.test, condition, Branch(then, otherwise), joints)
    for joint, value in zip(joints, values, strict=True):
        assert joint.name is not None
        frame.names[joint.name] = Binding(value, joint.then_place)


def _branch(frame: Frame, body: Sequence[ast.stmt], live: Names, before: Names_) -> tuple[Region, Names_]:
    region = Region("mixed")
    frame.names = dict(before)
    with frame.builder.into(region.operations):
        frame.execute(body, live)
    return region, frame.names


def _bound_once(name: str, a: Binding | Unbound | None, b: Binding | Unbound | None) -> Unbound:
    found = next(x for x in (a, b) if x is not None)
    if isinstance(found, Unbound) and not any(isinstance(x, Binding) for x in (a, b)):
        return found
    place = next(x for x in (a, b) if isinstance(x, Binding)).place
    return Unbound("is bound in one branch of an if only", f"give {name} a value in front of the if", place)


@statement(ast.For)
def _for(frame: Frame, node: ast.For, live: Names) -> None:
    refuse_else(frame, node)
    try:
        _loop(frame, node, live)
    except Failed:
        frame.look_over(without_guards(node.body, ast.Continue), bound_names([node]))
        raise


def _loop(frame: Frame, node: ast.For, live: Names) -> None:
    call = node.iter
    attributes: dict[str, Any] = {}
    callee = frame.evaluate(call.func if isinstance(call, ast.Call) else call)
    if isinstance(call, ast.Call) and callee is unroll:
        call, attributes = _unrolled(frame, call)
        callee = frame.evaluate(call.func)
    if isinstance(call, ast.Call) and (callee is range or callee is reversed):
        _for_range(frame, node, call, live, attributes)
    elif isinstance(call, ast.Call) and callee is foreach:
        _foreach(frame, node, call)
    elif is_unknown(callee):
        raise Failed
    else:
        name = ast.unparse(call.func if isinstance(call, ast.Call) else call)
        frame.report(
            LOOP,
            f"{name} can't be looped over",
            node.iter,
            "write for i in range(n), or for i, j in foreach((0, 0), (m, n))",
        )
        raise Failed


def _unrolled(frame: Frame, call: ast.Call) -> tuple[ast.Call, dict[str, Any]]:
    """The loop's range, and its attributes, of `unroll(range(n), request)`."""
    assert isinstance(unroll, KernelFunction)
    bound = bind_arguments(frame, unroll, call)
    loop = bound["loop"]
    if not isinstance(loop, ast.Call) or frame.known(loop.func) not in (range, reversed):
        frame.fail(LOOP, f"{ast.unparse(loop)} can't be unrolled", loop, "write for i in unroll(range(n))")
    wanted = frame.known(bound["request"]) if "request" in bound else True
    if not isinstance(wanted, bool):
        frame.fail(LOOP, f"request of unroll is {describe(wanted)}, not True or False", bound["request"])
    return loop, {"unroll": wanted}


def _for_range(frame: Frame, node: ast.For, call: ast.Call, live: Names, attributes: dict[str, Any]) -> None:
    call, backwards = range_of(frame, call)
    items = [frame.evaluate(argument) for argument in call.args]
    if not isinstance(node.target, ast.Name):
        frame.fail(LOOP, "a loop over a range has one variable", node.target, "write for i in range(n)")
    counts = counting(frame, call, items, _bound_type(items), _typed_bound, backwards)

    carried = _carried(frame, node, live)
    name = None if counts.variable else identifier(node.target.id)
    counter = Value(counts.type_, name, frame.place(node.target))
    frame.builder.learn_range(counter, counts.start, counts.stop)
    arguments = [Value(v.type, identifier(name), v.location) for name, v in carried.items()]
    region = Region("mixed", [counter, *arguments])
    before = frame.names
    frame.names = dict(before)
    frame.names[node.target.id] = Binding(counter, frame.place(node.target))
    for name, argument in zip(carried, arguments, strict=True):
        frame.names[name] = Binding(argument, before[name].place)
    with frame.builder.into(region.operations):
        if counts.variable:
            frame.bind(node.target.id, counts.variable(counter), node.target)
        frame.execute(without_guards(node.body, ast.Continue), live_in_loop(node, live))
        yielded = [_next(frame, name, arg, before[name]) for name, arg in zip(carried, arguments, strict=True)]
        if yielded:
            frame.emit(Yield, node, yielded=yielded)
    after, frame.names = frame.names, before
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
    advice = "give {} a value in front of the loop, so that it is carried on"
    lost = [name for name in bound_names(node.body) if name not in carried]
    _forget(frame, lost, after, "the loop", advice)
    frame.names[node.target.id] = Unbound(
        "is a loop's variable, which ends with the loop",
        "keep what you need under another name",
        frame.place(node.target),
    )


def _bound_type(items: Sequence[Any]) -> Type:
    """The type of a loop's variable: that of the first bound that has one, else index."""
    types = [item.type for item in items if isinstance(item, Value)]
    return next((t for t in types if isinstance(t, ScalarType) and t.is_integer), index)


def _typed_bound(frame: Frame, item: Any, type_: Type, node: ast.expr) -> Value:
    if is_unknown(item):
        return UNKNOWN
    if isinstance(item, Value):
        if item.type != type_:
            advice = f"cast it: {type_}({ast.unparse(node)})" if isinstance(item.type, ScalarType) else None
            frame.report(LOOP, f"a bound is {item.type}, but the loop's variable is {type_}", node, advice)
            return UNKNOWN
        return item
    if not isinstance(item, Choice) and (isinstance(item, bool) or not isinstance(item, int)):
        frame.report(LOOP, f"a bound is {describe(item)}, not an integer", node)
        return UNKNOWN
    return frame.typed(item, type_, node)


def _carried(frame: Frame, node: ast.For, live: Names) -> dict[str, Value]:
    """The names that the body rebinds and somebody reads afterwards, with their values before the loop."""
    wanted = live | live_before(node.body, frozenset())
    carried = {}
    for name in bound_names(node.body):
        binding = frame.bound(name)
        if binding is None or name in target_names(node.target) or name not in wanted:
            continue
        carried[name] = _initial(frame, name, binding, node)
    return carried


def _initial(frame: Frame, name: str, binding: Binding, node: ast.For) -> Value:
    """What is carried at first; unknown where it can't be carried."""
    item = binding.value
    if isinstance(item, Value) and (is_unknown(item) or CARRIED_TYPES.admits(item.type)):
        return item
    if isinstance(item, bool):
        return frame.typed(item, None, node.target)
    label = Label(binding.place, f"{name} is {describe(item)}")
    if is_literal(item):
        shown = describe(item) if isinstance(item, Choice) else f"the literal {item}"
        # often an integer is where a sum of floating numbers begins
        others = f", or f32({item}), as the loop needs it" if isinstance(item, int) else ""
        frame.report(
            LITERAL_TYPE,
            f"the loop carries {name}, and nothing gives {shown} a type",
            node.iter,
            f"name the type: {name} = {name_of_call(item)}{others}",
            [label],
        )
    else:
        advice = "use another name in the loop"
        if isinstance(item, Value) and isinstance(item.type, MemrefType):
            advice = f"write {name}[:] = … to change its elements, or use another name in the loop"
        frame.report(
            CARRIED,
            f"the loop rebinds {name}, which is {describe(item)}",
            node.iter,
            advice,
            [label],
        )
    return UNKNOWN


def _next(frame: Frame, name: str, argument: Value, before: Binding | Unbound) -> Value:
    """What an iteration passes on under a name."""
    found = frame.names.get(name)
    if not isinstance(found, Binding):
        reason = found.reason if found else "has no value"
        frame.builder.diagnostics.report(
            ONE_PATH,
            f"{name} {reason}, so that the next iteration has none",
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
        castable = isinstance(item, Value) and isinstance(item.type, ScalarType)
        frame.builder.diagnostics.report(
            ONE_TYPE,
            f"{name} is {argument.type} before the loop, but {describe(item)} after an iteration",
            found.place,
            f"cast it: {name} = {argument.type}(…)" if castable else "use another name in the loop",
            [Label(before.place, f"{name} is {argument.type}")],
        )
        return argument
    return item


def _forget(frame: Frame, names: Iterable[str], after: Names_, where: str, advice: str) -> None:
    """Names that were bound inside of a region can't be used behind it."""
    for name in names:
        if name in after:
            reason = f"is bound inside of {where} only"
            frame.names[name] = Unbound(reason, advice.format(name), after[name].place)


# SPMD regions.


def _foreach(frame: Frame, node: ast.For, call: ast.Call) -> None:
    if call.keywords or not 1 <= len(call.args) <= 2:
        frame.fail(CALL_ARGUMENTS, "foreach takes one or two arguments: start, stop", call)
    nodes = list(call.args)
    given = [frame.evaluate(argument) for argument in nodes]
    if any(isinstance(item, Value) and is_unknown(item) for item in given):
        raise Failed
    lists = [
        entries(frame, item, at) if isinstance(item, (tuple, Shape)) else (item,)
        for item, at in zip(given, nodes, strict=True)
    ]
    if len(lists) == 1:
        lists.insert(0, (0,) * len(lists[0]))
        nodes.insert(0, nodes[0])
    targets = list(node.target.elts) if isinstance(node.target, (ast.Tuple, ast.List)) else [node.target]
    if not len(targets) == len(lists[0]) == len(lists[1]):
        frame.report(
            LOOP,
            f"foreach has {len(targets)} variables, {len(lists[0])} first and {len(lists[1])} last bounds",
            call,
            "write for i, j in foreach((0, 0), (m, n))",
        )
        raise Failed
    type_ = _bound_type([*lists[0], *lists[1]])
    start, stop = (
        [_typed_bound(frame, item, type_, at) for item in items] for items, at in zip(lists, nodes, strict=True)
    )
    names = {}
    for position, target in enumerate(targets):
        if not isinstance(target, ast.Name):
            frame.fail(LOOP, "a loop's variable is a name", target)
        place = frame.place(target)
        variable = Value(type_, identifier(target.id), place)
        frame.builder.learn_range(variable, start[position], stop[position])
        names[target.id] = Binding(variable, place)
    region = Region("spmd", [binding.value for binding in names.values()])
    _spmd(frame, node, region, names, "the foreach")
    frame.emit(Foreach, node.iter, start=start, stop=stop, body=region)


@statement(ast.With)
def _with(frame: Frame, node: ast.With, live: Names) -> None:
    item = node.items[0]
    head = item.context_expr
    callee = frame.evaluate(head.func) if isinstance(head, ast.Call) else None
    if not isinstance(head, ast.Call) or callee is not parallel or len(node.items) > 1 or item.optional_vars:
        if not is_unknown(callee):
            frame.report(STATEMENT, "with stands with parallel() alone", head, "write with parallel():")
        frame.look_over(node.body, bound_names(node.body))
        raise Failed
    if head.args or head.keywords:
        frame.report(CALL_ARGUMENTS, "parallel takes no arguments", head, "write with parallel():")
    region = Region("spmd")
    _spmd(frame, node, region, {}, "the parallel region")
    frame.emit(Parallel, head, body=region)


def _spmd(frame: Frame, node: ast.For | ast.With, region: Region, variables: dict[str, Binding], where: str) -> None:
    bound = bound_names([node])
    for name, at in bound.items():
        outer = frame.bound(name)
        if outer is not None:
            frame.report(
                REBOUND_IN_SPMD,
                f"{name} is bound again inside of {where}",
                at,  # type: ignore[arg-type]
                "use another name; what the code behind it needs is stored in memory",
                [Label(outer.place, "bound here")],
            )
    before = frame.names
    frame.names = {**before, **variables}
    body = without_guards(node.body, ast.Continue) if isinstance(node, ast.For) else node.body
    outside, frame.builder.is_spmd = frame.builder.is_spmd, True
    with frame.builder.into(region.operations):
        frame.execute(body, frozenset())
    frame.builder.is_spmd = outside
    after, frame.names = frame.names, before
    new = [name for name in bound if frame.bound(name) is None]
    _forget(frame, new, after, where, "store what you compute there in memory")
