"""Functions on tensors that come as MLIR: products and convolutions beside kernels by hand, and rows beside numba.

    python benchmarks/mlir_tensors.py [--budget SECONDS] [--write]

The function on tensors gets the array for its result, as the others do. The product by hand multiplies blocks of rows
and columns; the convolution by hand multiplies, for each line of the output and each element of the window, a line of
the input and the kernel. Functions of rows are executed by SYCL and through MLIR; numba's are loops over rows, in
parallel. Both are compiled with and without the option `fastmath`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from measure import Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from workload import main, peak_of

from pytl.launch.arrays.arrays import permuted_array

MLIR, BY_HAND, NUMBA = "pytl, mlir", "pytl, by hand", "numba"
PRODUCTS = (256, 512, 1024, 2048)
CONVOLUTIONS = ((56, 64, 64), (28, 128, 128), (14, 256, 256))
"""The side of an image, and channels of input and output, of a layer with windows of 3×3."""
ROWS = ((64, 1024), (512, 512), (4096, 64), (1024, 1024), (4096, 256), (256, 4096), (4096, 1024))
BLOCK = 64


def _uniform(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    generator = np.random.default_rng(1)
    return [generator.random(shape, "float32") - np.float32(0.5) for shape in shapes]


def from_text(text: str, arguments: list[np.ndarray], shape: tuple[int, ...], **options: Any) -> Variant:
    import pytl

    launch = pytl.from_mlir(text)["f"][..., options]
    *device, result = map(_row_major, (*arguments, np.empty(shape, np.float32)))
    return Variant("pytl", lambda: launch(*device, result), lambda: on_host(result))


def through_mlir(text: str, arguments: list[np.ndarray], shape: tuple[int, ...], **options: Any) -> Variant:
    """The same on NumPy's arrays, by the backend `mlir`."""
    import pytl

    launch = pytl.from_mlir(text)["f"][..., options]
    *host, result = (placed(each, "C") for each in (*arguments, np.empty(shape, np.float32)))
    launch(*host, result, backend="mlir")  # raises where the tools are missing
    return Variant(MLIR, lambda: launch(*host, result, backend="mlir"), lambda: result)


def _row_major(array: np.ndarray) -> Any:
    return permuted_array(on_device(array.T), tuple(reversed(range(array.ndim))))


# Products.


def product_text(n: int) -> str:
    type_ = f"tensor<{n}x{n}xf32>"
    return f"""func.func @f(%a: {type_}, %b: {type_}) -> {type_} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {type_}
  %f = linalg.fill ins(%zero : f32) outs(%e : {type_}) -> {type_}
  %r = linalg.matmul ins(%a, %b : {type_}, {type_}) outs(%f : {type_}) -> {type_}
  return %r : {type_}
}}"""


def product_by_hand(a: np.ndarray, b: np.ndarray) -> Variant:
    import pytl
    from pytl import Memref, f32, gemm, group_id

    n = len(a)
    across = n // BLOCK

    @pytl.kernel
    def product(A: Memref[f32, n, n], B: Memref[f32, n, n], C: Memref[f32, n, n]):
        i = group_id() // across * BLOCK
        j = group_id() % across * BLOCK
        gemm(1.0, B[j : j + BLOCK, :], A[:, i : i + BLOCK], 0.0, C[j : j + BLOCK, i : i + BLOCK])

    device = [on_device(each.T) for each in (a, b, np.empty((n, n), np.float32))]
    launch = product[across * across]
    return Variant(BY_HAND, lambda: launch(*device), lambda: on_host(device[2]).T)


def products(cores: int, budget: float) -> Iterator[Cell]:
    for n in PRODUCTS:
        a, b = _uniform((n, n), (n, n))
        makers = [partial(from_text, product_text(n), [a, b], (n, n)), partial(product_by_hand, a, b)]
        yield from _cells("products of tensors", f"{n}", makers, a @ b, 2.0 * n**3, n, cores, budget)


# Convolutions.


