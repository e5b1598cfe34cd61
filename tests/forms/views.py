"""Rows of the instructions on memory: load, store, size, subview, expand, fuse, and the attributes of parameters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import pytl

from .rows import ELEMENTS, Data, Row, lines, parallel, wide, with_parallel

CHAPTER = "Memory and views"


def rows() -> Iterator[Row]:
    for element in ELEMENTS:
        yield from _load(element)
        yield from _store(element)
        yield from _subview(element)
        yield from _expand(element)
        yield from _fuse(element)
    yield from _size()
    yield from _attributes()


def _load(element: str) -> Iterator[Row]:
    out = f"memref<{element}>"
    for order in range(4):
        indices = ["%i", "%j", "%k"][:order]
        line = f"%r = load %a[{', '.join(indices)}] : {element}"
        shape = "".join(["x3", "x4", "x?"][:order])
        python_index = "()" if order == 0 else ", ".join(n[1:] for n in indices)
        yield Row(
            CHAPTER,
            f"load of {order} indices" if order != 1 else "load of 1 index",
            element,
            {"a": f"memref<{element}{shape}>", "o": out} | {n[1:]: "index" for n in indices},
            lines(line, "store %r, %o[]"),
            f"o[()] = a[{python_index}]",
            lambda data, order=order: {"o": np.asarray(data["a"][(2, 1, 0)[:order]])},
            line,
            given={"i": 2, "j": 1, "k": 0},
        )
    for note, group, offset in (
        ("", "x?", None),
        (" of a number", "x3", None),
        (" with an offset", "x?, offset: 2", 2),
        (" with a dynamic offset", "x?, offset: ?", 1),
    ):
        line = f"%v = load %g[%n] : memref<{element}x4>"
        yield Row(
            CHAPTER,
            f"load from a group{note}",
            element,
            {"g": f"group<memref<{element}x4>{group}>", "o": f"memref<{element}x4x3>", "one": element, "zero": element},
            lines(
                "%n = builtin.group_id : index",
                line,
                f"%w = subview %o[0:4, %n] : memref<{element}x4>",
                "axpby.n %one, %v, %zero, %w",
            ),
            lines("n = group_id()", "axpby(one, g[n], zero, o[:, n])"),
            lambda data, offset=offset: {"o": _columns(data, offset or 0)},
            line,
            groups=3,
            given={"one": 1, "zero": 0} | ({"g": _shifted(element, offset)} if offset else {}),
        )


def _shifted(element: str, offset: int) -> object:
    """Items that are longer than the memref by the group's offset."""
    from reference_kit import DTYPES

    rng = np.random.default_rng(5)
    items = [rng.integers(-3, 4, 4 + offset).astype(DTYPES[element]) for _ in range(3)]
    return items if offset == 2 else pytl.pointers(items, offset=offset)


def _columns(data: Data, offset: int) -> np.ndarray:
    items = getattr(data["g"], "arrays", data["g"])
    return np.stack([wide(item)[offset : offset + 4] for item in items], axis=1)


def _store(element: str) -> Iterator[Row]:
    for flag, call in (
        ("", "a[i, j] = x"),
        (".atomic", "atomic.store(a[i, j], x)"),
        (".atomic_add", "atomic.add(a[i, j], x)"),
    ):
        line = f"store{flag} %x, %a[%i, %j]"
        parameters = {"a": f"memref<{element}x3x4>", "x": element}
        text = lines(
            "%0 = constant 0 : index",
            "%1 = constant 3 : index",
            "%2 = constant 4 : index",
            "foreach (%i, %j) = (%0, %0), (%1, %2) {",
            f"  {line}",
            "}",
        )
        yield Row(
            CHAPTER,
            f"store{flag}",
            element,
            parameters,
            text,
            f"for i, j in foreach((0, 0), (3, 4)):\n    {call}",
            lambda data, flag=flag: {"a": wide(data["x"]) + (wide(data["a"]) if "add" in flag else np.zeros((3, 4)))},
            line,
        )


def _viewed(
    element: str,
    form: str,
    operand: str,
    line: str,
    python: str,
    order: str,
    take: object,
    dims: dict[str, int] | None = None,
    given: Data | None = None,
) -> Row:
    """A view `v` of a that is doubled in place."""
    scalars = dict.fromkeys(given or {}, "index")
    return Row(
        CHAPTER,
        form,
        element,
        {"a": f"memref<{element}{operand}>", "zero": element, "two": element, **scalars},
        lines(line, *_doubling(element, order)),
        lines(python, *_python_doubling(element, order)),
        lambda data: {"a": take(wide(data["a"]).copy())},  # type: ignore[operator]
        line,
        dims=dims or {},
        given={"two": 2, "zero": 0} | (given or {}),
    )


