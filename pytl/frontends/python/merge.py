"""Joins the values of two branches: both regions of an `if` yield each value that differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...diagnostics import Label, Location
from ...ir.types import ScalarType, Type, bool_
from ...ir.values import Region, Value
from ...ops import If, Yield
from ...ops.control import CARRIED as CARRIED_TYPES
from ...process.records import dataclass
from ..lang.casts import common
from ..lang.literals import name_of_call
from ..lang.rules import LITERAL_TYPE
from ..lang.traced import ABSENT, Choice, Literal, describe, is_literal, is_number, is_python, is_unknown
from .frame import UNKNOWN, Failed, Frame
from .names import identifier
from .rules import CARRIED, ONE_TYPE
from .source import Positioned


@dataclass(frozen=True)
class Branch:
    """The two regions of an `if`."""

    then: Region
    otherwise: Region


@dataclass(frozen=True)
class Joint:
    """The value of a name or of an expression in either branch, and its place."""

    name: str | None
    then: Any
    then_location: Location
    otherwise: Any
    otherwise_location: Location


Pick = Callable[[list[Value]], Any]


def join(frame: Frame, node: Positioned, condition: Value, branch: Branch, joints: list[Joint]) -> list[Any]:
    """Add the `if` with its regions, and return the value of each joint after it."""
    return _Join(frame, node, condition, branch).run(joints)


class _Join:
    def __init__(self, frame: Frame, node: Positioned, condition: Value, branch: Branch) -> None:
        self.frame = frame
        self.node = node
        self.condition = condition
        self.branch = branch
        self.joints: list[Joint] = []
        self.then: list[Value] = []
        self.otherwise: list[Value] = []

    def run(self, joints: list[Joint]) -> list[Any]:
        picks = [self._pick(joint) for joint in joints]
        then, otherwise = self.branch.then, self.branch.otherwise
        if self.then:
            location = self.frame.location_of(self.node)
            then.operations.append(Yield(location, yielded=self.then))
            otherwise.operations.append(Yield(location, yielded=self.otherwise))
        if not then.operations and not otherwise.operations:
            return [pick([]) for pick in picks]  # a branch on nothing
        operation = self.frame.emit(
            If,
            self.node,
            [value.type for value in self.then],
            condition=self.condition,
            then_body=then,
            else_body=otherwise if otherwise.operations else None,
        )
        for value, joint in zip(operation.results, self.joints, strict=True):
            if joint.name:
                value.name, value.location = identifier(joint.name), joint.then_location
        return [pick(operation.results) for pick in picks]

    def _pick(self, joint: Joint) -> Pick:
        try:
            return self._plan(joint)
        except Failed:
            return lambda results: UNKNOWN

    def _plan(self, joint: Joint) -> Pick:
        a, b = joint.then, joint.otherwise
        if is_unknown(a) or is_unknown(b):
            return lambda results: UNKNOWN
        if a is b or _same_constant(a, b):
            return lambda results: a
        if (a is ABSENT and is_python(b)) or (b is ABSENT and is_python(a)):
            return lambda results: a if b is ABSENT else b
        if isinstance(a, tuple) and b is ABSENT:
            b = (ABSENT,) * len(a)
        elif isinstance(b, tuple) and a is ABSENT:
            a = (ABSENT,) * len(b)
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            pieces = [
                self._pick(Joint(joint.name, x, joint.then_location, y, joint.otherwise_location))
                for x, y in zip(a, b, strict=True)
            ]
            return lambda results: tuple(pick(results) for pick in pieces)
        if is_literal(a) and is_literal(b) and not (isinstance(a, bool) and isinstance(b, bool)):
            return self._choice(joint, a, b)
        type_ = self._type(joint)
        with self.frame.builder.into(self.branch.then.operations):
            first = self._value(joint, a, type_)
        with self.frame.builder.into(self.branch.otherwise.operations):
            second = self._value(joint, b, type_)
        position = len(self.then)
        self.then.append(first)
        self.otherwise.append(second)
        self.joints.append(joint)
        return lambda results: results[position]

    def _choice(self, joint: Joint, a: Literal, b: Literal) -> Pick:
        """One of several literals; the conditions inside of a branch are yielded."""
        if is_unknown(self.condition):
            return lambda results: UNKNOWN
        picks = [
            self._literal(joint, item, other) for item, other in ((a, lambda c: (c, False)), (b, lambda c: (False, c)))
        ]
        return lambda results: Choice(self.condition, picks[0](results), picks[1](results))

    def _literal(self, joint: Joint, item: Literal, sides: Callable[[Value], tuple[Any, Any]]) -> Pick:
        """A literal of one branch; `sides` puts a condition of this branch beside anything for the other one."""
        if not isinstance(item, Choice):
            return lambda results: item
        then, otherwise = sides(item.condition)
        condition = self._plan(Joint(None, then, joint.then_location, otherwise, joint.otherwise_location))
        then, otherwise = (self._literal(joint, part, sides) for part in (item.then, item.otherwise))
        return lambda results: Choice(condition(results), then(results), otherwise(results))

    def _type(self, joint: Joint) -> Type:
        name = joint.name or "this"
        items = (joint.then, joint.otherwise)
        types = [item.type for item in items if isinstance(item, Value)]
        if not types and isinstance(joint.then, bool) and isinstance(joint.otherwise, bool):
            return bool_
        literals = [item for item in items if is_literal(item)]
        is_absent = joint.then is ABSENT or joint.otherwise is ABSENT
        if not types and literals and len(literals) + is_absent == len(items):
            self.frame.fail(
                LITERAL_TYPE,
                f"nothing gives {name}, {describe(literals[0])}, a type here",
                self.node,
                f"name the type: {name_of_call(literals[0])}",
            )
        fits = len(types) == 1 and (len(literals) == 1 or is_absent)
        if not types or not (fits or (len(types) == 2 and types[0] == types[1])):
            self.frame.fail(
                ONE_TYPE,
                f"{name} is {describe(joint.then)} if the condition holds, else {describe(joint.otherwise)}",
                self.node,
                _tuples_help(items) or _cast_help(types),
                self._labels(joint),
            )
        if not CARRIED_TYPES.admits(types[0]):
            if is_absent:
                refuse_return(self.frame, joint.otherwise if joint.then is ABSENT else joint.then, self.node)
                raise Failed
            self.frame.fail(
                CARRIED,
                f"{name} is a different {types[0]} in either branch",
                self.node,
                "use it inside the branches",
                self._labels(joint),
            )
        return types[0]

    def _labels(self, joint: Joint) -> list[Label]:
        if joint.name is None:
            return []
        return [
            Label(joint.then_location, f"{joint.name} is {describe(joint.then)}"),
            Label(joint.otherwise_location, f"{joint.name} is {describe(joint.otherwise)}"),
        ]

    def _value(self, joint: Joint, item: Any, type_: Type) -> Value:
        if item is ABSENT:
            return self.frame.zero(type_, self.node)
        return self.frame.typed(item, type_, self.node)


def refuse_return(frame: Frame, item: Any, node: Positioned) -> None:
    """Report that a return in a loop gives something that no loop carries."""
    if isinstance(item, Choice):
        frame.untyped(item, node)
    advice = "return a number or a tuple of numbers, such as the index of what was found"
    frame.report(CARRIED, f"a return in a loop gives {describe(item)}", node, advice)


def _same_constant(a: Any, b: Any) -> bool:
    # 0.0 equals -0.0, but is another number
    return type(a) is type(b) and (is_number(a) or isinstance(a, str)) and repr(a) == repr(b)


def _tuples_help(items: Sequence[Any]) -> str | None:
    if all(isinstance(item, (tuple, list)) for item in items):
        return "write tuples of one length, which are joined item by item"
    return None


def _cast_help(types: list[Type]) -> str | None:
    if len(types) == 2 and all(CARRIED_TYPES.admits(t) for t in types):
        numbers = [type_ for type_ in types if isinstance(type_, ScalarType)]
        wide = common(numbers) if len(numbers) == 2 else None
        if wide is None:
            return "make them one type"
        return f"cast {'one of them' if wide in types else 'both of them'}: {wide}(…)"
    if len(types) == 2:
        return "use each of them inside its branch"
    return None
