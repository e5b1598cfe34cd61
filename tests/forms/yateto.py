"""The rows of docs/coverage.md for the immediate language of YATeTo: its forms, as texts and as what NumPy computes."""

from __future__ import annotations

import copy
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pytl.diagnostics import Source
from pytl.frontends.yateto.types import Group, Memref, Scalar, read_type
from pytl.ir.text.reader import Reader

CHAPTER = "Immediate language of YATeTo"
COLUMNS = {
    "printed": "printed",
    "parsed": "parsed",
    "verified": "verified",
    "lowered": "lowered",
    "reference": "executed by reference",
    "sycl": "executed on SYCL (numba-dpex)",
    "own": "executed on SYCL (own target)",
    "mlir": "MLIR host",
    "arm_sme": "ArmSME (QEMU)",
}
ITEMS = 2
"""Work-groups of a launch, and items of each group."""
INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
ELEMENTS = (*INTEGERS, "f32", "f64")

Data = dict[str, Any]


@dataclass(frozen=True)
class DraftRow:
    """A form of the language with a type. Each work-group updates items of its own."""

    form: str
    types: str
    parameters: dict[str, str]
    body: str
    expected: Callable[[Data], Data]
    """What the groups hold afterwards, by parameter: a list of arrays."""
    given: Data = field(default_factory=dict)
    chapter: str = CHAPTER

    @property
    def name(self) -> str:
        return f"{self.form} [{self.types}]" if self.types else self.form

    @property
    def text(self) -> str:
        head = ",\n          ".join(f"%{name}: {type_}" for name, type_ in self.parameters.items())
        return f"define @f({head}) {{\n{textwrap.indent(self.body, '  ')}\n}}"

    def renamed(self, number: int) -> DraftRow:
        """The row with names that no other row has, to stand beside others in one function."""
        parameters = {f"r{number}_{name}": type_ for name, type_ in self.parameters.items()}
        body = re.sub(r"%(\w+)", lambda found: f"%r{number}_{found[1]}", self.body)
        return DraftRow(self.form, self.types, parameters, body, self.expected, self.given)

    def arguments(self) -> Data:
        """Small numbers, so that all sums are exact; a group has a list of arrays, or memory where the row says so."""
        rng = np.random.default_rng(5)
        made: Data = {}
        for name, text in self.parameters.items():
            short = name.partition("_")[2] if re.match(r"r\d+_", name) else name
            made[name] = copy.deepcopy(self.given[short]) if short in self.given else _argument(rng, text)
        return made


def type_of(text: str) -> Any:
    return read_type(Reader(Source("type", text)))


def dtype_of(name: str) -> np.dtype:
    return np.dtype({"i": "int", "u": "uint", "f": "float"}[name[0]] + name[1:])


def _argument(rng: np.random.Generator, text: str) -> Any:
    type_ = type_of(text)
    if isinstance(type_, Scalar):
        return 1
    if isinstance(type_, Memref):
        return _array(rng, type_)
    assert isinstance(type_, Group)
    if type_.distance is None:
        return [_array(rng, type_.memref) for _ in range(ITEMS)]
    memory = _numbers(rng, type_.memref, ITEMS * type_.distance)
    size = memory.itemsize
    steps = tuple(size * stride for stride in (*type_.memref.strides, type_.distance))
    return np.lib.stride_tricks.as_strided(memory, (*type_.memref.shape, ITEMS), steps)


def _numbers(rng: np.random.Generator, type_: Memref, count: int) -> np.ndarray:
    least = 0 if type_.element.unsigned else -3
    return rng.integers(least, 4, count).astype(dtype_of(str(type_.element)))


def _array(rng: np.random.Generator, type_: Memref) -> np.ndarray:
    memory = _numbers(rng, type_, type_.end)
    return np.lib.stride_tricks.as_strided(
        memory, type_.shape, tuple(memory.itemsize * stride for stride in type_.strides)
    )


def memref(element: str, *shape: int, strides: str = "") -> str:
    return f"memref<{'x'.join(map(str, (element, *shape)))}{f',strided<{strides}>' if strides else ''}>"


def pointers(element: str, *shape: int, strides: str = "") -> str:
    return f"group<{memref(element, *shape, strides=strides)},pointers>"


def items(group: Any) -> list[np.ndarray]:
    """The items of a group's argument."""
    return group if isinstance(group, list) else [group[..., n] for n in range(group.shape[-1])]