def _doubling(element: str, order: str) -> list[str]:
    """Text that doubles every element of %v, of up to three modes, by a foreach."""
    count = int(order)
    if count == 0:
        return [f"%x = load %v[] : {element}", f"%y = arith.mul %two, %x : {element}", "store %y, %v[]"]
    names = ["%p", "%q", "%r", "%s"][:count]
    sizes = [f"%n{m} = size %v[{m}] : index" for m in range(count)]
    index = ", ".join(names)
    return [
        *sizes,
        "%c0 = constant 0 : index",
        f"foreach ({index}) = ({', '.join(['%c0'] * count)}), ({', '.join(f'%n{m}' for m in range(count))}) {{",
        f"  %x = load %v[{index}] : {element}",
        f"  %y = arith.mul %two, %x : {element}",
        f"  store %y, %v[{index}]",
        "}",
    ]


def _python_doubling(element: str, order: str) -> list[str]:
    count = int(order)
    if count == 0:
        return ["v[()] = two * v[()]"]
    names = ", ".join("pqrs"[:count])
    sizes = ", ".join(f"size(v, {m})" for m in range(count))
    if count == 1:
        return [f"for p in foreach({sizes}):", "    v[p] = two * v[p]"]
    return [f"for {names} in foreach(({', '.join(['0'] * count)}), ({sizes})):", f"    v[{names}] = two * v[{names}]"]


def _at(*where: object) -> object:
    def take(a: np.ndarray) -> np.ndarray:
        a[where] *= 2
        return a

    return take


def _subview(element: str) -> Iterator[Row]:
    def made(
        note: str, operand: str, slices: str, result: str, python: str, order: int, take: object, **more: object
    ) -> Row:
        line = f"%v = subview %a[{slices}] : memref<{element}{result}>"
        # an element that is indexed is loaded; a view of it has a name of its own
        statement = f"v = a[{python}]" if order else f"v = subview(a, {python})"
        return _viewed(element, f"subview {note}", operand, line, statement, str(order), take, **more)  # type: ignore[arg-type]

    yield made(
        "by static slices", "x6x5", "1:3, 2:2", "x3x2,strided<1,6>", "1:4, 2:4", 2, _at(slice(1, 4), slice(2, 4))
    )
    yield made(
        "by an offset at run time",
        "x6x5",
        "%i:3, 0:5",
        "x3x5,strided<1,6>",
        "i : i + 3, :",
        2,
        _at(slice(2, 5)),
        given={"i": 2},
    )
    yield made("with rank reduction", "x6x5", "0:6, 3", "x6", ":, 3", 1, _at(slice(None), 3))
    yield made(
        "with rank reduction at run time",
        "x6x5",
        "%i, 1:4",
        "x4,strided<6>",
        "i, 1:5",
        1,
        _at(2, slice(1, 5)),
        given={"i": 2},
    )
    yield made("of a single element", "x6x5", "1, 2", "", "1, 2", 0, _at(1, 2))
    line = f"%v = subview %a[%i:%n, 0:5] : memref<{element}x?x5,strided<1,6>>"
    yield _viewed(
        element,
        "subview of a size at run time",
        "x6x5",
        line,
        "v = subview(a, (i, n), (0, 5))",
        "2",
        _at(slice(1, 5)),
        given={"i": 1, "n": 4},
    )
    line = "%v = subview %a[1:4, 0:?]".replace("0:?", "%i:%n") + f" : memref<{element}x4x?,strided<1,6>>"
    yield _viewed(
        element,
        "subview of a dynamic mode",
        "x6x?",
        line,
        "v = subview(a, (1, 4), (i, n))",
        "2",
        _at(slice(1, 5), slice(1, 3)),
        dims={"a": 5},
        given={"i": 1, "n": 2},
    )


def _expand(element: str) -> Iterator[Row]:
    whole = _at(...)
    line = f"%v = expand %a[1 -> 2 x 3] : memref<{element}x4x2x3>"
    yield _viewed(element, "expand", "x4x6", line, "v = expand(a, 1, (2, 3))", "3", whole)
    line = f"%v = expand %a[0 -> 2 x 2] : memref<{element}x2x2x6,strided<2,4,8>>"
    yield _viewed(
        element, "expand of a strided mode", "x4x6,strided<2,8>", line, "v = expand(a, 0, (2, 2))", "3", whole
    )
    line = f"%v = expand %a[0 -> %n x 2] : memref<{element}x?x2x6,strided<1,?,4>>"
    yield _viewed(
        element, "expand to a size at run time", "x4x6", line, "v = expand(a, 0, (n, 2))", "3", whole, given={"n": 2}
    )
    line = f"%v = expand %a[1 -> 2 x %n] : memref<{element}x4x2x?>"
    yield _viewed(
        element,
        "expand of a dynamic mode",
        "x4x?",
        line,
        "v = expand(a, 1, (2, n))",
        "3",
        whole,
        dims={"a": 6},
        given={"n": 3},
    )