def convolution_text(side: int, channels: int, features: int) -> str:
    x, k, y = (
        f"tensor<1x{side + 2}x{side + 2}x{channels}xf32>",
        f"tensor<3x3x{channels}x{features}xf32>",
        f"tensor<1x{side}x{side}x{features}xf32>",
    )
    return f"""func.func @f(%x: {x}, %k: {k}) -> {y} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : {x}, {k}) outs(%f : {y}) -> {y}
  return %r : {y}
}}"""


def convolution_by_hand(x: np.ndarray, k: np.ndarray) -> Variant:
    import pytl
    from pytl import Memref, axpby, f32, gemm, group_id

    _, wide, _, channels = x.shape
    side, features = wide - 2, k.shape[-1]

    @pytl.kernel
    def convolution(
        X: Memref[f32, channels, wide, wide],
        K: Memref[f32, features, channels, 3, 3],
        Y: Memref[f32, features, side, side],
    ):
        line = group_id()
        axpby(0.0, Y[:, :, line], 0.0, Y[:, :, line])
        for i in range(3):
            for j in range(3):
                gemm(1.0, K[:, :, j, i], X[:, j : j + side, line + i], 1.0, Y[:, :, line])

    device = [on_device(each.T) for each in (x[0], k, np.zeros((side, side, features), np.float32))]
    launch = convolution[side]
    return Variant(BY_HAND, lambda: launch(*device), lambda: on_host(device[2]).T[None])


def convolutions(cores: int, budget: float) -> Iterator[Cell]:
    for side, channels, features in CONVOLUTIONS:
        x, k = _uniform((1, side + 2, side + 2, channels), (3, 3, channels, features))
        views = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))
        expected = np.einsum("nhwcij,ijcf->nhwf", views, k, optimize=True)
        text = convolution_text(side, channels, features)
        makers = [partial(from_text, text, [x, k], expected.shape), partial(convolution_by_hand, x, k)]
        work = 2.0 * 9 * side * side * channels * features
        yield from _cells(
            "convolutions of tensors",
            f"{side}, {channels} to {features}",
            makers,
            expected,
            work,
            9 * channels,
            cores,
            budget,
        )


# Rows.


def softmax_text(m: int, n: int) -> str:
    type_ = f"tensor<{m}x{n}xf32>"
    return f"""func.func @f(%x: {type_}) -> {type_} {{
  %e = tensor.empty() : {type_}
  %r = linalg.softmax dimension(1) ins(%x : {type_}) outs(%e : {type_}) -> {type_}
  return %r : {type_}
}}"""


def norm_text(m: int, n: int) -> str:
    wide, narrow, one = f"tensor<{m}x{n}xf32>", f"tensor<{m}xf32>", f"tensor<{n}xf32>"
    whole, rows, columns = (f"affine_map<(i, j) -> ({each})>" for each in ("i, j", "i", "j"))
    reduced = f'{{indexing_maps = [{whole}, {rows}], iterator_types = ["parallel", "reduction"]}}'
    centred = f'{{indexing_maps = [{whole}, {rows}, {rows}], iterator_types = ["parallel", "reduction"]}}'
    maps = f"{whole}, {rows}, {rows}, {columns}, {columns}, {whole}"
    each = f'{{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}'
    return f"""func.func @f(%x: {wide}, %g: {one}, %b: {one}) -> {wide} {{
  %zero = arith.constant 0.0 : f32
  %count = arith.constant {n}.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %e0 = tensor.empty() : {narrow}
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : {narrow}) -> {narrow}
  %sum = linalg.generic {reduced} ins(%x : {wide}) outs(%z0 : {narrow}) {{
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %o, %u : f32
    linalg.yield %s : f32
  }} -> {narrow}
  %z1 = linalg.fill ins(%zero : f32) outs(%e0 : {narrow}) -> {narrow}
  %squares = linalg.generic {centred} ins(%x, %sum : {wide}, {narrow}) outs(%z1 : {narrow}) {{
  ^bb0(%u: f32, %t: f32, %o: f32):
    %m = arith.divf %t, %count : f32
    %d = arith.subf %u, %m : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  }} -> {narrow}
  %e1 = tensor.empty() : {wide}
  %r = linalg.generic {each} ins(%x, %sum, %squares, %g, %b : {wide}, {narrow}, {narrow}, {one}, {one})
      outs(%e1 : {wide}) {{
  ^bb0(%u: f32, %t: f32, %w: f32, %h: f32, %k: f32, %o: f32):
    %m = arith.divf %t, %count : f32
    %d = arith.subf %u, %m : f32
    %v = arith.divf %w, %count : f32
    %a = arith.addf %v, %eps : f32
    %c = math.rsqrt %a : f32
    %l = arith.mulf %d, %c : f32
    %n = arith.mulf %l, %h : f32
    %p = arith.addf %n, %k : f32
    linalg.yield %p : f32
  }} -> {wide}
  return %r : {wide}
}}"""


