"""Values, regions, and the base class of all instructions: each consists of the others.

A subclass of `Operation` states its mnemonic, its parts (`ir/fields.py`), its textual form and its rules. From these
the base class derives construction, traversal, rewriting, printing, parsing and checking. The textual form `assembly`
is a small template: `$part` is a part, a text in back quotes stands for itself, and `( … )?` is printed when its first
part is present and read when its first token is there. Modifiers belong to the mnemonic and are not repeated in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter, is_
from typing import Any, ClassVar, Literal, TypeVar

from ..diagnostics import Diagnostics, Label, Location, Rule
from ..process.records import dataclass
from .assembly import Item, PartsReader, read_template
from .fields import Attributes, Field, Operand, OperandList, RegionPart, Result, ResultList, Variant
from .types import GroupType, Kind, MemrefType, ScalarType, Type, index

AnyField = TypeVar("AnyField", bound=Field)
WITH_PLACE = ("lifetime_stop", "yield", "barrier")
"""What depends on what is around it, or before it."""
_type_of = attrgetter("type")
_is_none = partial(is_, None)


@dataclass(frozen=True)
class Problem:
    """What a rule's check found: the message, the fix, and the part of the instruction to point at."""

    message: str
    help: str | None = None
    part: str | None = None
    location: Location | None = None
    """Where to point within the instruction; at all of it, if there is none."""
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True)
class Check:
    """A rule of the manual together with the function that finds where an instruction breaks it."""

    rule: Rule
    find: Callable[[Any], Iterator[Problem]]
    of_values: bool = False
    """Whether it looks at what values are known to be: folding shows more of these problems, and causes none."""
    is_basic: bool = False
    """Whether the later rules assume it. They are not checked if it is broken."""


def check(
    code: str,
    text: str,
    section: str,
    explanation: str = "",
    severity: Literal["error", "warning"] = "error",
    of_values: bool = False,
    is_basic: bool = False,
) -> Callable[[Callable[[Any], Iterator[Problem]]], Check]:
    """Declare a rule by decorating the generator that yields the problems an instruction has with it."""
    rule = Rule(code, text, section, severity, explanation)
    return lambda find: Check(rule, find, of_values, is_basic)


class Value:
    """A result of an instruction, or an argument of a region or function.

    `name` is a wish: the printer keeps it where no other visible value has it. `attributes` belong to parameters
    of memref or group type (alignment, shape_gcd, stride_gcd) and to what is loaded from such a group.
    """

    __slots__ = ("attributes", "location", "name", "owner", "type")

    def __init__(
        self,
        type: Type,
        name: str | None = None,
        location: Location | None = None,
        attributes: dict[str, Any] | None = None,
        owner: Operation | None = None,
    ) -> None:
        # any Type; what each operand may be is said by its constraint, which the verifier has checked
        self.type: Any = type
        self.name = name
        self.location = location
        self.attributes: dict[str, Any] = attributes or {}
        self.owner = owner
        """The instruction that this is a result of; None for arguments."""

    def __repr__(self) -> str:
        return f"<%{self.name or '?'}: {self.type}>"


class Region:
    """An ordered list of instructions with the arguments that its owner defines (loop variables, carried values)."""

    __slots__ = ("arguments", "is_complete", "kind", "location", "operations")

    def __init__(
        self,
        kind: Kind = "mixed",
        arguments: list[Value] | None = None,
        operations: list[Operation] | None = None,
        location: Location | None = None,
    ) -> None:
        self.kind: Kind = kind
        self.arguments: list[Value] = arguments or []
        self.operations: list[Operation] = operations or []
        self.location = location
        self.is_complete = True
        """Whether all of its text could be read; where not, missing instructions are not reported again."""

    def walk(self) -> Iterator[Operation]:
        """Every instruction of the region and of the regions inside, each before what it contains."""
        # one generator for all regions: from one in another, each instruction passes through all around it
        way = [iter(self.operations)]
        while way:
            for operation in way[-1]:
                yield operation
                if operation.region_parts:
                    way.append(chain.from_iterable(region.operations for region in operation.regions))
                    break
            else:
                way.pop()