def _operation(
    form: str, element: str, factors: dict[str, tuple[int, ...]], target: tuple[int, ...], compute: Callable[..., Any]
) -> DraftRow:
    """`C := 3 … + 2 C`, where C is the item of a group; 0 C for the word alone."""
    word, _, map = form.partition(" ")
    types = [memref(element, *shape) for shape in factors.values()]
    group = pointers(element, *target)
    operands = ", ".join(["3.0", *(f"%{name}" for name in factors), "2.0", "%C"])
    body = f"%C = get_work_item %G : {group}\n"
    body += f"{word} {map}, {operands} : {', '.join(types)} to {memref(element, *target)}"

    def expected(data: Data) -> Data:
        term = compute(*(data[name] for name in factors))
        return {"G": [3 * term + 2 * c for c in data["G"]]}

    return DraftRow(form, element, {**dict(zip(factors, types)), "G": group}, body, expected)


def _einsum(text: str) -> Callable[..., Any]:
    return lambda *factors: np.einsum(text, *factors)


def rows() -> Iterator[DraftRow]:
    """Every row, those of one form together."""
    for each in ELEMENTS:
        yield _operation("axpby {ji to ij}", each, {"A": (3, 2)}, (2, 3), np.transpose)
    yield _operation("axpby {_ to _}", "f32", {"A": ()}, (), np.array)
    yield _operation("axpby {ijk to kij}", "f64", {"A": (2, 3, 4)}, (4, 2, 3), _einsum("ijk->kij"))
    for each in ELEMENTS:
        yield _operation("log {ik, kj to ij}", each, {"A": (4, 3), "B": (3, 5)}, (4, 5), np.matmul)
    for form in (
        "{i[k]m, m(jn) to i(jn)[k]}",
        "{bik, bkj to bij}",
        "{i[l]k, [l]kj to ij}",
        "{i(kl), (kl)j to ij}",
        "{i, i to _}",
        "{ik, k to i}",
        "{i, j to ij}",
        "{_, _ to _}",
    ):
        yield _of_map("log", form)
    for each in ELEMENTS:
        yield _operation("product {i, j to ij}", each, {"A": (4,), "B": (3,)}, (4, 3), _einsum("i,j->ij"))
    for form in ("{ij, ij to ij}", "{ij, jk to kij}", "{_, ij to ji}"):
        yield _of_map("product", form)
    for each in ELEMENTS:
        yield _operation("sum {ij to i}", each, {"A": (4, 3)}, (4,), _einsum("ij->i"))
    for form in ("{ij to j}", "{ijk to kj}", "{i to _}"):
        yield _of_map("sum", form)
    for each in ELEMENTS:
        yield _alloca(each)
    for each in ELEMENTS:
        yield from _items_of(each)
    yield from _views()
    for each in INTEGERS:
        yield _for(each)
    yield from _others()


def by_form(found: list[DraftRow]) -> list[list[DraftRow]]:
    """The rows of each form."""
    forms: dict[str, list[DraftRow]] = {}
    for row in found:
        forms.setdefault(row.form, []).append(row)
    return list(forms.values())


SIZES = dict(zip("bijklmn", (2, 4, 3, 5, 2, 3, 2)))


def _of_map(word: str, map: str) -> DraftRow:
    letters = [re.sub(r"[^a-z]", "", part) for part in re.split(r",| to ", map.strip("{}"))]
    shapes = [tuple(SIZES[name] for name in part) for part in letters]
    *inputs, output = letters
    factors = dict(zip("AB", shapes[:-1]))
    return _operation(f"{word} {map}", "f64", factors, shapes[-1], _einsum(f"{','.join(inputs)}->{output}"))


def _alloca(element: str) -> DraftRow:
    type_, group = memref(element, 2, 3), pointers(element, 2, 3)
    body = (
        f"%C = get_work_item %G : {group}\n%t = alloca : {type_}\n"
        f"axpby {{ij to ij}}, 1.0, %C, 0.0, %t : {type_} to {type_}\n"
        f"axpby {{ij to ij}}, 2.0, %t, 1.0, %C : {type_} to {type_}\n"
        "lifetime_stop %t"
    )
    return DraftRow("alloca", element, {"G": group}, body, lambda data: {"G": [3 * c for c in data["G"]]})


def _items_of(element: str) -> Iterator[DraftRow]:
    for layout in ("pointers", "distance<8>"):
        group = f"group<{memref(element, 2, 3)},{layout}>"
        type_ = memref(element, 2, 3)
        body = f"%C = get_work_item %G : {group}\naxpby {{ij to ij}}, 1.0, %C, 2.0, %C : {type_} to {type_}"
        yield DraftRow(
            f"get_work_item: {layout}",
            element,
            {"G": group},
            body,
            lambda data: {"G": [3 * c for c in items(data["G"])]},
        )
    for layout in ("pointers", "distance<16>"):
        yield _offset(element, layout)


