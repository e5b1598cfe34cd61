"""The state of tracing: the current region, and a frame for each Python function."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn, TypeVar

from ...diagnostics import Diagnostics, Label, Location, Rule
from ...ir.operation import Operation
from ...ir.types import BoolType, ScalarType, Type, UnknownType, bool_, component_type
from ...ir.values import Region, Value
from ...ops import Constant, If, Yield
from ...ops.constants import zero_of
from ...process.records import dataclass
from ..lang.casts import cast_to, floating_for
from ..lang.literals import literal_of, may_be_constant, name_of_call
from ..lang.rules import LITERAL_TYPE
from ..lang.traced import Choice, Literal, Number, describe, is_collection, is_literal, is_python, is_unknown
from .builder import Builder
from .captures import Captures
from .content import Incomparable
from .jumps import EarlyExit
from .names import Names, bound_names, captured_names, identifier, live_after_each
from .rules import CAPTURED, CONDITION, FOLDING, ONE_PATH, UNDEFINED
from .similar import similar_name
from .source import FunctionSource, Positioned

UNKNOWN = Value(UnknownType())
"""The value of every expression that failed. Expressions that use it are not reported again."""

OperationType = TypeVar("OperationType", bound=Operation)


class Failed(Exception):
    """Unwinds to the place where tracing continues with an unknown value; the problem has been reported."""


@dataclass(frozen=True)
class Binding:
    """The object that a name is bound to, and the place of the binding."""

    value: Any
    location: Location


@dataclass(frozen=True)
class Unbound:
    """A name that is bound on some paths only, and therefore can't be used."""

    reason: str
    help: str
    location: Location


Names_ = dict[str, "Binding | Unbound"]
State = tuple[Names_, int, int, int, bool, bool]
ExpressionHandler = Callable[["Frame", Any], Any]
StatementHandler = Callable[["Frame", Any, Names], None]

EXPRESSIONS: dict[type[ast.expr], ExpressionHandler] = {}
STATEMENTS: dict[type[ast.stmt], StatementHandler] = {}

Handler = TypeVar("Handler", bound=Callable[..., Any])


def expression(kind: type[ast.expr]) -> Callable[[Handler], Handler]:
    """Declare the function that evaluates one kind of expression."""
    return lambda handler: EXPRESSIONS.setdefault(kind, handler)  # type: ignore[return-value]


def statement(kind: type[ast.stmt]) -> Callable[[Handler], Handler]:
    """Declare the function that traces one kind of statement; it also gets the names that are live after it."""
    return lambda handler: STATEMENTS.setdefault(kind, handler)  # type: ignore[return-value]


