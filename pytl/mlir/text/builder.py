"""Builds operations of functions, one after the other, as the tree that the reader gives.

What a custom form says of the types of results is not said again: of most operations they follow from the operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any, NamedTuple

from ...diagnostics import Location
from ...diagnostics.quoting import mlir_name
from .custom import Form
from .form_writer import SEGMENTS
from .forms import FORMS
from .numerals import literal_of
from .tree import DYNAMIC, Block, Dense, Operation, Raw, Region
from .types import I1, INDEX, Function, ScalableVector, Scalar, Type, Vector

NOT_UNROLLED = Raw("#llvm.loop_annotation<unroll = <disable = true>>", "#llvm.loop_annotation")
_NOT_VECTORIZED = Raw("#llvm.loop_annotation<vectorize = <disable = true>>", "#llvm.loop_annotation")


class Value(NamedTuple):
    """A value: its name, with the sign, and its type."""

    name: str
    type: Type


class Builder:
    """Builds the operations of one function after the other, in the blocks that are open.

    An operation is one of `forms`. A name is the wish where that is free. `op` gives the result of an operation, `ops`
    all results, and `do` builds one without results. Operands are values, and sequences of values where the custom form
    has groups of any size; an attribute that the form writes as a list of numbers and values is given as such a list.

    >>> to = Builder()
    >>> with to.function("f", [("x", Scalar("f32"))]) as (x,):
    ...     y = to.op("arith.mulf", x, to.constant(2.0, x.type), hint="y")
    >>> from pytl.mlir.text.printer import print_operation
    >>> print(print_operation(to.module()), end="")
    module {
      func.func @f(%x: f32) {
        %cst_f32 = arith.constant 2.0 : f32
        %y = arith.mulf %x, %cst_f32 : f32
        return
      }
    }
    """

    def __init__(self) -> None:
        self._block = self._top = Block("")
        self._top_at = 0
        """Where operations are put that stand in front of all others of the function."""
        self._used: dict[str, int] = {}
        """The names that are taken, each with the last number that was appended to it."""
        self._once: dict[Any, Value] = {}
        self._numbers: dict[Any, Value] = {}
        """The constants of `_once` by numbers and types, without their texts."""
        self._comments: list[str] = []
        """What is written above the next operation."""
        self._shown: tuple[str, int] | None = None
        self._location: Location | None = None

    def module(self, name: str = "builtin.module", **attributes: Any) -> Operation:
        """The module of all that was built outside of functions."""
        return Operation(name, [], [], [], [], attributes, [Region([self._block])])

    # Names.

    def fresh(self, hint: str = "v") -> str:
        """A name for a value: `%hint`, with a number appended where it is taken."""
        used = self._used
        name = base = _name(hint)
        if base in used:
            number = used[base]
            while name in used:
                number += 1
                name = f"{base}_{number}"
            used[base] = number
        used[name] = 0
        return f"%{name}"

    def names(self, hint: str, count: int) -> list[str]:
        """Names of the results of one operation."""
        name = self.fresh(hint)
        return [name] if count == 1 else [f"{name}#{number}" for number in range(count)]

    # Operations.

    def op(
        self,
        name: str,
        *operands: Value | Sequence[Value],
        type: Type | None = None,
        hint: str = "v",
        **attributes: Any,
    ) -> Value:
        """An operation with one result; `type` is that of the result, where it does not follow from the operands."""
        operation = self._make(name, operands, attributes, None if type is None else [type])
        result = self.fresh(hint)
        operation.results = (result,)
        self._append(operation)
        return Value(result, operation.result_types[0])

    def ops(
        self, name: str, *operands: Value | Sequence[Value], types: Sequence[Type], hint: str, **attributes: Any
    ) -> list[Value]:
        """An operation with any number of results, which have one name."""
        operation = self._make(name, operands, attributes, list(types))
        operation.results = self.names(hint, len(types)) if types else []
        self._append(operation)
        return list(map(Value, operation.results, types))

    def each(
        self, name: str, *operands: Value | Sequence[Value], results: Sequence[tuple[str, Type]], **attributes: Any
    ) -> list[Value]:
        """An operation with results that have names of their own."""
        operation = self._make(name, operands, attributes, [type_ for _, type_ in results])
        operation.results = [each for each, _ in results]
        self._append(operation)
        return list(map(Value, operation.results, operation.result_types))

    def do(self, name: str, *operands: Value | Sequence[Value], **attributes: Any) -> None:
        """An operation without results."""
        self._append(self._make(name, operands, attributes, []))

    def _make(
        self,
        name: str,
        operands: Sequence[Value | Sequence[Value]],
        attributes: dict[str, Any],
        types: list[Type] | None,
    ) -> Operation:
        """An operation that is in no block yet; where `types` is None, the types follow from the operands."""
        form, has_groups = _form(name)
        names: list[str] = []
        operand_types: list[Type] = []
        for each in [_grouped(form, operands, attributes)] if has_groups else operands:
            if isinstance(each, Value):
                operand, type_ = each
                names.append(operand)
                operand_types.append(type_)
            else:
                for operand, type_ in each:
                    names.append(operand)
                    operand_types.append(type_)
        if types is None:
            types = form.result_types(operand_types) if form.same is None else [operand_types[form.same]]
        return Operation(name, names, (), operand_types, types, attributes)

    def _append(self, operation: Operation) -> None:
        operation.location = self._location
        if self._comments:
            operation.comments, self._comments = self._comments, []
        self._block.operations.append(operation)

    def _at_top(self, operation: Operation, hint: str) -> Value:
        """Put an operation in front of all others, except those that this method has put there."""
        operation.results = [self.fresh(hint)]
        self._top.operations.insert(self._top_at, operation)
        self._top_at += 1
        return Value(operation.results[0], operation.result_types[0])

    def close_prologue(self) -> None:
        """Let what is built at the function's top from now on come after what stands there."""
        self._top_at = len(self._top.operations)

    def constant(self, value: bool | int | float, type: Type = INDEX, hint: str = "") -> Value:
        """A constant, which is built once, at the function's top; of a vector type, one with equal elements."""
        # zero may have a sign, which counts, and True equals 1
        number = (value, value.__class__, type) if value or value.__class__ is int else None
        known = self._numbers.get(number)
        if known is not None:
            return known
        is_vector = isinstance(type, (Vector, ScalableVector))
        element = type.element if isinstance(type, (Vector, ScalableVector)) else type
        literal = literal_of(value, element)
        key = literal, type
        if key not in self._once:
            exact: Any = bool(value) if element == I1 else value
            if isinstance(element, Scalar) and "f" in element.name:
                exact = float(value)
            attribute = Dense(exact, type) if is_vector else exact
            operation = Operation("arith.constant", [], [], [], [type], {"value": attribute})
            self._once[key] = self._at_top(operation, hint or _hint(value, literal, type))
        if number is not None:
            self._numbers[number] = self._once[key]
        return self._once[key]

    def once(self, name: str, *operands: Value, type: Type | None = None, hint: str = "v", **attributes: Any) -> Value:
        """The result of an operation whose operands stand at the function's top, as it does; built once per hint."""
        operation = self._make(name, operands, attributes, None if type is None else [type])
        operand_key, type_key = tuple(operation.operands), tuple(operation.result_types)
        key = name, hint, operand_key, type_key, tuple(operation.attributes.items())
        if key not in self._once:
            self._once[key] = self._at_top(operation, hint)
        return self._once[key]

    # Regions.

    @contextmanager
    def within(self, block: Block) -> Iterator[None]:
        """Build in a block."""
        outer, self._block = self._block, block
        yield
        if self._comments:
            block.comments, self._comments = self._comments, []
        self._block = outer

    @contextmanager
    def function(
        self,
        name: str,
        parameters: Sequence[tuple[str, Type]],
        results: Sequence[Type] = (),
        returned: Sequence[Value] = (),
        private: bool = False,
        **attributes: Any,
    ) -> Iterator[list[Value]]:
        """A function, with the wishes for its parameters' names and their types; gives the parameters.

        It has names and constants of its own. `results` are the types of what it returns, and `returned`, which is read
        at the end of the block, is what.
        """
        function_type = Function(tuple(type_ for _, type_ in parameters), tuple(results))
        known: dict[str, Any] = {"sym_visibility": "private"} if private else {}
        known |= {"sym_name": name, "function_type": function_type, "arg_attrs": ({},) * len(parameters)}
        with self._body("func.func", parameters, known | attributes) as values:
            yield values
            self._location = None
            self.do("func.return", returned)

    def declare(self, name: str, type_: Function) -> None:
        """A function that is elsewhere."""
        known = {"sym_visibility": "private", "sym_name": name, "function_type": type_}
        self._append(Operation("func.func", [], [], [], [], known | {"arg_attrs": ({},) * len(type_.inputs)}))

    @contextmanager
    def kernel(
        self, name: str, parameters: Sequence[tuple[str, Type]], shared: Sequence[tuple[str, Type]], **attributes: Any
    ) -> Iterator[list[Value]]:
        """A kernel of a `gpu.module`; gives its parameters, and the memory that a work-group shares."""
        known: dict[str, Any] = {
            "sym_name": name,
            "function_type": Function(tuple(type_ for _, type_ in parameters), ()),
        }
        if shared:
            known["workgroup_attributions"] = len(shared)
        with self._body("gpu.func", [*parameters, *shared], known | {"gpu.kernel": True} | attributes) as values:
            yield values
            self._location = None
            self.do("gpu.return", [])

    @contextmanager
    def _body(
        self, name: str, parameters: Sequence[tuple[str, Type]], attributes: dict[str, Any]
    ) -> Iterator[list[Value]]:
        self._used, self._once, self._numbers, self._shown, self._location = {}, {}, {}, None, None
        values = [Value(self.fresh(hint), type_) for hint, type_ in parameters]
        self._top, self._top_at = Block("", list(values)), 0
        self._append(Operation(name, [], [], [], [], attributes, [Region([self._top])]))
        with self.within(self._top):
            yield values

    @contextmanager
    def loop(
        self, start: Value, stop: Value, step: Value, hint: str = "i", may_vectorize: bool = True
    ) -> Iterator[Value]:
        """A loop over index values that carries nothing; gives its variable.

        `may_vectorize` says whether LLVM may execute several iterations at once.
        """
        with self.carrying(start, stop, step, (), hint, annotation=None if may_vectorize else _NOT_VECTORIZED) as loop:
            yield loop.variable

    @contextmanager
    def carrying(
        self,
        start: Value,
        stop: Value,
        step: Value,
        inits: Sequence[Value],
        hint: str = "i",
        annotation: Raw | None = None,
    ) -> Iterator[Loop]:
        """A loop over index values that carries values; if there are any, it ends with `loop.give(…)`.

        `annotation` says what LLVM is to leave out.
        """
        variable = Value(self.fresh(hint), INDEX)
        carried = [Value(self.fresh("carried"), init.type) for init in inits]
        types = [init.type for init in inits]
        names = self.names("loop", len(inits)) if inits else []
        block = Block("", [variable, *carried])
        attributes = {} if annotation is None else {"llvm.loop_annotation": annotation}
        operation = self._make("scf.for", (start, stop, step, inits), attributes, types)
        operation.results, operation.regions = names, [Region([block])]
        self._append(operation)
        with self.within(block):
            yield Loop(self, variable, carried, list(map(Value, names, types)))

    @contextmanager
    def carrying_while(
        self, flag: int, start: Value, stop: Value, inits: Sequence[Value], hint: str = "i"
    ) -> Iterator[Loop]:
        """As `carrying`, with steps of 1, but it ends as soon as the carried value of that number is false."""
        names = self.names("loop", len(inits) + 1)
        types = [INDEX, *(init.type for init in inits)]
        head, inner = (
            [Value(self.fresh("carried" if position else hint), type_) for position, type_ in enumerate(types)]
            for _ in range(2)
        )
        with self._while([start, *inits], head, inner, names):
            is_in_range = self.op("arith.cmpi", head[0], stop, predicate="slt")
            runs = self.op("arith.andi", is_in_range, head[1 + flag])
            self.do("scf.condition", runs, head)
        operation = self._block.operations[-1]
        with self.within(operation.regions[1].blocks[0]):
            yield Loop(self, inner[0], inner[1:], list(map(Value, names, types))[1:], True)

    @contextmanager
    def repeat(self, init: Value, hint: str = "v") -> Iterator[tuple[Value, Value]]:
        """A loop whose block is executed until its `scf.condition` says so; gives what is carried, and the result."""
        before, current, result = (Value(self.fresh(each), init.type) for each in ("old", "seen", hint))
        with self._while([init], [before], [current], [result.name]):
            yield before, result
        with self.within(self._block.operations[-1].regions[1].blocks[0]):
            self.do("scf.yield", [current])

    @contextmanager
    def _while(
        self, inits: Sequence[Value], head: Sequence[Value], inner: Sequence[Value], names: Sequence[str]
    ) -> Iterator[None]:
        """The first region of a loop."""
        operation = self._make("scf.while", (inits,), {}, [init.type for init in inits])
        operation.results = list(names)
        operation.regions = [Region([Block("", list(head))]), Region([Block("^bb0", list(inner))])]
        self._append(operation)
        with self.within(operation.regions[0].blocks[0]):
            yield

    @contextmanager
    def branch(self, condition: Value, types: Sequence[Type] = (), hint: str = "v") -> Iterator[Branch]:
        """What is executed where a condition holds; behind it `with branch.otherwise():` has what else is.

        `branch.give(…)` ends each side of one that has results.
        """
        names = self.names(hint, len(types)) if types else []
        block = Block("")
        operation = self._make("scf.if", (condition,), {}, list(types))
        operation.results, operation.regions = names, [Region([block])]
        self._append(operation)
        with self.within(block):
            yield Branch(self, operation, list(map(Value, names, types)))

    # Source locations.

    def set_location(self, location: Location | None) -> None:
        """Set the location of what is built from now on; the user's line is shown above it, once."""
        self._location = location
        while location is not None and location.caller is not None:
            location = location.caller
        if location is not None and (location.source.name, location.line) != self._shown:
            self._shown = (location.source.name, location.line)
            self.comment(f"{location.line}: {location.source.line(location.line).strip()}")

    def comment(self, text: str) -> None:
        """Show a text above the next operation."""
        self._comments.append(text)