class Operation:
    """One instruction. Parts are attributes of the instance, named as the class declares them."""

    mnemonic: ClassVar[str] = ""
    """The word the text begins with, without variant and modifiers."""
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other spellings that are read with a note, never printed."""
    spellings: ClassVar[tuple[str, ...]] = ()
    """Other spellings of equal standing; they are read without a note, and printed as the mnemonic."""
    kind: ClassVar[Kind] = "mixed"
    section: ClassVar[str] = ""
    """The section of the manual."""
    assembly: ClassVar[str] = ""
    rules: ClassVar[tuple[Check, ...]] = ()
    reads: ClassVar[tuple[str, ...]] = ()
    """The memref operands whose elements are read."""
    writes: ClassVar[tuple[str, ...]] = ()
    """The memref operands whose elements are written."""
    reads_through_value: ClassVar[bool] = False
    """Whether it reads memory that no operand names, but an operand leads to, as a tile does."""
    writes_through_value: ClassVar[bool] = False
    """Whether it writes such memory."""
    pure: ClassVar[bool] = False
    """Whether it only computes its results: it may be removed when they are unused, and merged with its equal."""
    rules_of_types: ClassVar[bool] = False
    """Whether its rules look at the types of its values, its words and its attributes, and at nothing else."""
    allowed_parents: ClassVar[tuple[str, ...]] = ()
    """The instructions whose regions may have it, directly, by their mnemonics; `func` is a function's body. Any, where
    there are none."""
    differs: ClassVar[bool] = False
    """Whether its results may differ among work-items that execute it with the same operands."""
    view_of: ClassVar[str | None] = None
    """The operand that the result is a view on."""
    callee: Any = None
    """The function that it calls."""
    is_plain: ClassVar[bool] = False
    """Whether it is allowed wherever its operands are, has no attributes and no regions, and calls nothing."""
    acts: Any = False
    """Whether it does more than its results and writes show, as a call of a function that waits at a barrier."""

    parts: ClassVar[dict[str, Field]] = {}
    template: ClassVar[tuple[Item, ...]] = ()
    # The parts of each kind are found once a class, for vector code has a thousand instructions.
    region_parts: ClassVar[tuple[RegionPart, ...]] = ()
    attribute_parts: ClassVar[tuple[Attributes, ...]] = ()
    _single_operands: ClassVar[tuple[str, ...]] = ()
    """The names of the operands that are one value, or none."""
    _admitted: ClassVar[tuple[Callable[[Type], bool], ...]] = ()
    """Whether each of these may have a type."""
    _optional_operands: ClassVar[tuple[str, ...]] = ()
    _admitted_results: ClassVar[tuple[Callable[[Type], bool], ...]] = ()
    _has_one_result: ClassVar[bool] = False
    _like: ClassVar[str | None] = None
    """The operand whose type the one result has."""
    _operand_lists: ClassVar[tuple[OperandList, ...]] = ()
    _result_parts: ClassVar[tuple[Result, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    """What an instance stores under the name of each part that is not given."""
    _words: ClassVar[tuple[str, ...]] = ()
    """The parts that are stored and hold no values."""
    _has_choices: ClassVar[bool] = False
    """Whether instructions with as many operands may differ in more than these."""
    _lists: ClassVar[tuple[str, ...]] = ()
    """The parts that are lists of an instance's own."""
    _dictionaries: ClassVar[tuple[str, ...]] = ()
    """The parts that are dictionaries, of an instance's own where none is given."""
    _variants: ClassVar[tuple[Variant, ...]] = ()
    """The one part that tells a family's members apart, or none."""
    _value_parts: ClassVar[tuple[Field, ...]] = ()
    _before: ClassVar[tuple[str, ...] | None] = ()
    """The operands that are one value, or none, before the only list of operands; None where there are other kinds."""
    _listed: ClassVar[str | None] = None
    _after: ClassVar[tuple[str, ...]] = ()
    """The list's name, and the operands after it."""

    @property
    def yields(self) -> bool:
        """Whether its regions give values."""
        return any(isinstance(part, ResultList) for part in self.parts.values())

    @property
    def depends_on_lane(self) -> bool:
        """Whether it distinguishes the work-items of a sub-group, so that none can execute it for all of them."""
        return self.kind == "spmd"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        inherited = {name: part for base in reversed(cls.__mro__) for name, part in _parts_of(base).items()}
        # a plain attribute in a subclass says what a part always is there
        cls.parts = {name: part for name, part in inherited.items() if isinstance(getattr(cls, name), Field)}
        cls.template = read_template(cls.assembly)
        cls.region_parts = cls._parts_of_kind(RegionPart)
        cls.attribute_parts = cls._parts_of_kind(Attributes)
        cls._operand_lists = cls._parts_of_kind(OperandList)
        singles = [part for part in cls._parts_of_kind(Operand) if not isinstance(part, OperandList)]
        cls._single_operands = tuple(part.name for part in singles)
        cls._admitted = tuple(part.constraint.admits for part in singles)
        cls._optional_operands = tuple(part.name for part in singles if part.optional)
        cls._result_parts = cls._parts_of_kind(Result)
        cls._admitted_results = tuple(part.constraint.admits for part in cls._result_parts)
        cls._like = next((part.like for part in cls._result_parts if part.like and type(part) is Result), None)
        cls._has_one_result = any(not isinstance(part, ResultList) for part in cls._result_parts)
        cls._defaults = {name: part.default for name, part in cls.parts.items() if part.is_stored}
        cls._lists = tuple(part.name for part in cls._operand_lists)
        cls._dictionaries = tuple(part.name for part in cls.attribute_parts)
        cls._variants = cls._parts_of_kind(Variant)
        # most parts are words, types and regions, and hold no values
        cls._value_parts = tuple(part for part in cls.parts.values() if type(part).values is not Field.values)
        names = [part.name for part in cls._value_parts]
        at = next((k for k, part in enumerate(cls._value_parts) if type(part) is OperandList), len(names))
        are_usual = all(type(part) is Operand or k == at for k, part in enumerate(cls._value_parts))
        cls._before, cls._after = tuple(names[:at]) if are_usual else None, tuple(names[at + 1 :])
        cls._listed = names[at] if at < len(names) else None
        cls._words = tuple(name for name in cls._defaults if name not in names)
        is_allowed = cls.kind == "mixed" and not cls.allowed_parents and cls.mnemonic not in WITH_PLACE
        cls.is_plain = is_allowed and not (cls.attribute_parts or cls.region_parts or cls.differs or cls.callee)
        cls._has_choices = bool(cls._words or cls._lists or cls._optional_operands)

    @classmethod
    def _parts_of_kind(cls, kind: type[AnyField]) -> tuple[AnyField, ...]:
        return tuple(part for part in cls.parts.values() if isinstance(part, kind))

    def __init__(
        self,
        location: Location | None = None,
        result_types: Sequence[Type] | None = None,
        result_names: Sequence[str | None] = (),
        spans: dict[str, Location] | None = None,
        **parts: Any,
    ) -> None:
        stored = {**self._defaults, **parts}
        if len(stored) != len(self._defaults):
            unknown = ", ".join(parts.keys() - self._defaults.keys())
            raise TypeError(f"{type(self).__name__} has no part {unknown}")
        for name in self._lists:
            stored[name] = list(stored[name])
        for name in self._dictionaries:
            if name not in parts:
                stored[name] = {}
        self.__dict__ = stored
        self.location = location
        self.spans = spans or {}
        """Where each part stands, so that a diagnostic can point at it."""
        types = self.infer_result_types() if result_types is None else result_types
        if len(types) == 1:  # as of most
            self.results = [Value(types[0], None, location, None, self)]
        else:
            self.results = [Value(type_, None, location, None, self) for type_ in types]
        if result_names:
            for value, wish in zip(self.results, result_names):
                value.name = wish
        self.pass_attributes_on()

    # What a subclass may say.

    def infer_result_types(self) -> list[Type]:
        """The result types that follow from the parts; for instructions built in Python, without annotation."""
        if self._like is not None:
            return [getattr(self, self._like).type]
        if any(not part.like for part in self._result_parts):
            raise TypeError(f"{type(self).__name__} needs result_types")
        return [value.type for part in self._result_parts for value in getattr(self, part.like)]

    def pass_attributes_on(self) -> None:
        """Give results what they inherit from operands (attributes of a group pass to the memrefs loaded from it)."""

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        """The type of a literal that stands in place of a value; None if the part takes no literal.

        That is the only type that the operand may have, where there is one. `parts` has what else is given, in a text
        also `result_types`, in Python no such entry.
        """
        field = cls.parts[part]
        return field.constraint.only if isinstance(field, Operand) else None

    @classmethod
    def is_legal(cls, parts: dict[str, Any]) -> bool:
        """Whether this is what a text means by a word that several instructions have, where operands don't tell."""
        return True

    @classmethod
    def complete(cls, parser: PartsReader, parts: dict[str, Any], location: Location) -> None:
        """Adjust what was read, before the instruction is made; for accepted spellings that aren't canonical."""

    # What follows from the declaration.

    @classmethod
    def words(cls) -> list[str]:
        """Every word that begins this instruction: the mnemonic, once for each variant."""
        return [f"{cls.mnemonic}.{word}" for part in cls._variants for word in part.words] or [cls.mnemonic]

    @property
    def word(self) -> str:
        """The mnemonic of this very instruction, with its variant."""
        return ".".join([self.mnemonic, *(getattr(self, part.name) for part in self._variants)])

    read_as: str | None = None
    """The word of the text that it was read from, where that is in a dialect."""

    @property
    def display_name(self) -> str:
        """What messages call this very instruction."""
        return self.read_as or self.word

    @property
    def result(self) -> Value:
        return self.results[0]

    @property
    def regions(self) -> list[Region]:
        if not self.region_parts:  # as most
            return []
        return [region for part in self.region_parts if (region := getattr(self, part.name)) is not None]

    @property
    def operands(self) -> list[Value]:
        """Every used value, in the order of the parts."""
        stored = self.__dict__.__getitem__
        if self._before is None:
            return [value for part in self._value_parts for value in part.values(stored(part.name))]
        if self._listed is None:
            operands = list(map(stored, self._before))
        else:
            operands = [*map(stored, self._before), *stored(self._listed), *map(stored, self._after)]
        return operands if None not in operands else [value for value in operands if value is not None]

    def replace_operands(self, change: Callable[[Value], Value]) -> None:
        """Use `change(value)` in place of every used value."""
        stored = self.__dict__
        for part in self._value_parts:
            stored[part.name] = part.map(stored[part.name], change)

    def read_memory(self, besides: str | None = None) -> list[Value]:
        """The memrefs whose elements are read, and the groups of whose items some are; without one of its operands."""
        return self._memrefs([name for name in self.reads if name != besides])

    def written_memory(self) -> list[Value]:
        """The memrefs whose elements are written, and the groups of whose items some are."""
        return self._memrefs(self.writes)

    def _memrefs(self, names: Sequence[str]) -> list[Value]:
        # of a group itself, an instruction reads where its items lie
        return [value for name in names if isinstance((value := getattr(self, name)).type, MemrefType)]

    def key(self) -> tuple[Any, ...]:
        """What two instructions without regions share when they compute the same."""
        stored = tuple(
            (name, _hashable(getattr(self, name))) for name, part in self.parts.items() if name in self.__dict__
        )
        return (type(self), stored, tuple(value.type for value in self.results))

    def location_of(self, part: str | None) -> Location | None:
        return self.spans.get(part, self.location) if part else self.location

    def verify(self, diagnostics: Diagnostics) -> None:
        """Check the operands' types, which are known, and, where these hold, every rule of the instruction."""
        if not self._has_admitted_types():
            count = len(diagnostics.items)
            self._report_types(diagnostics)
            if len(diagnostics.items) > count:
                return  # the rules take the operands' kinds for granted
        for rule_check in self.rules:
            has_problem = False
            for problem in rule_check.find(self):
                has_problem = True
                labels = problem.labels + (defined_at(getattr(self, problem.part)) if problem.part else ())
                location = problem.location or self.location
                diagnostics.report(
                    rule_check.rule, f"{self.display_name}: {problem.message}", location, problem.help, labels
                )
            if has_problem and rule_check.is_basic:
                return

    def checked_as(self, operands: Sequence[Value]) -> tuple[Any, ...]:
        """What tells instructions with `rules_of_types` apart of which one may break a rule that the other keeps.

        Types stand for themselves: those of two instructions are the same objects, or are not compared.
        """
        types = (type(self), *map(id, map(_type_of, operands)), *map(id, map(_type_of, self.results)))
        if not self._has_choices:
            return types
        stored = self.__dict__.__getitem__
        return (
            *types,
            *map(repr, map(stored, self._words)),
            *map(len, map(stored, self._lists)),
            *map(_is_none, map(stored, self._optional_operands)),
        )

    def _has_admitted_types(self) -> bool:
        """Whether operands and results have types that are admitted, as those of nearly all instructions have."""
        parts = self.__dict__
        for admits, value in zip(self._admitted, map(parts.__getitem__, self._single_operands)):
            if value is not None and not admits(value.type):
                return False
        for operands in self._operand_lists:
            admits = operands.constraint.admits
            for value in parts[operands.name]:
                if not admits(value.type):
                    return False
        results = self.results
        if self._has_one_result and len(results) != 1:
            return False
        for admits in self._admitted_results:
            for value in results:
                if not admits(value.type):
                    return False
        return True

    def _report_types(self, diagnostics: Diagnostics) -> None:
        """Report operands and results of types that are not admitted."""
        for part in self._parts_of_kind(Operand):
            for value in part.values(getattr(self, part.name)):
                if not part.constraint.admits(value.type):
                    operand = f"one of {part.name}" if isinstance(part, OperandList) else part.name
                    diagnostics.report(
                        OPERAND_TYPE,
                        f"{self.display_name}: {operand} is {value.type}, but must be {part.constraint}",
                        self.location_of(part.name),
                        _fix_of_operand(value, part.constraint),
                        defined_at(value),
                    )
        for result in self._result_parts:
            for value in self.results:
                if not result.constraint.admits(value.type):
                    diagnostics.report(
                        RESULT_TYPE,
                        f"{self.display_name}: the result is {value.type}, but must be {result.constraint}",
                        self.location,
                    )
            if not isinstance(result, ResultList) and len(self.results) != 1:
                diagnostics.report(RESULT_TYPE, f"{self.display_name} gives one value", self.location)