def _offset(element: str, layout: str) -> DraftRow:
    type_ = memref(element, 2, 3)
    group = f"group<{type_},{layout}>"
    body = f"%C = get_work_item %G, i32 %off : {group}\naxpby {{ij to ij}}, 1.0, %C, 2.0, %C : {type_} to {type_}"
    memory = [np.arange(16 * n, 16 * n + 16).astype(dtype_of(element)) for n in range(ITEMS)]
    given = memory if layout == "pointers" else np.concatenate(memory)

    def expected(data: Data) -> Data:
        changed = [array.copy() for array in memory]
        for array in changed:
            array[5:11] *= 3
        return {"G": changed if layout == "pointers" else [np.concatenate(changed)]}

    parameters = {"G": group, "off": "i32"}
    return DraftRow(f"get_work_item with offset: {layout}", element, parameters, body, expected, {"G": given, "off": 5})


def _views() -> Iterator[DraftRow]:
    group = pointers("f64", 6, 4)
    for form, view, place in (
        ("subview [from:to, …]", memref("f64", 3, 2, strides="1,6"), (slice(1, 4), slice(2, 4))),
        ("subview [index, …]", memref("f64", 4, strides="6"), (3, slice(0, 4))),
    ):
        shown = ", ".join(f"{each.start}:{each.stop}" if isinstance(each, slice) else str(each) for each in place)
        names = "ij" if view.count("x") == 2 else "j"
        body = (
            f"%C = get_work_item %G : {group}\n%v = subview %C[{shown}] : {memref('f64', 6, 4)} to {view}\n"
            f"axpby {{{names} to {names}}}, 1.0, %v, 1.0, %v : {view} to {view}"
        )

        def expected(data: Data, place: Any = place) -> Data:
            changed = [array.copy(order="F") for array in data["G"]]
            for array in changed:
                array[place] *= 2
            return {"G": changed}

        yield DraftRow(form, "f64", {"G": group}, body, expected)
    for each in INTEGERS:
        body = (
            f"%C = get_work_item %G : {group}\n"
            f"%v = subview %C[0:6, {each} %i] : {memref('f64', 6, 4)} to {memref('f64', 6)}\n"
            f"axpby {{i to i}}, 1.0, %v, 1.0, %v : {memref('f64', 6)} to {memref('f64', 6)}"
        )

        def expected_column(data: Data) -> Data:
            changed = [array.copy(order="F") for array in data["G"]]
            for array in changed:
                array[:, 1] *= 2
            return {"G": changed}

        yield DraftRow("subview […, %i]", each, {"G": group, "i": each}, body, expected_column)


def _for(element: str) -> DraftRow:
    group, type_, row = pointers("f64", 4, 5), memref("f64", 4, 5), memref("f64", 4)
    body = (
        f"%C = get_work_item %G : {group}\nfor {element} %i = 1 to 4 {{\n"
        f"  %v = subview %C[0:4, {element} %i] : {type_} to {row}\n"
        f"  axpby {{i to i}}, 1.0, %v, 1.0, %v : {row} to {row}\n}}"
    )

    def expected(data: Data) -> Data:
        changed = [array.copy(order="F") for array in data["G"]]
        for array in changed:
            array[:, 1:4] *= 2
        return {"G": changed}

    return DraftRow("for", element, {"G": group}, body, expected)


def _others() -> Iterator[DraftRow]:
    group, type_ = pointers("f32", 4), memref("f32", 4)
    twice = f"axpby {{i to i}}, 1.0, %C, 1.0, %C : {type_} to {type_}"
    body = f"%C = get_work_item %G : {group}\n{twice}\nbarrier\n{twice}"
    yield DraftRow("barrier", "", {"G": group}, body, lambda data: {"G": [4 * c for c in data["G"]]})
    body = f"%t = alloca : {type_}\naxpby {{i to i}}, 1.0, %B, 0.0, %t : {type_} to {type_}\nlifetime_stop %t\n"
    body += f"%C = get_work_item %G : {group}\n{twice}"
    parameters = {"B": type_, "G": group}
    yield DraftRow("lifetime_stop", "", parameters, body, lambda data: {"G": [2 * c for c in data["G"]]})
    strided = pointers("f32", 3, 2, strides="2,8")
    of_item = memref("f32", 3, 2, strides="2,8")
    body = f"%C = get_work_item %G : {strided}\naxpby {{ij to ij}}, 1.0, %C, 1.0, %C : {of_item} to {of_item}"
    yield DraftRow("strided<…>", "f32", {"G": strided}, body, lambda data: {"G": [2 * c for c in data["G"]]})