_name = lru_cache(maxsize=4096)(mlir_name)


@cache
def _form(name: str) -> tuple[Any, bool]:
    """The custom form of an operation, and whether it has groups of operands whose sizes, or numbers between which, are
    attributes."""
    form = FORMS[name]
    return form, isinstance(form, Form) and bool(form.order or form.writer.mixed)


def _grouped(form: Form, operands: Sequence[Value | Sequence[Value]], attributes: dict[str, Any]) -> list[Value]:
    """The operands of a form that has groups, whose sizes become an attribute, as the numbers of lists do."""
    groups: list[Sequence[Value]] = [[each] if isinstance(each, Value) else each for each in operands]
    for group, attribute in form.writer.mixed.items():
        entries = attributes.pop(group, None)
        groups.append([each for each in entries or () if isinstance(each, Value)])
        if entries is not None:
            attributes[attribute] = tuple(DYNAMIC if isinstance(each, Value) else each for each in entries)
    if form.order:
        sizes = [len(group) for group in groups]
        attributes[SEGMENTS] = (*sizes, *[0] * (len(form.order) - len(sizes)))
    return [value for group in groups for value in group]


class Loop(NamedTuple):
    """A loop, inside of it."""

    builder: Builder
    variable: Value
    values: list[Value]
    """What is carried."""
    results: list[Value]
    counts: bool = False
    """Whether the loop's variable is carried, too."""

    def give(self, values: Sequence[Value]) -> None:
        """Pass values on to the next iteration; this is the last operation of the loop."""
        if self.counts:
            following = self.builder.op("arith.addi", self.variable, self.builder.constant(1))
            values = [following, *values]
        self.builder.do("scf.yield", values)


class Branch(NamedTuple):
    """A branch, inside of it."""

    builder: Builder
    operation: Operation
    results: list[Value]

    def give(self, values: Sequence[Value]) -> None:
        """End a side with the values of the results."""
        self.builder.do("scf.yield", values)

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What is executed where the condition does not hold, from behind the block of `branch` on."""
        block = Block("")
        self.operation.regions = [*self.operation.regions, Region([block])]
        with self.builder.within(block):
            yield


def _hint(value: bool | int | float, literal: str, type_: Type) -> str:
    """The name of a constant."""
    hint = f"c{value}" if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else "cst"
    if type_ == INDEX:
        return hint
    return literal if type_ == I1 else f"{hint}_{type_}" if isinstance(type_, Scalar) else "cst"
