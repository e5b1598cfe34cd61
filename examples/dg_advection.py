"""Linear advection by a discontinuous Galerkin method of any order in space and time, with kernels in pytl.

    ∂q/∂t + a ∂q/∂x + b ∂q/∂y = 0    on the unit square, which is periodic,

on n×n square elements. In an element q is a polynomial, Σ Q[i, j] φ_i(x) φ_j(y) with Legendre's polynomials φ up to
the degree, so that an element's unknowns are a small matrix Q. An operator in x multiplies Q from the left, one in y
from the right with its transpose. The steps in time are those of ADER: the equation turns derivatives in time into
derivatives in space, and the Taylor series that they make is integrated over the step. All that is left are products
of small matrices, one work-group per element.

Run it with `python examples/dg_advection.py`; `--help` lists the options. It prints how fast the error falls as the
elements get smaller, degree by degree, and draws dg_advection.png.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import importlib.util
import math
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import legendre

import pytl
from pytl import Memref, alloca, axpby, f64, gemm, group_id, index

VELOCITY = (2.0, -1.0)
"""a and b: at time 1 the flow has gone round the square twice in x and once in y, and everything is back in place."""


# The kernels.


@functools.cache
def kernels(degree: int) -> tuple[pytl.Kernel, pytl.Kernel]:
    """The two kernels of a time step; the size of their matrices, N, is known when they are compiled."""
    N = degree + 1

    @pytl.kernel
    def element(
        dt: f64,
        Gx: Memref[f64, N, N],  # −a ∂/∂x of a polynomial, in coefficients
        Gy: Memref[f64, N, N],
        Kx: Memref[f64, N, N],  # the volume integral
        Ky: Memref[f64, N, N],
        Q: Memref[f64, N, N, ...],  # the coefficients of all elements
        T: Memref[f64, N, N, ...],  # the integral of q over the time step
    ):
        """What an element finds out by itself: its future T, if no edge disturbs it, and the volume term."""
        e = group_id()
        q, future = Q[:, :, e], T[:, :, e]
        D = alloca(f64, N, N, N)  # the derivatives in time, of order 0, …, degree
        axpby(1.0, q, 0.0, D[:, :, 0])
        axpby(dt, q, 0.0, future)
        factor = dt
        for k in range(degree):
            gemm(1.0, Gx, D[:, :, k], 0.0, D[:, :, k + 1])
            gemm(1.0, D[:, :, k], Gy.T, 1.0, D[:, :, k + 1])
            factor = factor * dt / f64(k + 2)  # dt^(k+2) / (k+2)!
            axpby(factor, D[:, :, k + 1], 1.0, future)
        gemm(1.0, Kx, future, 1.0, q)
        gemm(1.0, future, Ky.T, 1.0, q)

    @pytl.kernel
    def surface(
        upwind: Memref[index, 2, ...],  # the neighbours from which it flows in, in x and in y
        Ox: Memref[f64, N, N],  # what flows out
        Oy: Memref[f64, N, N],
        Ix: Memref[f64, N, N],  # what flows in
        Iy: Memref[f64, N, N],
        T: Memref[f64, N, N, ...],
        Q: Memref[f64, N, N, ...],
    ):
        """What flows through the edges of an element."""
        e = group_id()
        q, future = Q[:, :, e], T[:, :, e]
        gemm(1.0, Ox, future, 1.0, q)
        gemm(1.0, future, Oy.T, 1.0, q)
        gemm(1.0, Ix, T[:, :, upwind[0, e]], 1.0, q)
        gemm(1.0, T[:, :, upwind[1, e]], Iy.T, 1.0, q)

    return element, surface


# The matrices, on the reference element [0, 1].


def basis(degree: int, x: Any) -> np.ndarray:
    """The values φ_i(x): a row for each x, a column for each i."""
    return legendre.legval(2 * np.asarray(x) - 1, np.eye(degree + 1)).T


def slopes(degree: int, x: Any) -> np.ndarray:
    """The values φ_i'(x), likewise."""
    return 2 * legendre.legval(2 * np.asarray(x) - 1, legendre.legder(np.eye(degree + 1))).T


def quadrature(points: int) -> tuple[np.ndarray, np.ndarray]:
    """The points and weights of Gauss and Legendre, exact for polynomials up to degree 2 points − 1."""
    x, weights = legendre.leggauss(points)
    return (x + 1) / 2, weights / 2


