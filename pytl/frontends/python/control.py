"""`if`, loops, and SPMD regions."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...diagnostics import Label
from ...ir.values import Region, Value
from ...lang.collective import foreach, parallel
from ...lang.loops import unroll
from ...lang.traced import Shape, is_unknown
from ...ops import Foreach, Parallel
from .expressions import entries
from .frame import Binding, Failed, Frame, Names_, Unbound, statement
from .guards import without_guards
from .loops import bound_type, for_range, forget, typed_bound, unrolled
from .merge import Branch, Joint, join
from .names import Names, bound_names, identifier
from .rules import CALL_ARGUMENTS, LOOP, REBOUND_IN_SPMD, STATEMENT
from .static_loops import known_range, or_static, static_items, static_loop
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
    return Unbound("is bound in one branch of an if only", f"give {name} a value before the if", place)


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
    callee = frame.known(call.func) if isinstance(call, ast.Call) else None
    if isinstance(call, ast.Call) and callee is unroll:
        _unrolled(frame, node, call, live)
    elif isinstance(call, ast.Call) and (callee is range or (callee is reversed and _is_range(frame, call))):
        for_range(frame, node, call, live, {})
    elif isinstance(call, ast.Call) and callee is foreach:
        _foreach(frame, node, call)
    else:
        static_loop(frame, node, static_items(frame, call), live)


def _is_range(frame: Frame, call: ast.Call) -> bool:
    """Whether `reversed(…)` is around a range."""
    inner = call.args[0] if len(call.args) == 1 else None
    return isinstance(inner, ast.Call) and frame.known(inner.func) is range


def _unrolled(frame: Frame, node: ast.For, call: ast.Call, live: Names) -> None:
    call, attributes = unrolled(frame, call)
    backwards = frame.known(call.func) is reversed
    bounds = call.args[0].args if backwards and call.args and isinstance(call.args[0], ast.Call) else call.args
    state = frame.state()
    items = known_range([frame.evaluate(bound) for bound in bounds], backwards) if attributes["unroll"] else None
    frame.restore(state)  # the loop evaluates its bounds itself
    or_static(frame, node, items, live, lambda: for_range(frame, node, call, live, attributes))


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
    # a mode of literals alone is counted as the others are
    types = [bound_type([first, last, *lists[0], *lists[1]]) for first, last in zip(*lists)]
    start, stop = (
        [typed_bound(frame, item, type_, at) for item, type_ in zip(items, types)]
        for items, at in zip(lists, nodes, strict=True)
    )
    names = {}
    for position, target in enumerate(targets):
        if not isinstance(target, ast.Name):
            frame.fail(LOOP, "a loop's variable is a name", target)
        place = frame.place(target)
        variable = Value(types[position], identifier(target.id), place)
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
            frame.report(STATEMENT, "with is used with parallel() only", head, "write with parallel():")
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
                f"{name} is bound again inside {where}",
                at,  # type: ignore[arg-type]
                "use another name; store values that later code needs in memory",
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
    forget(frame, new, after, where, "store the computed values in memory")