def _fuse(element: str) -> Iterator[Row]:
    whole = _at(...)
    line = f"%v = fuse %a[0, 1] : memref<{element}x12x2>"
    yield _viewed(element, "fuse", "x4x3x2", line, "v = fuse(a, 0, 1)", "2", whole)
    line = f"%v = fuse %a[0, 2] : memref<{element}x24>"
    yield _viewed(element, "fuse of three modes", "x4x3x2", line, "v = fuse(a, 0, 2)", "1", whole)
    line = f"%v = fuse %a[1, 2] : memref<{element}x4x6,strided<1,5>>"
    yield _viewed(element, "fuse of strided modes", "x4x3x2,strided<1,5,15>", line, "v = fuse(a, 1, 2)", "2", whole)
    line = f"%v = fuse %a[0, 1] : memref<{element}x?>"
    yield _viewed(element, "fuse of a dynamic mode", "x4x?", line, "v = fuse(a, 0, 1)", "1", whole, dims={"a": 3})


def _size() -> Iterator[Row]:
    for note, type_, mode, expected in (
        ("of a static mode", "memref<f32x4x?>", 0, 4),
        ("of a dynamic mode", "memref<f32x4x?>", 1, 5),
        ("of a group", "group<memref<f32x4>x?>", 0, 5),
        ("of a group of a number", "group<memref<f32x4>x5>", 0, 5),
    ):
        line = f"%r = size %a[{mode}] : index"
        yield Row(
            CHAPTER,
            f"size {note}",
            "index",
            {"a": type_, "o": "memref<index>"},
            lines(line, "store %r, %o[]"),
            f"o[()] = size(a, {mode})",
            lambda data, expected=expected: {"o": np.asarray(expected)},
            line,
            dims={"a": 5},
        )


def _attributes() -> Iterator[Row]:
    for attribute, text, python in (
        ("alignment", "alignment=16", "align(16)"),
        ("shape_gcd", "shape_gcd=[2,1]", "shape_gcd(2, 1)"),
        ("stride_gcd", "stride_gcd=[1,2]", "stride_gcd(1, 2)"),
    ):
        for type_, annotation in (
            ("memref<f32x4x?>", "Memref[f32, 4, ...]"),
            ("group<memref<f32x4x4>x?>", "Group[f32, 4, 4]"),
        ):
            group = type_.startswith("group")
            access = lines("%n = builtin.group_id : index", "%v = load %a[%n] : memref<f32x4x4>") if group else ""
            target = "%v" if group else "%a"
            body = lines(*([access] if group else []), f"axpby.n %x, {target}, %x, {target}")
            yield Row(
                CHAPTER,
                f"{attribute} of a {type_.split('<')[0]}",
                "",
                {"a": f"{type_}{{{text}}}", "x": "f32"},
                body,
                "axpby(x, a[group_id()], x, a[group_id()])" if group else "axpby(x, a, x, a)",
                lambda data, group=group: {
                    "a": [2 * data["x"] * v for v in data["a"]] if group else 2 * data["x"] * data["a"]
                },
                f"func @f(%a: {type_}{{{text}}},",
                dims={"a": 4} if not group else {"a": 1},
                annotations={"a": f"Annotated[{annotation}, {python}]"},
            )
    for attributes, decorator in (
        ("{subgroup_size=8}", "(subgroup_size=8)"),
        ("{work_group_size=[32,2]}", "(work_group_size=(32, 2))"),
        ("{subgroup_size=16, work_group_size=[16,4]}", "(subgroup_size=16, work_group_size=(16, 4))"),
    ):
        items = {"{subgroup_size=8}": 8}.get(attributes, 64)
        yield Row(
            CHAPTER,
            f"attributes{attributes}",
            "",
            {"o": "memref<i32>"},
            parallel(lines("%0 = constant 1 : i32", "store.atomic_add %0, %o[]")),
            with_parallel("atomic.add(o[()], 1)"),
            lambda data, items=items: {"o": data["o"] + items},
            f"func @f(%o: memref<i32>) attributes{attributes} {{",
            attributes=attributes,
            decorator=decorator,
        )