def operators(degree: int, velocity: float, width: float) -> list[np.ndarray]:
    """The matrices G, K, O and I of one direction, in which the flow has some velocity and elements some width."""
    x, weights = quadrature(degree + 1)
    phi, slope = basis(degree, x), slopes(degree, x)
    mass = phi.T @ np.diag(weights) @ phi
    stiffness = slope.T @ np.diag(weights) @ phi
    # At an edge q is what flows there: the value of the element on the upwind side.
    inlet, outlet = basis(degree, [0.0, 1.0] if velocity >= 0 else [1.0, 0.0])
    speed = velocity / width
    terms = (
        -speed * stiffness.T,
        speed * stiffness,
        -abs(speed) * np.outer(outlet, outlet),
        abs(speed) * np.outer(inlet, outlet),
    )
    return [np.linalg.solve(mass, term) for term in terms]


# The solver.


def exact(x: np.ndarray, y: np.ndarray, t: float) -> np.ndarray:
    """A smooth hill, at first in the middle of the square, and as periodic as the square is."""
    x, y = (2 * np.pi * (z - velocity * t - 0.5) for z, velocity in zip((x, y), VELOCITY))
    return np.exp(2 * (np.cos(x) + np.cos(y) - 2))


def positions(n: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of points of all elements, in the modes point in x, point in y, element."""
    row, column = np.divmod(np.arange(n * n), n)
    return (column + x[:, None, None]) / n, (row + x[None, :, None]) / n


def project(degree: int, n: int) -> np.ndarray:
    """The coefficients at time 0, of all elements."""
    x, weights = quadrature(degree + 2)
    phi = basis(degree, x)
    fit = np.linalg.solve(phi.T @ np.diag(weights) @ phi, phi.T @ np.diag(weights))
    return np.einsum("ip,jq,pqe->ije", fit, fit, exact(*positions(n, x), 0.0))


def evaluate(Q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The values of a solution, at `positions`."""
    phi = basis(Q.shape[0] - 1, x)
    return np.einsum("pi,qj,ije->pqe", phi, phi, Q)


def upwind_neighbours(n: int) -> np.ndarray:
    """For each element the numbers of the two from which the flow comes, in x and in y."""
    row, column = np.divmod(np.arange(n * n), n)
    left, below = (1 if velocity >= 0 else -1 for velocity in VELOCITY)
    return np.stack([row * n + (column - left) % n, (row - below) % n * n + column])


def arrays_of_devices() -> Any:
    """dpctl.tensor, or dpnp.tensor, which has its functions from dpctl 0.22 on; None where neither is installed."""
    for name in ("dpctl.tensor", "dpnp.tensor"):
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(name)
    return None


def on_device(array: np.ndarray) -> Any:
    """The array in the language's layout, column-major, and where the kernels run, to stay there step after step."""
    array = np.asfortranarray(array)
    arrays = arrays_of_devices() if pytl.default_backend() == "sycl" else None
    return array if arrays is None else arrays.asarray(array, order="F")


def on_host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else arrays_of_devices().asnumpy(array)


class Solution(NamedTuple):
    """The solution at the end of a run."""

    Q: np.ndarray
    error: float
    """Its distance from the exact solution, in the norm of L2."""
    mass_change: float
    steps: int
    seconds: float


def solve(degree: int, n: int, end: float) -> Solution:
    """Go from time 0 to the end, on n×n elements."""
    element, surface = kernels(degree)
    Gx, Kx, Ox, Ix = map(on_device, operators(degree, VELOCITY[0], 1 / n))
    Gy, Ky, Oy, Iy = map(on_device, operators(degree, VELOCITY[1], 1 / n))
    upwind = on_device(upwind_neighbours(n))
    start = project(degree, n)
    Q, T = on_device(start), on_device(np.zeros_like(start))

    # Steps up to about 1 / (degree + 1)² of the time in which the flow crosses an element are stable.
    crossing = 1 / n / sum(map(abs, VELOCITY))
    steps = max(1, math.ceil(end / (0.9 * crossing / (degree + 1) ** 2)))
    dt = end / steps

    began = time.perf_counter()
    for _ in range(steps):
        element[n * n](dt, Gx, Gy, Kx, Ky, Q, T)
        surface[n * n](upwind, Ox, Oy, Ix, Iy, T, Q)
    seconds = time.perf_counter() - began

    Q = on_host(Q)
    x, weights = quadrature(degree + 3)
    difference = evaluate(Q, x) - exact(*positions(n, x), end)
    error = math.sqrt(np.einsum("p,q,pqe->", weights, weights, difference**2) / n**2)
    # φ_0 is 1 and all others have mean 0, so an element's mass is its first coefficient times its area.
    mass_change = (Q[0, 0] - start[0, 0]).sum() / n**2
    return Solution(Q, error, mass_change, steps, seconds)


# What it shows.


def study(degrees: Sequence[int], sizes: Sequence[int], end: float) -> dict[tuple[int, int], Solution]:
    """Solve with each degree on each mesh, and print a table."""
    solutions = {}
    print("degree  elements   steps   error in L2   order   change of mass")
    for degree in degrees:
        for coarse, n in zip([None, *sizes], sizes):
            solution = solutions[degree, n] = solve(degree, n, end)
            order = ""
            if coarse is not None:
                order = f"{math.log(solutions[degree, coarse].error / solution.error) / math.log(n / coarse):.2f}"
            mesh = f"{n}×{n}"
            print(
                f"{degree:6}  {mesh:>8}  {solution.steps:6}   {solution.error:11.2e}   {order:>5}"
                f"   {solution.mass_change:14.1e}"
            )
    return solutions


def draw(solutions: dict[tuple[int, int], Solution], end: float, file: str) -> None:
    """Draw the lowest and the highest degree on the coarsest mesh, and how the errors fall."""
    import matplotlib
    from matplotlib.figure import Figure

    degrees, sizes = (sorted(set(numbers)) for numbers in zip(*solutions))
    figure = Figure(figsize=(11.5, 3.6), layout="constrained")
    *maps, chart = figure.subplots(1, 3, width_ratios=(1, 1, 1.15))

    n, points = sizes[0], 32
    x = (np.arange(points) + 0.5) / points
    fine = np.linspace(0, 1, 101)
    lines = exact(fine, fine[:, None], end)
    for axes, degree in zip(maps, (degrees[0], degrees[-1])):
        values = evaluate(solutions[degree, n].Q, x).reshape(points, points, n, n)  # x, y, row, column
        pixels = values.transpose(2, 1, 3, 0).reshape(n * points, n * points)
        image = axes.imshow(pixels, origin="lower", extent=(0, 1, 0, 1), vmin=0, vmax=1, interpolation="nearest")
        axes.contour(fine, fine, lines, levels=[0.25, 0.5, 0.75], colors="white", linewidths=1)
        axes.set(title=f"degree {degree}, {n}×{n} elements, t = {end:g}", xlabel="x", ylabel="y")
        axes.set(xticks=np.linspace(0, 1, n + 1), yticks=np.linspace(0, 1, n + 1))
        axes.grid(color="white", alpha=0.3, linewidth=0.6)
    figure.colorbar(image, ax=maps, label="q (lines: exact)", fraction=0.05, pad=0.02)

    colors = matplotlib.colormaps["viridis"](np.linspace(0, 0.85, len(degrees)))
    for degree, color in zip(degrees, colors):
        errors = [solutions[degree, n].error for n in sizes]
        expected = [errors[-1] * (sizes[-1] / n) ** (degree + 1) for n in sizes]
        chart.loglog(sizes, expected, "--", color=color, linewidth=0.8)
        chart.loglog(sizes, errors, "o-", color=color, label=f"degree {degree}")
    chart.set(title="dashed: the expected order", xlabel="elements a side", ylabel="error in L2")
    chart.set_xticks(sizes, map(str, sizes))
    chart.minorticks_off()
    chart.grid(alpha=0.3)
    chart.legend()
    figure.savefig(file, dpi=100)


def at_least(least: float) -> Callable[[str], Any]:
    """Reads a number of a command line, of the kind that the least one is."""

    def number(text: str) -> Any:
        value = type(least)(text)
        if not least <= value < math.inf:
            raise argparse.ArgumentTypeError(f"{text} is not {least} or more")
        return value

    return number


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--degrees", type=at_least(0), nargs="+", default=[1, 2, 3, 4], help="of the polynomials")
    parser.add_argument("--sizes", type=at_least(1), nargs="+", default=[4, 8, 16, 32], help="elements a side")
    parser.add_argument("--time", type=at_least(0.0), default=1.0, help="when to stop")
    parser.add_argument("--plot", default="dg_advection.png", metavar="FILE", help="what to draw into")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("matplotlib") is None:
        sys.exit("This example draws with matplotlib, which `python3 install.py examples` installs.")

    print(f"Advection with velocity {VELOCITY} until t = {options.time:g}, on the backend {pytl.default_backend()}\n")
    solutions = study(sorted(set(options.degrees)), sorted(set(options.sizes)), options.time)
    (degree, n), last = list(solutions.items())[-1]
    rate = n * n * last.steps / last.seconds / 1e6
    print(f"\nThe last run took {last.seconds:.2f} s: {rate:.2f} million elements a second, of degree {degree}.")
    try:
        draw(solutions, options.time, options.plot)
    except (OSError, ValueError) as problem:  # there is no such folder, or no such format
        sys.exit(f"{options.plot} can't be drawn: {problem}")
    print(f"Drawn: {options.plot}")


if __name__ == "__main__":
    main()
