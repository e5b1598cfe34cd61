"""Rows of loops, branches, yields, and of what concerns the work-group as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from .mixed import CHAPTER, STORE_FLAG, aliasing_matrices, matrix, store_flag
from .rows import ELEMENTS, INTEGERS, Data, Row, inside, kind, lines, literal, parallel, wide, with_parallel


def rows() -> Iterator[Row]:
    yield from _loops()
    yield from _branches()
    yield from _yields()
    yield from _work_group()


def _loops() -> Iterator[Row]:
    for integer in INTEGERS:
        typed = "" if integer == "index" else f": {integer}"
        cast = "%ix = cast %i : index" if integer != "index" else ""
        at = "%ix" if integer != "index" else "%i"
        for step in ("", "step", "unroll=true", "unroll=false"):
            by = ", %by" if step == "step" else ""
            attributes = f" {{{step}}}" if "unroll" in step else ""
            line = f"for %i{typed} = %start, %to{by} {{"
            body = [part for part in (cast, f"store %x, %a[{at}]") if part]
            text = lines(line, *("  " + part for part in body), "}" + attributes)
            call = f"range(start, to{', by' if by else ''})"
            call = {"unroll=true": f"unroll({call})", "unroll=false": f"unroll({call}, False)"}.get(step, call)
            parameters = {"start": integer, "to": integer} | ({"by": integer} if by else {})
            yield Row(
                CHAPTER,
                f"for {step or 'of step 1'}",
                integer,
                parameters | {"a": "memref<f32x8>", "x": "f32"},
                text,
                inside(f"for i in {call}:", "a[index(i)] = x"),
                lambda data, by=bool(by): {"a": _stored(data, 2 if by else 1)},
                (attributes.strip() and "}" + attributes) or line,
                given={"start": 1, "to": 7} | ({"by": 2} if by else {}),
            )
    for type_ in ("bool", *ELEMENTS, *(matrix(e) for e in ELEMENTS)):
        yield from _carried(type_)


def _stored(data: Data, step: int) -> Any:
    a = data["a"].copy()
    a[1:7:step] = data["x"]
    return a


def _carried(type_: str) -> Iterator[Row]:
    line = f"%r = for %i = %0, %1 init(%s=%first) -> ({type_}) {{"
    loop = ["%0 = constant 0 : index", "%1 = constant 3 : index"]
    if type_ == "bool":
        text = lines(*loop, line, "  %n = arith.not %s : bool", "  yield (%n)", "}", store_flag())
        python = lines("r = first", inside("for i in range(3):", "r = not r"), STORE_FLAG)
        yield Row(
            CHAPTER,
            "for with a carried value",
            type_,
            {"first": "bool", "o": "memref<i32>"},
            text,
            python,
            lambda data: {"o": np.zeros((), np.int32)},
            line,
        )
    elif type_.startswith("coop"):
        element = type_.removeprefix("coopmatrix<").partition("x4x3")[0]
        body = lines(
            *loop,
            f"%first = cooperative_matrix_load.n %a[%0, %0] : {type_}",
            line,
            f"  %n = arith.add %s, %s : {type_}",
            "  yield (%n)",
            "}",
            "cooperative_matrix_store %r, %o[%0, %0]",
        )
        parameters = {"a": f"memref<{element}x4x3>", "o": f"memref<{element}x4x3>"}
        python = lines(
            'r = coop.load(a, 0, 0, shape=(4, 3), use="matrix_acc")',
            inside("for i in range(3):", "r = r + r"),
            "coop.store(r, o, 0, 0)",
        )
        yield Row(
            CHAPTER,
            "for with a carried value",
            type_,
            parameters,
            parallel(body),
            with_parallel(python),
            lambda data: {"o": 8 * wide(data["a"])},
            line,
        )
    else:
        text = lines(*loop, line, f"  %n = arith.add %s, %s : {type_}", "  yield (%n)", "}", "store %r, %o[]")
        python = lines("r = first", inside("for i in range(3):", "r = r + r"), "o[()] = r")
        yield Row(
            CHAPTER,
            "for with a carried value",
            type_,
            {"first": type_, "o": f"memref<{type_}>"},
            text,
            python,
            lambda data: {"o": np.asarray(8 * wide(data["first"]))},
            line,
        )


def _branches() -> Iterator[Row]:
    line = "if %p {"
    parameters = {"p": "bool", "o": "memref<f32>", "x": "f32", "y": "f32"}
    store_x, store_y = "  store %x, %o[]", "  store %y, %o[]"
    for value in (True, False):
        yield Row(
            CHAPTER,
            f"if of {value}".lower(),
            "",
            parameters,
            lines(line, store_x, "}"),
            inside("if p:", "o[()] = x"),
            lambda data: {"o": np.asarray(data["x"] if data["p"] else data["o"])},
            line,
            given={"p": value},
        )
        python = lines(inside("if p:", "o[()] = x"), inside("else:", "o[()] = y"))
        yield Row(
            CHAPTER,
            f"if of {value} with else".lower(),
            "",
            parameters,
            lines(line, store_x, "} else {", store_y, "}"),
            python,
            lambda data: {"o": np.asarray(data["x"] if data["p"] else data["y"])},
            "} else {",
            given={"p": value},
        )
    for type_ in ("bool", *ELEMENTS, *(matrix(e) for e in ELEMENTS)):
        line = f"%r = if %p -> ({type_}) {{"
        chosen = [line, "  yield (%x)", "} else {", "  yield (%y)", "}"]
        for value in (True, False):
            form = f"if of {value} with a value".lower()
            if type_ == "bool":
                yield Row(
                    CHAPTER,
                    form,
                    type_,
                    {"p": "bool", "x": "bool", "y": "bool", "o": "memref<i32>"},
                    lines(*chosen, store_flag()),
                    lines("r = x if p else y", STORE_FLAG),
                    lambda data: {"o": np.asarray(data["p"]).astype(np.int32)},
                    line,
                    given={"p": value, "x": True, "y": False},
                )
            elif type_.startswith("coop"):
                element = type_.removeprefix("coopmatrix<").partition("x4x3")[0]
                base, text, python = aliasing_matrices(
                    element, element, "matrix_acc", lines(*chosen), "r = x if p else y"
                )
                yield Row(
                    CHAPTER,
                    form,
                    type_,
                    {"p": "bool", **base},
                    text,
                    python,
                    lambda data: {"o": data["mx"] if data["p"] else data["my"]},
                    line,
                    given={"p": value},
                )
            else:
                yield Row(
                    CHAPTER,
                    form,
                    type_,
                    {"p": "bool", "x": type_, "y": type_, "o": f"memref<{type_}>"},
                    lines(*chosen, "store %r, %o[]"),
                    "o[()] = x if p else y",
                    lambda data: {"o": np.asarray(data["x"] if data["p"] else data["y"])},
                    line,
                    given={"p": value},
                )


def _yields() -> Iterator[Row]:
    """What branches give; an empty yield gives nothing."""
    for row in list(_branches()):
        if row.form == "if of true with a value":
            yield replace(row, form="yield", line="yield (%x)")
    text = lines("if %p {", "  store %x, %o[]", "  yield ()", "}")
    yield Row(
        CHAPTER,
        "yield of nothing",
        "",
        {"p": "bool", "o": "memref<f32>", "x": "f32"},
        text,
        inside("if p:", "o[()] = x"),
        lambda data: {"o": np.asarray(data["x"])},
        "store %x, %o[]",
    )


# The work-group.


def _work_group() -> Iterator[Row]:
    for fences in ("", ".global", ".local", ".global.local"):
        line = f"barrier{fences}"
        named = ", ".join(f'"{fence}"' for fence in fences.split(".")[1:])
        yield Row(
            CHAPTER,
            line,
            "",
            {"o": "memref<i32>"},
            parallel(lines(line, "%0 = constant 1 : i32", "store.atomic_add %0, %o[]")),
            with_parallel(lines(f"barrier({named})", "atomic.add(o[()], 1)")),
            lambda data: {"o": data["o"] + 16},
            line,
        )
    known: dict[str, tuple[str, str, Callable[[int], int]]] = {
        "group_id": ("index", "group_id()", lambda group: group),
        "group_size": ("index", "group_size()", lambda group: 3),
        "num_subgroups": ("i32", "subgroup.count()", lambda group: 4),
        "subgroup_size": ("i32", "subgroup.size()", lambda group: 8),
    }
    for builtin, (type_, call, value) in known.items():
        line = f"%r = builtin.{builtin} : {type_}"
        group = [] if builtin == "group_id" else ["%g = builtin.group_id : index"]
        at = "%r" if builtin == "group_id" else "%g"
        yield Row(
            CHAPTER,
            f"builtin.{builtin}",
            type_,
            {"o": f"memref<{type_}x3>"},
            lines(*group, line, f"store %r, %o[{at}]"),
            f"o[group_id()] = {call}",
            lambda data, value=value: {"o": np.array([value(g) for g in range(3)])},
            line,
            groups=3,
            attributes="{subgroup_size=8, work_group_size=[16,2]}",
            decorator="(subgroup_size=8, work_group_size=(16, 2))",
        )
    for word, call, values in (
        ("group_id.y", 'group_id("y")', [[0, 0], [1, 1], [2, 2]]),
        ("group_id.z", "group_id(2)", [[0, 1], [0, 1], [0, 1]]),
        ("num_groups.y", "group_size(1)", [[3, 3], [3, 3], [3, 3]]),
        ("num_groups.z", 'group_size("z")', [[2, 2], [2, 2], [2, 2]]),
    ):
        line = f"%r = v04.{word} : index"
        yield Row(
            CHAPTER,
            f"v04.{word}",
            "index",
            {"o": "memref<indexx3x2>"},
            lines("%y = v04.group_id.y : index", "%z = v04.group_id.z : index", line, "store %r, %o[%y, %z]"),
            lines("y, z = group_id(1), group_id(2)", f"o[y, z] = {call}"),
            lambda data, values=values: {"o": np.array(values)},
            line,
            groups=(1, 3, 2),
        )
    for element in ELEMENTS:
        line = "lifetime_stop %t"
        text = lines(
            f"%t = alloca : memref<{element}x4,local>",
            f"%zero = constant {literal(element, 0)} : {element}",
            "axpby.n %x, %a, %zero, %t",
            "axpby.n %x, %t, %zero, %o",
            line,
        )
        zero = "0" if kind(element) == "integer" else "0.0"
        python = lines(
            f"t = alloca({element}, 4)", f"axpby(x, a, {zero}, t)", f"axpby(x, t, {zero}, o)", "lifetime_stop(t)"
        )
        yield Row(
            CHAPTER,
            "lifetime_stop",
            element,
            {"x": element, "a": f"memref<{element}x4>", "o": f"memref<{element}x4>"},
            text,
            python,
            lambda data: {"o": wide(data["x"]) ** 2 * wide(data["a"])},
            line,
        )