OPERAND_TYPE = Rule(
    "PYTL-0300",
    "each operand has the type that the instruction's table of operands names",
    "Instructions",
)
RESULT_TYPE = Rule("PYTL-0301", "each result has the type that the instruction's syntax names", "Instructions")


def _fix_of_operand(value: Value, constraint: Any) -> str | None:
    """The text that converts a value to what the operand takes, if a single instruction does."""
    if isinstance(value.type, GroupType) and constraint.admits(value.type.memref):
        return f"take an item of the group: load %group[%index] : {value.type.memref}"
    if isinstance(value.type, ScalarType) and value.type.is_integer and constraint.admits(index):
        return "cast it: cast %value : index"
    return None


def written_result_type(parts: dict[str, Any]) -> Type | None:
    """The type of the one result that a text writes, among what is given to make an instruction; None in Python."""
    types: list[Type] = parts.get("result_types", [])
    return types[0] if types else None


def defined_at(value: Any) -> tuple[Label, ...]:
    """A label that tells a value's type at the place where it was defined."""
    if not isinstance(value, Value) or value.location is None:
        return ()
    of_literal = value.name is None and value.owner is not None and value.owner.mnemonic == "constant"
    if of_literal and isinstance(value.type, ScalarType):
        return ()  # its type is what the instruction makes of it
    name = value.name if value.name else "this"
    return (Label(value.location, f"{name} is {value.type}"),)


def _parts_of(cls: type) -> dict[str, Field]:
    return {name: value for name, value in vars(cls).items() if isinstance(value, Field)}


def _hashable(stored: Any) -> Any:
    if isinstance(stored, dict):
        return tuple(sorted((key, _hashable(value)) for key, value in stored.items()))
    if isinstance(stored, (list, tuple)):
        return tuple(_hashable(value) for value in stored)
    # 0.0 and -0.0, 1 and True compare equal, but are different constants
    return (type(stored).__name__, repr(stored)) if isinstance(stored, (int, float, complex)) else stored