def by_numba(make: Callable[[], Any], arguments: list[np.ndarray]) -> Variant:
    function, arguments = make(), [placed(each, "C") for each in arguments]
    result = placed(np.empty_like(arguments[0]), "C")
    return Variant(NUMBA, lambda: function(*arguments, result), lambda: result)


def softmax_of_numba(fastmath: bool) -> Any:
    import numba

    @numba.njit(parallel=True, fastmath=fastmath)
    def softmax(x: Any, y: Any) -> None:
        for i in numba.prange(x.shape[0]):
            largest = x[i, 0]
            for j in range(x.shape[1]):
                largest = max(largest, x[i, j])
            total = np.float32(0)
            for j in range(x.shape[1]):
                raised = np.exp(x[i, j] - largest)
                y[i, j] = raised
                total += raised
            for j in range(x.shape[1]):
                y[i, j] /= total

    return softmax


def norm_of_numba(fastmath: bool) -> Any:
    import numba

    @numba.njit(parallel=True, fastmath=fastmath)
    def norm(x: Any, g: Any, b: Any, y: Any) -> None:
        count = np.float32(x.shape[1])
        for i in numba.prange(x.shape[0]):
            total = np.float32(0)
            for j in range(x.shape[1]):
                total += x[i, j]
            mean = total / count
            squares = np.float32(0)
            for j in range(x.shape[1]):
                off = x[i, j] - mean
                squares += off * off
            factor = np.float32(1) / np.sqrt(squares / count + np.float32(1e-5))
            for j in range(x.shape[1]):
                y[i, j] = (x[i, j] - mean) * factor * g[j] + b[j]

    return norm


def rows(cores: int, budget: float) -> Iterator[Cell]:
    for fastmath in (False, True):
        table = "rows of tensors, fastmath" if fastmath else "rows of tensors"
        for m, n in ROWS:
            x, g, b = _uniform((m, n), (n,), (n,))
            raised, centred = np.exp(x - x.max(1, keepdims=True)), x - x.mean(1, keepdims=True)
            soft = raised / raised.sum(1, keepdims=True)
            norm = centred / np.sqrt((centred**2).mean(1, keepdims=True) + np.float32(1e-5)) * g + b
            for row, text, of_numba, arguments, expected in (
                ("softmax", softmax_text(m, n), softmax_of_numba, [x], soft),
                ("layer norm", norm_text(m, n), norm_of_numba, [x, g, b], norm),
            ):
                makers = [
                    partial(from_text, text, arguments, x.shape, fastmath=fastmath),
                    partial(through_mlir, text, arguments, x.shape, fastmath=fastmath),
                    partial(by_numba, partial(of_numba, fastmath), arguments),
                ]
                moved = 8.0 * m * n
                yield from _cells(table, f"{row}, {m}×{n}", makers, expected, 0.0, n, cores, budget, moved)


# Measured.


def _cells(
    table: str,
    row: str,
    makers: list[Any],
    expected: np.ndarray,
    work: float,
    terms: int,
    cores: int,
    budget: float,
    moved: float = 0.0,
) -> Iterator[Cell]:
    """A cell of those who took turns."""
    variants, absent = taking_part(makers, expected, terms)
    seconds = interleaved(variants, budget, "")
    unit = "GFLOP/s" if work else "GB/s"
    peak = peak_of("float32") if work else None
    yield Cell(f"{table}, {on_cores(cores)}", row, "f32", cores, work or moved, seconds, peak, absent, unit=unit)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for of in (products, convolutions, rows):
        yield from of(cores, budget)


if __name__ == "__main__":
    main(__file__, __doc__, {"mlir_tensors": cells})
