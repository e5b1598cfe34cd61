"""Kernels that many work-items execute, beside one work-item and, where there are some, kernels of another compiler.

    python benchmarks/work_items.py [NAME …] [--budget SECONDS] [--peers FOLDER]

All of it runs on OpenCL's device of the processor, on one core. A folder of peers has `NAME.spv`, SPIR-V with the
arguments of the function, each memref a pointer, followed by its last size where that is open. Ratios are those of
rates: above one, many work-items are faster. `benchmarks/before.py` measures the same kernels beside a revision's.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import Variant, interleaved, machine_name, use_cores
from workload import above_zero

WORK = 2e8
"""Multiply-adds of a run of products, at most; what moves data does a twentieth."""
STRATEGIES = ("one-item", "many-items")
DTYPES = {"f32": "float32", "f64": "float64"}

HEAD = """func @{kind}({parameters}) {{
  %g = builtin.group_id : index
  %one = constant 1.0 : {t}
  %zero = constant 0.0 : {t}
  %two = constant 2.0 : {t}
  %half = constant 0.5 : {t}
"""


def _function(kind: str, type_: str, own: dict[str, str], shared: dict[str, str], body: str) -> str:
    """A function of a batch: tensors of each work-group's own, which `body` calls by small letters, and shared ones."""
    parameters = [f"%{name}: memref<{type_}x{shape}x?>" for name, shape in own.items()]
    parameters += [f"%{name}: memref<{type_}x{shape}>" for name, shape in shared.items()]
    views = []
    for name, shape in own.items():
        slices = ",".join(f"0:{n}" for n in shape.split("x"))
        views.append(f"  %{name.lower()} = subview %{name}[{slices},%g] : memref<{type_}x{shape}>")
    head = HEAD.format(kind=kind, parameters=", ".join(sorted(parameters)), t=type_)
    return head + "\n".join([*views, body]) + "\n}"


def _gemm(type_: str, m: int, n: int, k: int, transposes: str = "nn") -> tuple[str, float]:
    ta, tb = transposes
    a, b = (f"{m}x{k}" if ta == "n" else f"{k}x{m}"), (f"{k}x{n}" if tb == "n" else f"{n}x{k}")
    body = f"  gemm.{ta}.{tb} %one, %a, %B, %one, %c"
    return _function("gemm", type_, {"A": a, "C": f"{m}x{n}"}, {"B": b}, body), 2.0 * m * n * k


def _chain(type_: str, m: int, n: int) -> tuple[str, float]:
    """D += (A B) E of m rows and n columns."""
    body = f"  %t = alloca : memref<{type_}x{m}x{n},local>\n  gemm.n.n %one, %a, %B, %zero, %t\n"
    body += "  gemm.n.n %one, %t, %C, %one, %d"
    own = {"A": f"{m}x{n}", "D": f"{m}x{n}"}
    return _function("chain", type_, own, {"B": f"{n}x{n}", "C": f"{n}x{n}"}, body), 4.0 * m * n * n


def _of_texts(kind: str, type_: str, n: int) -> tuple[str, float]:
    """What reads each element once."""
    matrix, vector = f"{n}x{n}", f"{n}"
    own, body, work = {
        "gemv": ({"A": matrix, "X": vector, "Y": vector}, "gemv.n %one, %a, %x, %zero, %y", 2),
        "ger": ({"A": vector, "B": vector, "C": matrix}, "ger %one, %a, %b, %one, %c", 3),
        "axpby": ({"A": matrix, "B": matrix}, "axpby.n %two, %a, %half, %b", 3),
        "hadamard": ({"A": matrix, "B": matrix, "C": matrix}, "hadamard %one, %a, %b, %zero, %c", 2),
        "sum": ({"A": matrix, "B": vector}, "sum.n %one, %a, %zero, %b", 1),
    }[kind]
    return _function(kind, type_, own, {}, f"  {body}"), float(work * n * n)


def kernels() -> dict[str, tuple[str, float]]:
    """Texts with the operations of a work-group, by their names."""
    found: dict[str, tuple[str, float]] = {}
    for type_ in DTYPES:
        for n in (8, 16, 32, 64):
            found[f"gemm_{type_}_{n}"] = _gemm(type_, n, n, n)
        for transposes in ("nt", "tn", "tt"):
            found[f"gemm_{type_}_32_{transposes}"] = _gemm(type_, 32, 32, 32, transposes)
        for m in (20, 35, 56):
            found[f"chain_{type_}_{m}x9"] = _chain(type_, m, 9)
        for kind in ("gemv", "ger", "axpby", "hadamard", "sum"):
            found[f"{kind}_{type_}_64"] = _of_texts(kind, type_, 64)
    return found


def _arrays(name: str, items: int) -> list[np.ndarray]:
    text, _ = kernels()[name]
    random = np.random.default_rng(0)
    dtype = DTYPES[name.split("_")[1]]
    signature = text.partition(") {")[0]
    shapes = [sizes.split("x") for sizes in re.findall(r"memref<f\d\dx([0-9?x]+)>", signature)]
    return [
        np.asfortranarray(random.random([items if n == "?" else int(n) for n in shape]).astype(dtype))
        for shape in shapes
    ]


def items_of(name: str) -> int:
    """How many work-groups a run has."""
    _, operations = kernels()[name]
    return max(2, int(WORK / operations / (1 if name.startswith(("gemm", "chain")) else 20)))


def by_pytl(name: str, strategy: str) -> Variant:
    """A kernel with data of its own."""
    import pytl

    text, _ = kernels()[name]
    items = items_of(name)
    arrays = _arrays(name, items)
    (kernel,) = pytl.compile(text).values()
    launch = kernel[items, {"strategy": strategy}]
    return Variant(strategy, lambda: launch(*arrays), lambda: arrays)


def by_peer(name: str, file: Path) -> Variant:
    """A kernel of another compiler, through pyopencl."""
    cl = _opencl()
    (device,) = next(p for p in cl.get_platforms() if "Intel" in p.name).get_devices(cl.device_type.CPU)
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    (kernel,) = cl.Program(context, file.read_bytes()).build().all_kernels()
    local = tuple(kernel.get_work_group_info(cl.kernel_work_group_info.COMPILE_WORK_GROUP_SIZE, device))
    items, arguments, buffers = items_of(name), list[Any](), list[Any]()
    arrays = _arrays(name, items)
    for array in arrays:
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        buffers.append(cl.Buffer(context, flags, hostbuf=array))
        arguments.append(buffers[-1])
        if array.shape[-1] == items:
            arguments.append(np.int64(items))
    kernel.set_args(*arguments[: kernel.num_args])

    def run() -> None:
        cl.enqueue_nd_range_kernel(queue, kernel, (local[0] * items, *local[1:]), local)
        queue.finish()

    def result() -> list[np.ndarray]:
        for array, buffer in zip(arrays, buffers, strict=True):
            cl.enqueue_copy(queue, array, buffer)
        return arrays

    return Variant("peer", run, result)


def _opencl() -> Any:
    """pyopencl with pip's driver of Intel."""
    import sys

    (driver, *_) = sorted(Path(sys.prefix, "lib").glob("libintelocl.so*"))
    folder = tempfile.mkdtemp()
    Path(folder, "intel.icd").write_text(f"{driver}\n")
    os.environ.setdefault("OCL_ICD_VENDORS", folder)
    import pyopencl

    return pyopencl


def compared(name: str, peers: Path | None, budget: float) -> dict[str, float]:
    """Rates in GFLOP/s; results that differ are an error."""
    makers: list[Callable[[], Variant]] = [lambda s=s: by_pytl(name, s) for s in STRATEGIES]  # type: ignore[misc]
    file = peers / f"{name}.spv" if peers is not None else None
    if file is not None and file.exists():
        makers.append(lambda: by_peer(name, file))
    variants = [make() for make in makers]
    for variant in variants:
        variant.run()
    first, *others = [variant.result() for variant in variants]
    for variant, other in zip(variants[1:], others):
        for a, b in zip(first, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3, err_msg=f"{name}, {variant.name}")
    _, operations = kernels()[name]
    seconds = interleaved(variants, budget, "L2")
    return {who: operations * items_of(name) / each / 1e9 for who, each in seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"kernels: {', '.join(kernels())}")
    parser.add_argument("--budget", type=above_zero(float), default=1.0, help="seconds for a kernel")
    parser.add_argument("--peers", type=Path, metavar="FOLDER", help="where SPIR-V of another compiler lies")
    options = parser.parse_args()
    use_cores(1)
    print(machine_name())
    ratios: dict[str, list[float]] = {}
    for name in options.names or kernels():
        rates = compared(name, options.peers, options.budget)
        many = rates["many-items"]
        found = {who: many / rate for who, rate in rates.items() if who != "many-items"}
        for who, ratio in found.items():
            ratios.setdefault(who, []).append(ratio)
        shown = ", ".join(f"{who} {rate:.1f}" for who, rate in rates.items())
        print(f"{name:16} GFLOP/s: {shown}; ÷ " + ", ".join(f"{w} {r:.2f}" for w, r in found.items()), flush=True)
    for who, each in ratios.items():
        print(f"many-items ÷ {who}: {statistics.geometric_mean(each):.2f}, the least {min(each):.2f}")


if __name__ == "__main__":
    main()
