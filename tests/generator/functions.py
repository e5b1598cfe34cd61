"""Functions: their parameters and attributes, and what stands in their bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytl.ops.launch_defaults import DEFAULT_SUBGROUP_SIZE

from .arithmetic import Arithmetic
from .collectives import Collectives
from .control import Control
from .language import COMPLEX, DATA, INTEGERS, SIZES, packed, type_bound
from .matrix_functions import MatrixFunctions
from .memory import Memory
from .regions import Regions
from .subgroups import Subgroups
from .values import GROUPS, Dynamic, Extent, Number, Root, Tensor
from .views import Views
from .witnesses import Witnesses

FAVOURITES = {
    "numbers": (
        "binary",
        "unary",
        "cast",
        "compare",
        "constant_of_any_type",
        "builtin",
        "function",
        "narrowed",
        "truth",
    ),
    "views": ("subview", "size", "expand", "fuse"),
    "control": ("loop", "branch"),
    "collectives": ("gemm", "axpby", "gemv", "ger", "hadamard", "sum", "cumsum"),
    "memory": ("foreach", "foreach_tile", "some_alloca", "lifetime_stop", "load", "store"),
    "sub-groups": ("parallel", "foreach_tile", "subgroup_builtin", "broadcast", "subgroup_operation"),
    "matrices": (
        "parallel",
        "some_matrix",
        "matrix_arithmetic",
        "matrix_arithmetic_since_04",
        "mul_add",
        "scale",
        "load_matrix",
        "store_matrix",
        "apply",
        "extract",
        "insert",
    ),
}
"""Each program has a subject, whose statements are chosen more often."""


class Generator(Memory, Views, Arithmetic, Subgroups, MatrixFunctions, Collectives, Regions, Control, Witnesses):
    """Writes one function."""

    def function_text(self, name: str, size: int) -> str:
        if self.chance(60):
            # few types meet more often
            self.elements = tuple(self.pick(self.elements) for _ in range(self.rng.randrange(1, 4)))
        self.favourite = self.pick(sorted(FAVOURITES))
        attributes = self.function_attributes()
        parameters = self.safe_parameters() if self.safe else self.free_parameters()
        self.body(size)
        if self.safe and self.chance(80):
            parameters += self.witnesses(self.group)
        lines = [f"func @{name}({', '.join(parameters)}){attributes} {{", *self.lines, "}"]
        return "\n".join(lines) + "\n"

    def statements(self) -> list[Callable[[], None]]:
        found = [self.binary] * 3 + [self.unary, self.cast, self.compare, self.constant_of_any_type, self.builtin]
        found += [self.narrowed, self.truth]
        found += [self.load] * 3 + [self.subview, self.size, self.expand, self.fuse, self.function]
        found += [self.some_matrix, self.matrix_arithmetic, self.matrix_arithmetic_since_04]
        if self.depth < 4:
            found += [self.loop, self.branch]
        found += self.collective_statements() if self.spmd is None else self.spmd_statements()
        favoured = [statement for statement in found if statement.__name__ in FAVOURITES[self.favourite]]
        return found + 3 * favoured

    def collective_statements(self) -> list[Callable[[], None]]:
        found = [self.gemm, self.axpby, self.some_alloca, self.barrier]
        found += [self.foreach] * 3 + [self.parallel, self.foreach_tile]
        found += [self.gemv, self.ger, self.hadamard, self.sum, self.cumsum, self.parallel, self.lifetime_stop]
        if not self.safe:
            found += [self.store_anywhere, self.bitcast, self.expandc2r, self.associated]
        return found

    def spmd_statements(self) -> list[Callable[[], None]]:
        found = [self.store] * 3
        found += [self.subgroup_builtin, self.broadcast, self.subgroup_operation, self.barrier_in_parallel]
        found += [
            self.apply,
            self.extract,
            self.insert,
            self.mul_add,
            self.scale,
            *[self.load_matrix] * 2,
            *[self.store_matrix] * 4,
        ]
        return found

    # Attributes.

    def function_attributes(self) -> str:
        if self.wanted_size is None and self.chance(50):
            self.subgroup_size, self.subgroups = DEFAULT_SUBGROUP_SIZE, 1
            return ""
        sizes = (4, 8, 16, 32) if self.wanted_size is None else (self.wanted_size,)
        size, rows, columns = self.pick(sizes), self.pick((1, 2)), self.pick((1, 2))
        self.subgroup_size, self.subgroups = size, rows * columns
        entries = [f"subgroup_size={size}", f"work_group_size=[{rows * size},{columns}]"]
        if rows * columns == 1 and self.chance(50):
            entries.pop()
        elif rows == 1 and size <= DEFAULT_SUBGROUP_SIZE and self.chance(30):
            # the sub-group size follows from the work-group's
            entries.pop(0)
        entries += [f'"{word}"={self.attribute()}' for word in ("note", "x y") if self.chance(20)]
        self.rng.shuffle(entries)
        return f" attributes{{{', '.join(entries)}}}"

    def attribute(self, depth: int = 0) -> str:
        """An attribute of any type."""
        kind = self.pick(("true", "integer", "string", "array", "dictionary") if depth < 3 else ("false", "string"))
        if kind in ("true", "false"):
            return kind
        if kind == "integer":
            return self.pick(("0", "-1", "+7", str(2**63 - 1)))
        if kind == "string":
            return self.pick(('""', '"a b"', '"%x = {[;"', r'"\n"'))
        items = [self.attribute(depth + 1) for _ in range(self.rng.randrange(3))]
        if kind == "array":
            return f"[{', '.join(items)}]"
        names = ("alignment", '"own"', "unroll")
        return "{" + ", ".join(f"{name}={item}" for name, item in zip(names, items, strict=False)) + "}"

    def attributes(self, tensor: Tensor) -> str:
        entries = []
        if self.chance(20):
            entries.append(f"alignment={SIZES[tensor.element]}")
        if self.chance(20):
            entries.append(f"shape_gcd=[{','.join(str(n) if isinstance(n, int) else '1' for n in tensor.shape)}]")
        if self.chance(20):
            entries.append(f"stride_gcd=[{','.join(str(s) if isinstance(s, int) else '1' for s in tensor.strides)}]")
        return f"{{{', '.join(entries)}}}" if entries else ""

    # Parameters.

    def scalar_parameters(self) -> list[str]:
        types = [self.pick((*self.elements, "bool")) for _ in range(self.rng.randrange(4))]
        numbers = [
            Number(f"%s{i}", t, DATA * (2 if t in COMPLEX else 1) if t not in INTEGERS else type_bound(t), stable=True)
            for i, t in enumerate(types)
        ]
        self.scope.numbers += [n if n.type != "bool" else Number(n.name, "bool") for n in numbers]
        self.opaque |= {n.name for n in numbers}
        return [f"{n.name}: {n.type}" for n in numbers]

    def extent(self, key: str) -> Extent:
        return Dynamic(key) if self.chance(30) else self.pick((1, 2, 3, 4, 8))

    def parameter(self, name: str, element: str, shape: Sequence[Extent], writable: bool) -> Tensor:
        strides = packed(shape)
        dense = [True] * max(0, len(shape) - 1)
        if len(shape) > 1 and all(isinstance(s, int) for s in strides) and self.chance(30):
            strides = (1, *(3 * int(s) for s in strides[1:]))
            dense[0] = False
        elif shape and self.chance(15):
            strides = (1, *("?" for _ in strides[1:]))
        bound = type_bound(element) if element in INTEGERS else 2 * DATA if element in COMPLEX else DATA
        root = Root(writable, bound, True, 0)
        return Tensor(name, element, tuple(shape), strides, "global", root, dense=tuple(dense))

    def load_item(self, group: Tensor, item: Number) -> None:
        tensor = Tensor(
            self.fresh(), group.element, group.shape, group.strides, "global", group.root, dense=group.dense
        )
        self.line(f"{tensor.name} = load {group.name}[{item.name}] : {tensor.type}")
        self.scope.tensors.append(tensor)

    def free_parameters(self) -> list[str]:
        texts = self.scalar_parameters()
        for number in range(self.rng.randrange(1, 4)):
            shape = [self.extent(f"P{number}.{mode}") for mode in range(self.rng.randrange(6))]
            tensor = self.parameter(f"%P{number}", self.pick(self.elements), shape, True)
            if self.chance(25):
                count, offset = self.pick(("?", "4")), self.pick(("", ", offset: ?", ", offset: 3"))
                texts.append(f"{tensor.name}: group<{tensor.type}x{count}{offset}>{self.attributes(tensor)}")
                self.load_item(tensor, self.constant("index", self.rng.randrange(4)))
                if self.chance(30):
                    self.opaque.add(self.define("index", f"size {tensor.name}[0] : index").name)
            else:
                texts.append(f"{tensor.name}: {tensor.type}{self.attributes(tensor)}")
                self.scope.tensors.append(tensor)
        return texts

    def safe_parameters(self) -> list[str]:
        """Read-only tensors that all work-groups share, tensors of which each has its own part, and one to add to."""
        texts = self.scalar_parameters()
        texts += [self.input_parameter(number) for number in range(self.rng.randrange(3))]
        self.group = group = self.define("index", "builtin.group_id : index", low=0, below=GROUPS)
        texts += [self.output_parameter(number, group) for number in range(self.rng.randrange(1, 3))]
        integers = [e for e in ("i32", "i64") if e in self.elements]
        if integers and self.chance(30):
            shape = [self.pick((1, 2, 4)) for _ in range(self.rng.randrange(3))]
            tensor = self.parameter("%sum", self.pick(integers), shape, True)
            tensor.root.shared = True
            texts.append(f"{tensor.name}: {tensor.type}{self.attributes(tensor)}")
            self.scope.tensors.append(tensor)
        return texts

    def shape(self) -> list[Extent]:
        if self.chance(25):
            return [self.pick((2, 4, 8)), self.pick((2, 4, 8))]
        return [self.pick((1, 2, 3, 4, 5)) for _ in range(self.rng.randrange(4))]

    def input_parameter(self, number: int) -> str:
        shape = self.shape()
        if shape and self.chance(20):
            shape[self.rng.randrange(len(shape))] = Dynamic(f"in{number}")
        tensor = self.parameter(f"%in{number}", self.pick(self.elements), shape, False)
        if self.chance(25):
            offset = self.pick(("", ", offset: ?", ", offset: 2"))
            if any(isinstance(n, Dynamic) for n in (*shape, *tensor.strides)) or "?" in tensor.strides:
                offset = ""
            item = self.constant("index", self.rng.randrange(2))
            self.load_item(tensor, item)
            return f"{tensor.name}: group<{tensor.type}x2{offset}>{self.attributes(tensor)}"
        self.scope.tensors.append(tensor)
        return f"{tensor.name}: {tensor.type}{self.attributes(tensor)}"

    def output_parameter(self, number: int, group: Number) -> str:
        shape = self.shape()
        if shape and self.chance(25):
            shape[self.rng.randrange(len(shape))] = Dynamic(f"out{number}")
        element = self.pick(self.elements)
        if self.chance(40):
            tensor = self.parameter(f"%out{number}", element, shape, True)
            self.load_item(tensor, group)
            return f"{tensor.name}: group<{tensor.type}x?>{self.attributes(tensor)}"
        tensor = self.parameter(f"%out{number}", element, (*shape, GROUPS), True)
        slices = [(f"0:{self.size_of(tensor, mode)}", extent) for mode, extent in enumerate(shape)]
        self.slices(tensor, [*slices, (group.name, None)])
        return f"{tensor.name}: {tensor.type}{self.attributes(tensor)}"