class Frame:
    """One Python function while it is traced.

    Names that no source has, because they contain a blank or a bracket, stand for objects in pieces of the syntax tree
    that are made while tracing: see `named`.
    """

    def __init__(
        self,
        builder: Builder,
        source: FunctionSource,
        caller: Location | None = None,
        depth: int = 0,
        enclosing: Frame | None = None,
        assigned: Names | None = None,
    ) -> None:
        self.builder = builder
        self.source = source
        self.caller = caller
        self.enclosing = enclosing
        """The frame of the function in which this one is defined; None where that is no part of the kernel."""
        self._assigned = source.assigned if assigned is None else assigned
        self._captured = captured_names(source.definition)
        self.depth = depth
        """The number of inlined calls that enclose this frame."""
        self.names: Names_ = {}
        self.captures: Captures = builder.captures
        """What is read of Python objects is noted here; see `record_read`."""
        self._traversed_node: ast.expr | None = None
        self.discarded: ast.expr | None = None
        """The expression that is a statement, the latest one: nobody uses its value."""
        self.inferred: dict[Any, Any] = {}
        """What is found out about loops, by loop and bindings; see `carried.inferred`."""
        self.early_exits: dict[ast.stmt, EarlyExit] = {}
        """The loops that may end early; see `body`."""
        self.without_limit: dict[ast.While, ast.While] = {}
        """What stands for each `while` that has a limit."""
        function = source.function
        self._closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        self._globals = function.__globals__

    def body(self) -> Sequence[ast.stmt]:
        """The statements of the function, whose jumps are flags and branches."""
        lowered = self.source.of_called if self.depth else self.source.of_kernel
        self.early_exits = dict(lowered.early_exits)
        return lowered.statements

    # Places and problems.

    def location_of(self, node: Positioned) -> Location:
        if isinstance(node, Location):
            return node
        return self.source.location_of(node).within(self.source.definition.name, self.caller)

    def report(
        self,
        rule: Rule,
        message: str,
        node: Positioned,
        help: str | None = None,
        labels: Iterable[Label] = (),
    ) -> None:
        self.builder.diagnostics.report(rule, message, self.location_of(node), help, labels)

    def fail(
        self,
        rule: Rule,
        message: str,
        node: Positioned,
        help: str | None = None,
        labels: Iterable[Label] = (),
    ) -> NoReturn:
        """Report a problem and abandon the current expression or statement."""
        self.report(rule, message, node, help, labels)
        raise Failed

    # Names.

    def lookup(self, node: ast.Name) -> Any:
        """The object that a name is bound to, as Python finds it: in the function, the enclosing ones, the module."""
        name = node.id
        binding = self.names.get(name)
        if isinstance(binding, Binding):
            if self.computes_with(node):
                self.record_read(node, self.captures.use, binding.value)
            return binding.value
        if isinstance(binding, Unbound):
            label = Label(binding.location, "bound here")
            self.fail(ONE_PATH, f"{name} {binding.reason}", node, binding.help, [label])
        if name in self._assigned:
            self.fail(UNDEFINED, f"{name} is used before it is assigned", node)
        if self.enclosing is not None:
            self.enclosing._traversed_node = self._traversed_node
            return self.enclosing.lookup(node)
        if name in self._closure:
            try:
                value = self._closure[name].cell_contents
            except ValueError:
                self.fail(UNDEFINED, f"{name} of the enclosing function has no value yet", node)
            self.record_read(node, self.captures.cell, self._closure[name], value, self.computes_with(node))
            return value
        if name in self._globals:
            value = self._globals[name]
            self.record_read(node, self.captures.name, self._globals, name, value, self.computes_with(node))
            return value
        if hasattr(builtins, name):
            self.record_read(node, self.captures.builtin, self._globals, name)
            return getattr(builtins, name)
        names = filter(str.isidentifier, self.names)
        advice = similar_name(name, names, self._closure, self._globals)
        self.fail(UNDEFINED, f"{name} is not defined", node, advice)

    def is_outer(self, name: str) -> bool:
        """Whether a name is one of the module, or of an enclosing function."""
        if name in self._assigned or name in self.names:
            return False
        if self.enclosing is not None:
            return self.enclosing.is_outer(name)
        return name in self._closure or name in self._globals

    def object_of(self, node: ast.expr) -> Any:
        """As `known`, for an object that the kernel goes through: to an attribute, to call it, or to pass it on.

        What is read there is noted, so that the object itself need not be compared by its content.
        """
        self._traversed_node = node
        return self.known(node)

    def passed(self, node: ast.expr) -> Any:
        """As `evaluate`, for an argument of a function that is inlined."""
        self._traversed_node = node
        return self.evaluate(node)

    def computes_with(self, node: ast.expr) -> bool:
        """Whether the kernel computes with the value of an expression, and doesn't just go through it."""
        return node is not self._traversed_node

    def record_read(self, node: ast.expr, record: Callable[..., None], *arguments: Any) -> None:
        """Note what is read of a Python object; report what no later launch can compare."""
        try:
            record(*arguments)
        except Incomparable as error:
            self.fail(
                CAPTURED,
                f"{ast.unparse(node)} is, or contains, a Python {error}, which can't be compared",
                node,
                "use a number, a text, a tuple, a list, an array, or an object of a class with attributes",
            )

    def bind(self, name: str, value: Any, node: Positioned) -> None:
        """Bind a name to a value; the value takes the name, if it has none."""
        location = self.location_of(node)
        if isinstance(value, Value) and value.owner is not None and value.name is None:
            value.name = identifier(name)
            value.location = location
        self.names[name] = Binding(value, location)

    def bound(self, name: str) -> Binding | None:
        binding = self.names.get(name)
        if binding is None and self.enclosing is not None and name not in self._assigned:
            return self.enclosing.bound(name)
        return binding if isinstance(binding, Binding) else None

    @property
    def binder(self) -> Frame:
        """The frame in which := binds a name: that of the function around a comprehension."""
        return self

    def constants(self) -> Iterator[tuple[str, Binding]]:
        """The names of this function and of the enclosing ones that are bound to Python constants."""
        if self.enclosing is not None:
            yield from self.enclosing.constants()
        for name, cell in self._closure.items():
            with suppress(ValueError):
                yield name, Binding(cell.cell_contents, self.source.name_location)
        for name, binding in self.names.items():
            if isinstance(binding, Binding) and is_python(binding.value):
                yield name, binding

    def named(self, name: str, item: Any, node: Positioned) -> ast.Name:
        """A piece of the syntax tree for an object; `name`, which messages show, is none of Python's."""
        location = node if not isinstance(node, Location) else None
        name_node = ast.Name(name, ast.Load())
        self.names[name] = Binding(item, self.location_of(node))
        return ast.copy_location(name_node, location) if location is not None else name_node

    # Instructions.

    def emit(
        self,
        operation: type[OperationType],
        node: Positioned,
        result_types: Sequence[Type] | None = None,
        spans: dict[str, Location] | None = None,
        **parts: Any,
    ) -> OperationType:
        """Add the instruction of a piece of the source."""
        emitted = operation(self.location_of(node), result_types, spans=spans, **parts)
        self.builder.operations.append(emitted)
        return emitted

    def compute(
        self,
        operation: type[Operation],
        node: Positioned,
        result_types: Sequence[Type] | None = None,
        spans: dict[str, Location] | None = None,
        **parts: Any,
    ) -> Value:
        """Add an instruction with a result, and return the result."""
        return self.emit(operation, node, result_types, spans, **parts).results[0]

    def constant(self, number: Number, type_: Type, node: Positioned, advice: str | None = None) -> Value:
        """A Python literal as a value of the type that its context determines.

        `advice` is the help where the literal has the wrong kind; by default, to cast the operand that gives the type.
        """
        literal = literal_of(number, type_)
        if literal is None:
            self.fail(
                LITERAL_TYPE,
                f"{describe(number)} is used where {_a(type_)} is expected",
                node,
                _literal_help(number, type_, advice),
            )
        return self.compute(Constant, node, [type_], literal=literal)

    def zero(self, type_: Type, node: Positioned) -> Value:
        """The zero of a type."""
        return self.compute(Constant, node, [type_], literal=zero_of(component_type(type_)))

    def typed(self, item: Any, type_: Type | None, node: Positioned, advice: str | None = None) -> Value:
        """Something as a value; a literal takes the type, if one is given.

        `advice` is that of `constant`.
        """
        if isinstance(item, Value):
            return item
        if is_literal(item):
            if isinstance(item, bool) and type_ is None:
                type_ = bool_
            if type_ is None or not may_be_constant(type_):
                self.untyped(item, node)
            if isinstance(item, Choice):
                return self._chosen(item, type_, node, advice)
            return self.constant(item, type_, node, advice)
        help = "there are no collections at run time: take its items, or allocate memory with alloca"
        shown = f"{describe(item)} is not a value of the language"
        self.fail(LITERAL_TYPE, shown, node, help if is_collection(item) else None)

    def _chosen(self, choice: Choice, type_: Type, node: Positioned, advice: str | None) -> Value:
        regions = []
        for item in (choice.then, choice.otherwise):
            region = Region("mixed")
            with self.builder.into(region.operations):
                self.emit(Yield, node, yielded=[self.typed(item, type_, node, advice)])
            regions.append(region)
        then, otherwise = regions
        return self.compute(If, node, [type_], condition=choice.condition, then_body=then, else_body=otherwise)

    def untyped(self, literal: Literal, node: Positioned) -> NoReturn:
        """Report that nothing determines the type of a literal."""
        shown = describe(literal) if isinstance(literal, Choice) else f"the literal {literal}"
        self.fail(
            LITERAL_TYPE,
            f"nothing gives {shown} a type here",
            node,
            f"name the type: {name_of_call(literal)}",
        )

    # The walk.

    def evaluate(self, node: ast.expr) -> Any:
        """An IR value, a Python object, or one of `lang.traced`; the unknown value where it failed."""
        try:
            return EXPRESSIONS[type(node)](self, node)
        except Failed:
            return UNKNOWN

    def known(self, node: ast.expr) -> Any:
        """The value of an expression; where it failed, the expression that contains it fails, too."""
        item = self.evaluate(node)
        if is_unknown(item):
            raise Failed
        return item

    def condition(self, node: ast.expr) -> Any:
        """A truth value: an IR value of bool type, or True or False where it is known while tracing."""
        try:
            return self.as_condition(self.known(node), node)
        except Failed:
            return UNKNOWN

    def as_condition(self, item: Any, node: ast.expr) -> Any:
        """The value of an expression as a truth value."""
        if isinstance(item, Value):
            if not isinstance(item.type, BoolType):
                is_number = isinstance(item.type, ScalarType)
                advice = f"compare it, for instance: {ast.unparse(node)} != 0" if is_number else None
                self.fail(CONDITION, f"the condition is {item.type}", node, advice)
            return item
        if isinstance(item, Choice):
            self.untyped(item, node)
        try:
            return bool(item)
        except Exception as error:
            self.fail(FOLDING, f"{describe(item)} is neither true nor false: {error}", node)

    def state(self) -> State:
        """A snapshot for `restore`, which undoes everything traced from here on."""
        builder = self.builder
        diagnostic_count, changes = builder.diagnostics.count, builder.containers.changes
        return (
            dict(self.names),
            len(builder.operations),
            diagnostic_count,
            changes,
            builder.is_spmd,
            builder.has_remainder,
        )

    def restore(self, state: State) -> None:
        """Undo everything traced since the snapshot; the region is the same."""
        builder = self.builder
        self.names, operations, diagnostic_count, changes, builder.is_spmd, builder.has_remainder = state
        del builder.operations[operations:]
        builder.diagnostics.forget(diagnostic_count)
        builder.containers.undo(changes)

    def tried(self, names: Names_, body: Callable[[], None]) -> Names_:
        """The bindings after `body` was traced with these names; all other effects of tracing are undone."""
        builder, before = self.builder, self.names
        diagnostics, builder.diagnostics = builder.diagnostics, Diagnostics()
        is_spmd, has_remainder = builder.is_spmd, builder.has_remainder
        self.names = {**before, **names}
        try:
            with builder.into([]):
                body()
            return self.names
        finally:
            self.names, builder.diagnostics = before, diagnostics
            builder.is_spmd, builder.has_remainder = is_spmd, has_remainder

    def diagnose(self, statements: Sequence[ast.stmt], unknown: Iterable[str] = ()) -> None:
        """Find the problems in statements that can't be translated at their place."""
        if not statements:
            return
        before = dict(self.names)
        for name in unknown:
            self.names[name] = Binding(UNKNOWN, self.location_of(statements[0]))
        with self.builder.into([]), self.builder.containers.no_mutation():
            self.execute(statements, frozenset())
        self.names = before

    def execute(self, statements: Sequence[ast.stmt], live: Names) -> None:
        """Trace statements in order; `live` are the names that may be read after them."""
        for node, after in zip(statements, live_after_each(statements, live), strict=True):
            try:
                STATEMENTS[type(node)](self, node, after | self._captured)
            except Failed:
                for name, target in bound_names([node]).items():
                    self.names[name] = Binding(UNKNOWN, self.location_of(target))  # type: ignore[arg-type]


def _a(type_: Type) -> str:
    return f"{'an' if str(type_)[0] in 'fi' else 'a'} {type_}"


def _literal_help(number: Number, type_: Type, advice: str | None) -> str | None:
    if isinstance(number, bool):
        return f"write {int(number)}"
    if isinstance(type_, BoolType):
        return advice or "write True or False"
    if isinstance(number, complex):
        return "use a complex type, or a part of the number"
    if isinstance(number, float) and number.is_integer():
        return f"write {int(number)}"
    if advice is None and isinstance(type_, ScalarType):
        return f"cast the other side: {cast_to(floating_for(type_), '…', type_)}"
    return advice
