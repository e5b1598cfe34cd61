"""Kernels of SeisSol's discretisation as YATeTo's generator prints them, in the dialects 0.3 and 0.4, and in NumPy.

Arrays of an element are items of groups, with a leading dimension that is padded to whole vectors, or behind an offset
in a longer array; constant matrices are plain memrefs; temporaries are allocas, of which a part is written with β = 0;
what many kernels share is a memref with the elements as its last mode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

QUANTITIES = 9


def basis(order: int, dimension: int = 3) -> int:
    """The number of polynomials below an order."""
    return order * (order + 1) // 2 if dimension == 2 else order * (order + 1) * (order + 2) // 6


@dataclass
class Matrix:
    """A matrix in a text: its name, sizes and leading dimension."""

    name: str
    rows: int
    columns: int
    leading: int


@dataclass
class Parameter:
    """A parameter: a constant matrix, the items of a group, or a memref with a last mode of elements (`batched`)."""

    name: str
    rows: int
    columns: int
    kind: str = "constant"
    leading: int = 0
    offset: int = 0

    @property
    def step(self) -> int:
        return self.leading or self.rows


@dataclass
class Text:
    """Collects the lines of one kernel in a dialect."""

    dialect: str
    element: str
    parameters: list[Parameter]
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def new(self) -> str:
        self.count += 1
        return f"%{self.count - 1}"

    def type(self, rows: int, columns: int, leading: int, extra: str = "") -> str:
        shape = f"{self.element}x{rows}x{columns}"
        return f"memref<{shape},strided<1,{leading}>{extra}>" if leading != rows or extra else f"memref<{shape}>"

    def in_old(self) -> bool:
        return self.dialect == "0.3"

    def header(self) -> None:
        heads = []
        for p in self.parameters:
            type_ = self.type(p.rows, p.columns, p.step)
            if p.kind == "group" and self.in_old():
                type_ = f"group<{type_}, offset: {p.offset}>"
            elif p.kind == "group":
                type_ = f"group<{type_}x?{f', offset: {p.offset}' if p.offset else ''}>"
            elif p.kind == "batched":
                type_ = f"memref<{self.element}x{p.rows}x{p.columns}x?,strided<1,{p.step},{p.step * p.columns}>>"
            heads.append(f"%{p.name}: {type_}")
        self.lines += [f"func @kernel({', '.join(heads)}) {{"]
        group = self.new()
        assert group == "%0"
        self.lines += [f"  {group} = group_id{'' if self.in_old() else '.x : index'}"]

    def own(self, p: Parameter) -> Matrix:
        """The matrix of this element."""
        if p.kind == "constant":
            return Matrix(f"%{p.name}", p.rows, p.columns, p.step)
        name, type_ = self.new(), self.type(p.rows, p.columns, p.step)
        if p.kind == "group":
            given = f"group<{type_}, offset: {p.offset}>" if self.in_old() else type_
            self.lines += [f"  {name} = load %{p.name}[%0] : {given}"]
        else:
            whole = f"memref<{self.element}x{p.rows}x{p.columns}x?,strided<1,{p.step},{p.step * p.columns}>>"
            slices = f"0:{p.rows},0:{p.columns},%0"
            self.lines += [f"  {name} = subview %{p.name}[{slices}] : {whole if self.in_old() else type_}"]
        return Matrix(name, p.rows, p.columns, p.step)

    def alloca(self, rows: int, columns: int, leading: int) -> Matrix:
        name = self.new()
        written = self.type(rows, columns, leading) if self.in_old() else self.type(rows, columns, leading, ",local")
        self.lines += [f"  {name} = alloca {'->' if self.in_old() else ':'} {written}"]
        return Matrix(name, rows, columns, leading)

    def part(self, matrix: Matrix, rows: int, columns: int, local: bool = False) -> Matrix:
        """The first rows and columns."""
        name = self.new()
        before = self.type(matrix.rows, matrix.columns, matrix.leading)
        after = self.type(rows, columns, matrix.leading, ",local" if local else "")
        self.lines += [f"  {name} = subview {matrix.name}[0:{rows},0:{columns}] : {before if self.in_old() else after}"]
        return Matrix(name, rows, columns, matrix.leading)

    def number(self, value: float) -> str:
        if self.in_old():
            return str(value)
        name = self.new()
        self.lines += [f"  {name} = constant {value} : {self.element}"]
        return name

    def gemm(self, a: Matrix, b: Matrix, beta: float, c: Matrix, alpha: float = 1.0, turned: bool = False) -> None:
        one, other = self.number(alpha), self.number(beta)
        words = ".n.t" if turned else ".n.n" if self.in_old() else ""
        types = ""
        if self.in_old():
            of = [self.type(m.rows, m.columns, m.leading) for m in (a, b, c)]
            types = f" : {self.element}, {of[0]}, {of[1]}, {self.element}, {of[2]}"
        self.lines += [f"  gemm{words} {one}, {a.name}, {b.name}, {other}, {c.name}{types}"]

    def axpby(self, alpha: float, a: Matrix, beta: float, b: Matrix) -> None:
        one, other = self.number(alpha), self.number(beta)
        types = ""
        if self.in_old():
            of = [self.type(m.rows, m.columns, m.leading) for m in (a, b)]
            types = f" : {self.element}, {of[0]}, {self.element}, {of[1]}"
        self.lines += [f"  axpby{'.n' if self.in_old() else ''} {one}, {a.name}, {other}, {b.name}{types}"]

    def text(self) -> str:
        return "\n".join([*self.lines, "}", ""])


@dataclass(frozen=True)
class Workload:
    """A kernel: its parameters, what it writes as text, and what it does to the arrays of one element."""

    parameters: list[Parameter]
    write: Callable[[Text, dict[str, Matrix]], None]
    compute: Callable[[dict[str, np.ndarray]], None]
    owned: Sequence[str] = ()
    """The parameters that are read where they are used, and not at the kernel's beginning."""

    def text(self, dialect: str, element: str) -> str:
        text = Text(dialect, element, self.parameters)
        text.header()
        self.write(text, {p.name: text.own(p) for p in self.parameters})
        return text.text()


def padded(rows: int, element: str) -> int:
    unit = 8 if element == "f32" else 4
    return -(-rows // unit) * unit


def volume(order: int, element: str) -> Workload:
    """Q[kp] += Σ K_d[kl] I[lq] A_d[qp]: the derivative of I has fewer rows, so only those of I are read."""
    full, less, leading = basis(order), basis(order - 1), padded(basis(order), element)
    parameters = [
        Parameter("Q", full, QUANTITIES, "group", leading),
        Parameter("I", full, QUANTITIES, "group", leading, offset=3 * leading),
        *(Parameter(f"K{d}", full, less, leading=leading) for d in range(3)),
        *(Parameter(f"A{d}", QUANTITIES, QUANTITIES, "group") for d in range(3)),
    ]

    def write(text: Text, m: dict[str, Matrix]) -> None:
        for d in range(3):
            room = text.alloca(padded(less, element), QUANTITIES, padded(less, element))
            product = text.part(room, less, QUANTITIES, local=True)
            text.gemm(text.part(m["I"], less, QUANTITIES), m[f"A{d}"], 0.0, product)
            text.gemm(m[f"K{d}"], product, 1.0, m["Q"])

    def compute(a: dict[str, np.ndarray]) -> None:
        for d in range(3):
            a["Q"] += a[f"K{d}"] @ (a["I"][:less] @ a[f"A{d}"])

    return Workload(parameters, write, compute)


def local_flux(order: int, element: str) -> Workload:
    """Q[kp] += Σ R_f[km] F_f[ml] I[lq] A_f[qp]."""
    full, face = basis(order), basis(order, 2)
    parameters = [
        Parameter("Q", full, QUANTITIES, "group", padded(full, element)),
        Parameter("I", full, QUANTITIES, "batched"),
        *(Parameter(f"R{f}", full, face) for f in range(4)),
        *(Parameter(f"F{f}", face, full) for f in range(4)),
        *(Parameter(f"A{f}", QUANTITIES, QUANTITIES, "group", offset=81 * f) for f in range(4)),
    ]

    def write(text: Text, m: dict[str, Matrix]) -> None:
        for f in range(4):
            first, second = (text.alloca(face, QUANTITIES, face) for _ in range(2))
            text.gemm(m[f"F{f}"], m["I"], 0.0, first)
            text.gemm(first, m[f"A{f}"], 0.0, second)
            text.gemm(m[f"R{f}"], second, 1.0, m["Q"])

    def compute(a: dict[str, np.ndarray]) -> None:
        for f in range(4):
            a["Q"] += a[f"R{f}"] @ (a[f"F{f}"] @ a["I"] @ a[f"A{f}"])

    return Workload(parameters, write, compute)


def neighbour_flux(order: int, element: str) -> Workload:
    """Q[kp] += R[km] P[mn] T[nl] I[lq] A[qp], with α = −1 in the last product."""
    full, face = basis(order), basis(order, 2)
    parameters = [
        Parameter("Q", full, QUANTITIES, "group"),
        Parameter("I", full, QUANTITIES, "group"),
        Parameter("R", full, face),
        Parameter("P", face, face),
        Parameter("T", face, full),
        Parameter("A", QUANTITIES, QUANTITIES, "batched"),
    ]

    def write(text: Text, m: dict[str, Matrix]) -> None:
        rooms = [text.alloca(face, QUANTITIES, padded(face, element)) for _ in range(3)]
        text.gemm(m["T"], m["I"], 0.0, rooms[0])
        text.gemm(m["P"], rooms[0], 0.0, rooms[1])
        text.gemm(rooms[1], m["A"], 0.0, rooms[2])
        text.gemm(m["R"], rooms[2], 1.0, m["Q"], alpha=-1.0)

    def compute(a: dict[str, np.ndarray]) -> None:
        a["Q"] -= a["R"] @ (a["P"] @ (a["T"] @ a["I"]) @ a["A"])

    return Workload(parameters, write, compute)


def derivatives(order: int, element: str) -> Workload:
    """dQ_i[kp] = Σ K_d[kl] dQ_{i−1}[lq] A_d[qp] and I += c_i dQ_i, with rows that shrink from one to the next."""
    full = basis(order)
    parameters = [
        Parameter("D0", full, QUANTITIES, "group", padded(full, element)),
        Parameter("I", full, QUANTITIES, "group", padded(full, element)),
        *(Parameter(f"K{d}", full, full) for d in range(3)),
        *(Parameter(f"A{d}", QUANTITIES, QUANTITIES, "group") for d in range(3)),
    ]
    rows = [basis(order - i) for i in range(order)]
    scales = [0.5**i for i in range(order)]

    def write(text: Text, m: dict[str, Matrix]) -> None:
        before = m["D0"]
        text.axpby(scales[0], before, 0.0, m["I"])
        for i in range(1, order):
            after = text.alloca(rows[i], QUANTITIES, rows[i])
            for d in range(3):
                product = text.alloca(rows[i - 1], QUANTITIES, rows[i - 1])
                text.gemm(before, m[f"A{d}"], 0.0, product)
                text.gemm(text.part(m[f"K{d}"], rows[i], rows[i - 1]), product, float(d > 0), after)
            text.axpby(scales[i], after, 1.0, text.part(m["I"], rows[i], QUANTITIES))
            before = after

    def compute(a: dict[str, np.ndarray]) -> None:
        before = a["D0"]
        a["I"][...] = scales[0] * before
        for i in range(1, order):
            before = sum(a[f"K{d}"][: rows[i], : rows[i - 1]] @ (before @ a[f"A{d}"]) for d in range(3))
            a["I"][: rows[i]] += scales[i] * before

    return Workload(parameters, write, compute)


def rotate(order: int, element: str) -> Workload:
    """X[sp] = V[sl] Q[lq] T[pq]: the values at the points of a surface, in its own axes; T is read transposed."""
    full, points = basis(order), (order + 1) ** 2
    parameters = [
        Parameter("X", points, QUANTITIES, "group", padded(points, element)),
        Parameter("V", points, full),
        Parameter("Q", full, QUANTITIES, "group", padded(full, element)),
        Parameter("T", QUANTITIES, QUANTITIES, "group"),
    ]

    def write(text: Text, m: dict[str, Matrix]) -> None:
        room = text.alloca(full, QUANTITIES, full)
        text.gemm(m["Q"], m["T"], 0.0, room, turned=True)
        text.gemm(m["V"], room, 0.0, m["X"])

    def compute(a: dict[str, np.ndarray]) -> None:
        a["X"][...] = a["V"] @ (a["Q"] @ a["T"].T)

    return Workload(parameters, write, compute)


WORKLOADS = {f.__name__: f for f in (volume, local_flux, neighbour_flux, derivatives, rotate)}


def arguments(workload: Workload, element: str, count: int, seed: int = 0) -> tuple[list, list[dict[str, np.ndarray]]]:
    """What a launch takes, and for each element the views of the same memory that `compute` works on."""
    numbers, dtype = np.random.default_rng(seed), {"f32": np.float32, "f64": np.float64}[element]

    def memory(size: int) -> np.ndarray:
        # small integers, so that sums are exact in any order; what is between the columns must not matter
        return numbers.integers(-1, 2, size).astype(dtype)

    def view(flat: np.ndarray, p: Parameter) -> np.ndarray:
        strides = (flat.itemsize, p.step * flat.itemsize)
        return np.lib.stride_tricks.as_strided(flat, (p.rows, p.columns), strides)

    given: list = []
    own: list[dict[str, np.ndarray]] = [{} for _ in range(count)]
    for p in workload.parameters:
        size = p.step * p.columns
        if p.kind == "constant":
            whole = view(memory(size), p)
            views = [whole] * count
            given.append(whole)
        elif p.kind == "group":
            flat = [memory(p.offset + size) for _ in range(count)]
            views = [view(each[p.offset :], p) for each in flat]
            # an offset counts from the beginning of longer memory, which has no shape
            given.append(flat if p.offset else views)
        else:
            block = memory(size * count)
            views = [view(block[size * n :], p) for n in range(count)]
            steps = (block.itemsize, p.step * block.itemsize, size * block.itemsize)
            given.append(np.lib.stride_tricks.as_strided(block, (p.rows, p.columns, count), steps))
        for each, matrix in zip(own, views):
            each[p.name] = matrix
    return given, own
